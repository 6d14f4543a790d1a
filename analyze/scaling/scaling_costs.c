/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_costs.h"

#include "analyze/base/memory.h"
#include "analyze/diff/figures.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/scaling/scaling_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum grade grade;
} kinds[COST_KINDS] = {
	[COST_ROUTINE] = {"routine", GRADE_SAMPLED}, [COST_WAIT] = {"wait", GRADE_EXACT},
	[COST_MPI] = {"mpi", GRADE_EXACT},           [COST_REGION] = {"region", GRADE_EXACT},
	[COST_SERIAL] = {"serial", GRADE_EXACT},     [COST_ABSENT] = {"absent", GRADE_ESTIMATED},
	[COST_BLOCKED] = {"blocked", GRADE_EXACT},   [COST_READY] = {"ready", GRADE_ESTIMATED},
	[COST_IDLE] = {"idle", GRADE_EXACT},         [COST_REST] = {"rest", GRADE_ESTIMATED},
};

const char *cost_kind_name(enum cost_kind kind)
{
	return kinds[kind].name;
}

enum grade cost_kind_grade(enum cost_kind kind)
{
	return kinds[kind].grade;
}

int scaling_cost_compare(const struct scaling_cost *a, const struct scaling_cost *b)
{
	if (a->kind != b->kind)
		return a->kind > b->kind ? 1 : -1;
	return strcmp(a->key, b->key);
}

static int compare_rows(const void *left, const void *right)
{
	return scaling_cost_compare(left, right);
}

/* Takes ownership of key and place. */
static void add(struct scaling_costs *costs, enum cost_kind kind, char *key, char *place,
		double time_ns, uint64_t samples)
{
	costs->rows = memory_grow(costs->rows, costs->count, &costs->capacity, sizeof *costs->rows);
	costs->rows[costs->count++] = (struct scaling_cost){kind, key, place, time_ns, samples};
}

static void add_single(struct scaling_costs *costs, enum cost_kind kind, double time_ns)
{
	add(costs, kind, memory_copy_text(""), memory_copy_text(""), time_ns, 0);
}

/* Rows with the same key are merged, with the place of the longest. */
static void unite(struct scaling_costs *costs)
{
	size_t kept = 0;

	if (costs->count)
		qsort(costs->rows, costs->count, sizeof *costs->rows, compare_rows);
	for (size_t i = 0; i < costs->count; i++) {
		struct scaling_cost *row = &costs->rows[i];
		struct scaling_cost *last = kept ? &costs->rows[kept - 1] : NULL;

		if (!last || scaling_cost_compare(last, row)) {
			costs->rows[kept++] = *row;
			continue;
		}
		bool is_longer = row->time_ns > last->time_ns;
		char *other = is_longer ? last->place : row->place;

		if (is_longer)
			last->place = row->place;
		last->time_ns += row->time_ns;
		last->samples += row->samples;
		free(other);
		free(row->key);
	}
	costs->count = kept;
}

/* ---- CPU time */

/* Code that waits on a processor: CPU time below it is part of a wait that is counted as such. */
static bool is_waiting_code(const struct names *names, size_t routine)
{
	const struct routine *row = names_routine(names, routine);

	return runtime_is_mpi(row->module) || runtime_is_openmp(row->module) ||
	       (runtime_is_code(row->module, "", NULL) && runtime_is_lock_wait(row->name));
}

struct routine_sum {
	double cpu_ns;
	uint64_t samples;
	double longest_ns;
	unsigned line; /* with the most time */
};

/* By routine, outside of waits; the CPU time in waits is at index `names_count`. */
static struct routine_sum *sum_routines(const struct run *run)
{
	size_t count = names_count(run->names);
	struct routine_sum *sums = memory_allocate(count + 1, sizeof *sums);
	bool *is_waiting = memory_allocate(run->paths.count + 1, sizeof *is_waiting);

	for (size_t i = 0; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];
		/* waits within calls for locks were timed */
		double asleep_ns = fmin((double)node->self.within_ns, (double)node->self.cpu_ns);
		double cpu_ns = (double)node->self.cpu_ns - asleep_ns;

		is_waiting[i] = (i && is_waiting[node->parent]) ||
				is_waiting_code(run->names, node->routine);
		struct routine_sum *sum = &sums[is_waiting[i] ? count : node->routine];

		sums[count].cpu_ns += asleep_ns;

		sum->cpu_ns += cpu_ns;
		sum->samples += node->self.samples;
		if (cpu_ns > sum->longest_ns) {
			sum->longest_ns = cpu_ns;
			sum->line = node->line;
		}
	}
	free(is_waiting);
	return sums;
}

double scaling_working_ns(const struct run *run)
{
	struct routine_sum *sums = sum_routines(run);
	double working_ns = 0;

	for (size_t i = 0; i < names_count(run->names); i++)
		working_ns += sums[i].cpu_ns;
	free(sums);
	return working_ns;
}

/* Returns the CPU time in waits. */
static double add_routines(struct scaling_costs *costs, const struct run *run)
{
	struct routine_sum *sums = sum_routines(run);
	size_t count = names_count(run->names);
	double waiting_ns = sums[count].cpu_ns;

	for (size_t i = 0; i < count; i++)
		if (sums[i].cpu_ns > 0)
			add(costs, COST_ROUTINE, figure_key_routine(run->names, i),
			    names_place_text(run->names, i, sums[i].line), sums[i].cpu_ns,
			    sums[i].samples);
	free(sums);
	return waiting_ns;
}

/* ---- waits */

static bool is_for_an_end(const struct sync_row *row)
{
	return row->cause == CAUSE_JOIN || row->cause == CAUSE_PROCESS;
}

static char *cause_text(const struct run *run, const struct sync_row *row)
{
	if (!row->blame.count)
		return memory_copy_text("");
	return names_place_text(run->names, row->blame.rows[0].routine, row->blame.rows[0].line);
}

/* Returns the time of waits that are not also waits of the OpenMP runtime. */
static double add_waits(struct scaling_costs *costs, const struct run *run)
{
	const struct synchronization *all = &run->synchronization;
	double outside_ns = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *row = &all->rows[i];

		if (row->wait_ns <= row->requests_ns || is_for_an_end(row) ||
		    idle_whoever_waits(row->cause))
			continue;
		double wait_ns = fmax(0, (double)row->wait_ns - (double)row->requests_ns);

		if (row->cause != CAUSE_OPENMP)
			outside_ns += wait_ns;
		add(costs, COST_WAIT, figure_key_object(&all->objects[row->object]),
		    cause_text(run, row), wait_ns, 0);
	}
	return outside_ns;
}

/* The place with the most time in the call. */
static char *caller_text(const struct run *run, const struct mpi_site *call)
{
	const struct mpi_site_lists *lists = &run->mpi.lists;

	for (size_t i = 0; i < lists->site_count; i++)
		if (!strcmp(lists->sites[i].call, call->call))
			return names_place_text(run->names, lists->sites[i].routine,
						lists->sites[i].line);
	return memory_copy_text("");
}

static double add_mpi(struct scaling_costs *costs, const struct run *run)
{
	const struct mpi_site_lists *lists = &run->mpi.lists;
	double sum_ns = 0;

	for (size_t i = 0; i < lists->call_count; i++) {
		const struct mpi_site *call = &lists->calls[i];

		sum_ns += (double)call->figures.sum_ns;
		if (call->figures.sum_ns)
			add(costs, COST_MPI, memory_copy_text(call->call), caller_text(run, call),
			    (double)call->figures.sum_ns, 0);
	}
	return sum_ns;
}

static void add_regions(struct scaling_costs *costs, const struct run *run)
{
	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *row = &run->omp.regions.rows[i];
		double lost_ns = row->fork_ns + row->wait_ns + row->join_ns - row->lock_ns;

		add(costs, COST_REGION, figure_key_place(run->names, row->place.routine),
		    names_place_text(run->names, row->place.routine, row->place.line),
		    fmax(0, lost_ns), 0);
	}
}

/* ---- threads */

static void add_time(struct thread_time *sum, const struct thread_time *time)
{
	sum->lifetime_ns += time->lifetime_ns;
	sum->ready_ns += time->ready_ns;
	sum->omp_ns += time->omp_ns;
	for (size_t i = 0; i < CAUSE_LIMIT; i++)
		sum->by_cause_ns[i] += time->by_cause_ns[i];
	for (size_t i = 0; i < CAUSE_LIMIT; i++)
		sum->requests_ns[i] += time->requests_ns[i];
}

/* Without rows of threads, the sum of a process includes helpers of the MPI library, which are
 * blocked all their lives. The accumulator of ranks has left them out. */
static struct thread_time sum_of_rank(const struct process *process, const struct mpi_rank *rank)
{
	struct thread_time sum = process->sum;
	uint64_t waits_ns = 0;

	for (size_t cause = 1; cause < CAUSE_COUNT; cause++)
		waits_ns += cause == CAUSE_MPI ? 0 : sum.by_cause_ns[cause];
	sum.by_cause_ns[CAUSE_OTHER] = rank->wait_ns > waits_ns ? rank->wait_ns - waits_ns : 0;
	sum.ready_ns = rank->ready_ns;
	sum.lifetime_ns = rank->units * (rank->end_ns - rank->start_ns);
	return sum;
}

static void add_process(struct thread_time *sum, const struct run *run,
			const struct process *process)
{
	if (!process->threads && !run->mpi.ranks.count)
		add_time(sum, &process->sum);
	for (size_t i = 0; i < process->thread_count; i++)
		if (scaling_is_program(run, process, &process->threads[i]))
			add_time(sum, &process->threads[i]);
}

/* The sum of all threads that execute the program. */
static struct thread_time sum_threads(const struct run *run)
{
	struct thread_time sum = {0};

	for (size_t i = 0; i < run->process_count; i++)
		add_process(&sum, run, &run->processes[i]);
	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		const struct mpi_rank *rank = &run->mpi.ranks.rows[i];
		const struct process *process = &run->processes[rank->process];

		if (process->threads)
			continue;
		struct thread_time part = sum_of_rank(process, rank);

		add_time(&sum, &part);
	}
	return sum;
}

static double blocked_in_waits(const struct thread_time *sum)
{
	double blocked_ns = 0;

	for (size_t cause = 1; cause < CAUSE_COUNT; cause++)
		if (cause != CAUSE_JOIN && cause != CAUSE_PROCESS)
			blocked_ns += (double)(sum->by_cause_ns[cause] -
					       idle_always_ns(sum, (enum cause)cause));
	return blocked_ns;
}

static double idle_of(const struct thread_time *sum)
{
	double idle_ns = 0;

	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		idle_ns += (double)idle_always_ns(sum, (enum cause)cause);
	return idle_ns;
}

/* A wait lasts until the thread runs again: its time is blocked, on a processor (polling), and
 * ready. This part of the ready time is in the waits already. */
static double ready_outside_waits(const struct thread_time *sum, double waits_ns, double polling_ns)
{
	double in_waits = waits_ns - blocked_in_waits(sum) - polling_ns;
	double ready_ns = (double)sum->ready_ns;

	return ready_ns - fmin(ready_ns, fmax(0, in_waits));
}

static void add_places(struct scaling_costs *costs, const struct run *run,
		       const struct thread_time *sum, double p, double processor_ns,
		       double alone_ns)
{
	double ending = (double)(sum->by_cause_ns[CAUSE_JOIN] + sum->by_cause_ns[CAUSE_PROCESS]);
	double empty_ns = fmax(0, processor_ns - ((double)sum->lifetime_ns - ending));
	double serial_ns;

	if (run->omp.is_used) {
		/* existing members wait for the next region: no place is empty */
		add_single(costs, COST_SERIAL, run->omp.totals.lost_serial_ns);
		return;
	}
	serial_ns = isfinite(alone_ns) ? fmin(empty_ns, (p - 1) * alone_ns) : 0;
	add_single(costs, COST_SERIAL, serial_ns);
	add_single(costs, COST_ABSENT, empty_ns - serial_ns);
}

static double sum_of(const struct scaling_costs *costs)
{
	double sum_ns = 0;

	for (size_t i = 0; i < costs->count; i++)
		sum_ns += costs->rows[i].time_ns;
	return sum_ns;
}

struct scaling_costs scaling_costs_of(const struct run *run, double p, double processor_ns,
				      double alone_ns)
{
	struct thread_time threads = sum_threads(run);
	struct scaling_costs costs = {0};
	double polling_ns = add_routines(&costs, run);
	double waits_ns = add_waits(&costs, run) + add_mpi(&costs, run) + (double)threads.omp_ns;

	add_regions(&costs, run);
	add_places(&costs, run, &threads, p, processor_ns, alone_ns);
	add_single(&costs, COST_BLOCKED, (double)threads.by_cause_ns[CAUSE_OTHER]);
	add_single(&costs, COST_IDLE, idle_of(&threads));
	add_single(&costs, COST_READY, ready_outside_waits(&threads, waits_ns, polling_ns));
	add_single(&costs, COST_REST, processor_ns - sum_of(&costs));
	unite(&costs);
	return costs;
}

void scaling_costs_clear(struct scaling_costs *costs)
{
	for (size_t i = 0; i < costs->count; i++) {
		free(costs->rows[i].key);
		free(costs->rows[i].place);
	}
	free(costs->rows);
	*costs = (struct scaling_costs){0};
}

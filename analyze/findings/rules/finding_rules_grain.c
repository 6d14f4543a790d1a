/* SPDX-License-Identifier: MIT */
/* Rules on granularity: pieces of work so small that their overhead counts; and on samples so few
 * that figures are weak. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_called.h"
#include "analyze/findings/where/finding_callers.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads */

struct lives {
	double count, life_ns;
};

static struct lives short_lives(const struct process *process)
{
	struct lives sum = {0};

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		double lives = time->thread->lives ? (double)time->thread->lives : 1;
		bool is_first = time->thread->flags & THREAD_FIRST;

		if (is_first || (double)time->lifetime_ns >= finding_limits.short_life * lives)
			continue;
		sum.count += lives;
		sum.life_ns += (double)time->lifetime_ns;
	}
	return sum;
}

/* Joined threads are named after their start routine. */
static void add_start_routine(struct finding *finding, const struct run *run)
{
	const struct synchronization *all = &run->synchronization;
	struct finding_shares objects = {0};

	for (size_t i = 0; i < all->count; i++)
		if (all->rows[i].operation == OP_JOIN)
			finding_shares_add(&objects, all->rows[i].object, 0,
					   (double)all->rows[i].count);
	finding_add_shared_object(finding, run, &objects);
}

static struct lives short_lives_of(const struct run *run)
{
	struct lives sum = {0};

	for (size_t i = 0; i < run->process_count; i++) {
		struct lives lives = short_lives(&run->processes[i]);

		sum.count += lives.count;
		sum.life_ns += lives.life_ns;
	}
	return sum;
}

/* The frames of a thread that starts or ends have no user's routine above them. */
static bool is_thread_call(const char *name)
{
	return strstr(name, "pthread_create") || strstr(name, "pthread_join") ||
	       strstr(name, "pthread_clockjoin") || !strcmp(name, "start_thread");
}

/* The cost of one of them: what starting and joining is known to take at least or, if that is more,
 * the process's system time per thread, as threads that meet in the kernel take longer; up to
 * thread_most. Or what samples found in these calls. */
static double price_ns(const struct run *run, const struct lives *lives)
{
	double system_ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		if (short_lives(&run->processes[i]).count > 0)
			system_ns += (double)run->processes[i].sum.system_ns;
	double count = fmax(1, lives->count);
	double guess_ns = fmin(fmax(finding_limits.thread_start, system_ns / count),
			       finding_limits.thread_most);

	return fmax(guess_ns, finding_sampled_ns(run, is_thread_call, false) / count);
}

double finding_short_threads_ns(const struct run *run)
{
	struct lives lives = short_lives_of(run);

	return lives.count * price_ns(run, &lives);
}

/* While a thread starts and joins another one it does no work itself, and no other thread gets the
 * work that is to come: of the other processors those are idle that are idle on average. What the
 * new thread needs for its own start and end is on one of these, or is used time. */
static double stake_of_starting(const struct run *run, struct finding *finding)
{
	double others = run->processors > 1 ? (double)(run->processors - 1) : 0;
	double idle = others * finding_idle_share(run);
	double ns = finding_short_threads_ns(run);
	const struct finding_loss loss = {
		.idle_ns = ns * idle, .work_ns = ns, .longest_ns = ns, .cause_ns = ns};

	return finding_stake(run, finding, &loss);
}

double judge_short_threads(const struct run *run, struct finding *finding)
{
	struct lives sum = short_lives_of(run);

	if (sum.count < finding_limits.short_lives)
		return NAN;
	finding->evidence = memory_print(
		"%.0f threads that lived for %s on average; to start and join them takes "
		"about %s, %s each, in which %s of the other processors' time is idle",
		sum.count, quantity_seconds(sum.life_ns / sum.count).text,
		quantity_seconds(finding_short_threads_ns(run)).text,
		quantity_seconds(finding_short_threads_ns(run) / sum.count).text,
		quantity_percent(100 * finding_idle_share(run)).text);
	finding->grade = GRADE_ESTIMATED;
	add_start_routine(finding, run);
	return stake_of_starting(run, finding);
}

/* ---- locks that nobody else had */

static bool is_taking(const struct sync_row *row)
{
	switch (row->operation) {
	case OP_MUTEX_LOCK:
	case OP_MUTEX_TRYLOCK:
	case OP_MUTEX_TIMEDLOCK:
	case OP_RWLOCK_READ:
	case OP_RWLOCK_WRITE:
	case OP_RWLOCK_TIMEDREAD:
	case OP_RWLOCK_TIMEDWRITE:
	case OP_RWLOCK_TRYREAD:
	case OP_RWLOCK_TRYWRITE:
	case OP_SPIN_LOCK:
	case OP_SPIN_TRYLOCK:
		return true;
	default:
		return false;
	}
}

static double free_takes(const struct sync_row *row)
{
	return is_taking(row) && row->count > row->contended ? (double)(row->count - row->contended)
							     : 0;
}

/* The routines of locks. What the profiler does at a lock is no part of its price, and what it does
 * elsewhere is at no lock. */
static bool is_locking(const struct routine *routine)
{
	return strstr(routine->name, "pthread_mutex_") || strstr(routine->name, "pthread_spin_") ||
	       strstr(routine->name, "pthread_rwlock_") || strstr(routine->name, "lll_mutex_");
}

/* The node of the user's routine that takes the lock; 0: no lock at the end of the path. */
static size_t locking_node(const struct run *run, size_t node)
{
	const struct path_node *nodes = run->paths.nodes;

	if (nodes[node].kind != PATH_CODE ||
	    !is_locking(names_routine(run->names, nodes[node].routine)))
		return 0;
	for (; node; node = nodes[node].parent) {
		const struct routine *routine = names_routine(run->names, nodes[node].routine);

		if (*routine->module && !routine->is_runtime && !is_locking(routine))
			return node;
	}
	return 0;
}

/* Uncontended lock operations have no call paths, but samples in them do. Returns the CPU time of
 * these samples. */
static double tell_where(struct finding *finding, const struct run *run)
{
	struct finding_callers callers = {0};
	double sum_ns = 0;

	for (size_t i = 1; i < run->paths.count; i++) {
		size_t node = locking_node(run, i);
		/* who goes to sleep, or wakes others, has no free lock */
		const struct path_figures *self = &run->paths.nodes[i].self;
		double ns =
			(double)self->cpu_ns - (double)self->within_ns - (double)self->waking_ns;

		if (!node || !(ns > 0))
			continue;
		finding_callers_add(&callers, run->paths.nodes, node, ns);
		sum_ns += ns;
	}
	finding_callers_tell(&callers, run, finding);
	finding_callers_clear(&callers);
	return sum_ns;
}

/* The time that lock operations took: what samples found in them, without spinning; no less than
 * they take if their memory is in the processor's own cache, and no more than if it is in another
 * one's. */
static double price_of_pairs(const struct run *run, double pairs, double sampled_ns)
{
	double least_ns = finding_limits.lock_pair * pairs;
	double most_ns = finding_limits.omp_line * pairs;
	double waited_ns = (double)run->synchronization.wait_ns_by_cause[CAUSE_SPINLOCK];
	double work_ns = sampled_ns - finding_spun_ns(run, waited_ns);

	return fmin(fmax(least_ns, fmin(work_ns, most_ns)), (double)run->cpu_ns);
}

/* At most the CPU time of the run. */
double judge_fine_locks(const struct run *run, struct finding *finding)
{
	const struct synchronization *all = &run->synchronization;
	const struct sync_row *most = NULL;
	struct finding_shares objects = {0};
	double pairs = 0;

	for (size_t i = 0; run->cpu_ns && i < all->count; i++) {
		double takes = free_takes(&all->rows[i]);

		pairs += takes;
		finding_shares_add(&objects, all->rows[i].object, 0, takes);
		if (takes > 0 && (!most || takes > free_takes(most)))
			most = &all->rows[i];
	}
	if (!most)
		return NAN;
	double cost_ns = price_of_pairs(run, pairs, tell_where(finding, run));
	const char *name = all->names[most->object];

	finding->evidence = memory_print(
		"%s times a lock was taken and given back that nobody else had, %s a second of "
		"CPU time, most of them %s; at about %s each that is %s",
		quantity_count(pairs).text, quantity_rate(pairs / (double)run->cpu_ns * 1e9).text,
		name, quantity_seconds(cost_ns / pairs).text, quantity_seconds(cost_ns).text);
	finding->grade = GRADE_ESTIMATED;
	finding_add_shared_object(finding, run, &objects);
	const struct finding_loss loss = {.work_ns = cost_ns};

	return finding_stake(run, finding, &loss);
}

/* ---- samples */

/* The error of a tenth of the time is that of a tenth of the samples. */
double judge_few_samples(const struct run *run, struct finding *finding)
{
	double samples = 0;

	for (size_t i = 0; i < run->routines.count; i++)
		samples += (double)run->routines.rows[i].samples;
	if (samples >= finding_limits.samples || !run->cpu_ns)
		return NAN;
	if (samples > 0) {
		double error = 100 / sqrt(samples);

		finding->evidence = memory_print(
			"%.0f sample%s of %s of CPU time: times of routines are known to %s "
			"at best, that of a routine with a tenth of them to %s",
			samples, samples > 1 ? "s" : "", quantity_seconds(run->cpu_ns).text,
			quantity_percent(error).text,
			quantity_percent(fmin(100, 100 / sqrt(samples / 10))).text);
		return error;
	}
	finding->title = "no samples";
	finding->evidence = memory_print("none of %s of CPU time: no routine is known",
					 quantity_seconds(run->cpu_ns).text);
	return 100;
}

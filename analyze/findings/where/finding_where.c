/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_where.h"

#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"
#include "analyze/model/threads/thread_role.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool finding_add_step(struct finding *finding, enum finding_level level, char *name, double part,
		      double whole, size_t among)
{
	if (finding->step_count == FINDING_STEPS_MAX || !(whole > 0) || !(part > 0)) {
		free(name);
		return false;
	}
	struct finding_step *step = &finding->steps[finding->step_count++];

	*step = (struct finding_step){.level = level,
				      .name = name,
				      .share_percent = fmin(100, 100 * part / whole),
				      .among = among};
	step->is_single = step->share_percent >= 100 * finding_limits.most;
	return step->is_single;
}

bool finding_add_place(struct finding *finding, enum finding_level level, const struct run *run,
		       const struct merged_place *place, double part, double whole, size_t among)
{
	size_t before = finding->step_count;
	bool is_single = finding_add_step(finding, level,
					  names_place_text(run->names, place->routine, place->line),
					  part, whole, among);

	if (finding->step_count > before) {
		finding->steps[before].has_place = true;
		finding->steps[before].routine = place->routine;
		finding->steps[before].line = place->line;
	}
	return is_single;
}

bool finding_add_routine(struct finding *finding, const struct run *run, size_t routine,
			 unsigned line, double part, double whole, size_t among)
{
	const struct merged_place place = {routine, line};

	return finding_add_place(finding, FINDING_ROUTINE, run, &place, part, whole, among);
}

/* ---- processes and threads */

static void add_waiter(struct finding_waiters *sum, const struct thread_time *time, unsigned causes)
{
	double blocked_ns = finding_blocked_ns(time, causes);

	if (!(blocked_ns > 0))
		return;
	sum->blocked_ns += blocked_ns;
	sum->ready_ns += (double)time->ready_ns;
	sum->grade = grade_worse(sum->grade, time->blocked_grade);
}

/* Nobody was blocked: who waited was on a processor or ready meanwhile, and may be any of them. */
static double all_ready_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		ns += finding_working_ns(&run->processes[i], finding_ready_ns, 0);
	return ns;
}

struct finding_waiters finding_waiters_of(const struct run *run, unsigned causes)
{
	struct finding_waiters sum = {.grade = GRADE_EXACT};

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		double busiest = idle_busiest_ns(process);

		if (!process->threads)
			add_waiter(&sum, &process->sum, causes);
		for (size_t j = 0; process->threads && j < process->thread_count; j++)
			if (!idle_thread(&process->threads[j], busiest))
				add_waiter(&sum, &process->threads[j], causes);
	}
	if (sum.blocked_ns > 0)
		return sum;
	sum.ready_ns = all_ready_ns(run);
	sum.grade = GRADE_ESTIMATED;
	return sum;
}

double finding_lost_of(const struct finding_waiters *waiters, double blocked_ns, double wait_ns)
{
	return fmin(wait_ns, fmax(blocked_ns, wait_ns - waiters->ready_ns));
}

/* The program's name represents its whole command. */
static char *process_name(const struct run *run, const struct process *process)
{
	const char *command =
		process->file->process.command ? process->file->process.command : run->command;
	int length = (int)strcspn(command, " ");

	if (process->rank != MPI_NO_RANK)
		return memory_print("%llu", (unsigned long long)process->rank);
	return memory_print("%u (%.*s)", process->file->header.pid, length, command);
}

static char *thread_name(const struct thread_time *time)
{
	return thread_label(time->thread->tid, time->shown_name);
}

static size_t count_threads(const struct process *process, finding_time_of time_ns, unsigned causes,
			    double least)
{
	double busiest = idle_busiest_ns(process);
	size_t count = 0;

	for (size_t i = 0; i < process->thread_count; i++)
		count += !idle_thread(&process->threads[i], busiest) &&
			 time_ns(&process->threads[i], causes) >= least;
	return count;
}

static void add_thread(struct finding *finding, const struct process *process, double whole,
		       finding_time_of time_ns, unsigned causes)
{
	double busiest = idle_busiest_ns(process);
	const struct thread_time *most = NULL;
	double most_ns = 0;

	for (size_t i = 0; i < process->thread_count; i++) {
		double ns = time_ns(&process->threads[i], causes);

		if (ns <= most_ns || process->threads[i].thread->lives > 1 ||
		    idle_thread(&process->threads[i], busiest))
			continue;
		most_ns = ns;
		most = &process->threads[i];
	}
	size_t among = count_threads(process, time_ns, causes, finding_limits.part * most_ns);

	/* it is not known to which of the threads that share a row the time belongs */
	if (most && process->thread_count > 1 &&
	    (among > 1 || most_ns >= finding_limits.most * whole))
		finding_add_step(finding, FINDING_THREAD, thread_name(most), most_ns, whole, among);
}

static size_t count_processes(const struct run *run, finding_time_of time_ns, unsigned causes,
			      double least)
{
	size_t count = 0;

	for (size_t i = 0; i < run->process_count; i++)
		count += finding_working_ns(&run->processes[i], time_ns, causes) >= least;
	return count;
}

void finding_add_threads(struct finding *finding, const struct run *run, finding_time_of time_ns,
			 unsigned causes)
{
	const struct process *most = NULL;
	double most_ns = 0, whole = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		double ns = finding_working_ns(&run->processes[i], time_ns, causes);

		whole += ns;
		if (ns <= most_ns)
			continue;
		most_ns = ns;
		most = &run->processes[i];
	}
	if (!most)
		return;
	bool is_rank = most->rank != MPI_NO_RANK;
	size_t among = count_processes(run, time_ns, causes, finding_limits.part * most_ns);

	if (run->process_count == 1 ||
	    finding_add_step(finding, is_rank ? FINDING_RANK : FINDING_PROCESS,
			     process_name(run, most), most_ns, whole, among))
		add_thread(finding, most, whole, time_ns, causes);
}

/* ---- objects, and the code that waited for them */

void finding_tell_object(struct finding *finding, size_t object)
{
	finding->objects = memory_grow(finding->objects, finding->object_count,
				       &finding->object_capacity, sizeof *finding->objects);
	finding->objects[finding->object_count++] = object;
}

const struct thread_time *finding_thread_of(const struct process *process, uint64_t tid)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].thread && process->threads[i].thread->tid == tid)
			return &process->threads[i];
	return NULL;
}

bool finding_is_code(const struct run *run, size_t routine)
{
	return *names_routine(run->names, routine)->name != '[';
}

void finding_share_place(struct finding_shares *shares, const struct run *run, size_t routine,
			 unsigned line, double part)
{
	if (finding_is_code(run, routine))
		finding_shares_add(shares, routine, line, part);
}

void finding_add_shared_routine(struct finding *finding, const struct run *run,
				struct finding_shares *routines, double whole)
{
	struct finding_most most = finding_shares_most(routines);

	if (most.among)
		finding_add_routine(finding, run, most.key, most.line, most.part, whole,
				    most.among);
}

void finding_add_shared_object(struct finding *finding, const struct run *run,
			       struct finding_shares *objects)
{
	const struct synchronization *all = &run->synchronization;
	struct finding_most most = finding_shares_most(objects);

	if (!most.among)
		return;
	bool is_call = !strcmp(all->objects[most.key].kind, "call");

	finding_add_step(finding, is_call ? FINDING_CALL : FINDING_OBJECT,
			 memory_copy_text(all->names[most.key]), most.part, most.whole, most.among);
}

void finding_add_objects(struct finding *finding, const struct run *run,
			 bool (*is_of)(const struct run *run, const struct sync_row *row,
				       unsigned causes),
			 unsigned causes)
{
	const struct synchronization *all = &run->synchronization;
	struct finding_shares routines = {0}, objects = {0};
	double whole = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *row = &all->rows[i];

		if (!is_of(run, row, causes))
			continue;
		whole += (double)sync_row_working_ns(row);
		finding_shares_add(&objects, row->object, 0, (double)sync_row_working_ns(row));
		for (size_t j = 0; j < row->waiters.count; j++)
			finding_share_place(&routines, run, row->waiters.rows[j].routine,
					    row->waiters.rows[j].line,
					    (double)sync_site_working_ns(&row->waiters.rows[j]));
	}
	finding_add_shared_routine(finding, run, &routines, whole);
	finding_add_shared_object(finding, run, &objects);
}

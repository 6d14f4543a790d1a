/* SPDX-License-Identifier: MIT */
/* What each stage did with its time. */
#include "analyze/model/pipelines/pipelines_parts.h"
#include "analyze/model/process/process.h"

#include <math.h>

double stage_flow_wait_ns(const struct stage *stage, const struct pipe_end *end,
			  enum pipe_direction direction)
{
	const struct pipe_flow *flow = &end->flows[direction];

	if (!flow->life_ns)
		return 0;
	return stage->elapsed_ns * stage->blocked[direction] *
	       fmin(1, (double)flow->wait_ns / (double)flow->life_ns);
}

static bool has_one_thread(const struct process *process)
{
	return process->thread_lives <= 1;
}

/* Of one thread, waits at several ends add up. */
static void add_wait(double *sum_ns, double wait_ns, bool is_of_one_thread)
{
	*sum_ns = is_of_one_thread ? *sum_ns + wait_ns : fmax(*sum_ns, wait_ns);
}

static void add_side(struct pipelines *all, const struct connection_side *side, bool is_writer,
		     const struct process *processes, const size_t *stage_of)
{
	for (size_t i = 0; i < side->count; i++) {
		const struct pipe_end *end = &all->ends.rows[side->ends[i]];
		const struct process *process = &processes[end->process];
		struct stage *stage = &all->stages[stage_of[end->process] - 1];
		double wait_ns = stage_flow_wait_ns(stage, end, connection_direction(is_writer));

		add_wait(is_writer ? &stage->write_ns : &stage->read_ns, wait_ns,
			 has_one_thread(process));
	}
}

/* Of one thread it is known how much of its waits it was blocked: the rest it was ready. */
static void take_ready_out(struct stage *stage, const struct process *process)
{
	static const enum cause causes[] = {[PIPE_READ] = CAUSE_READ, [PIPE_WRITE] = CAUSE_WRITE};
	double *waits[] = {[PIPE_READ] = &stage->read_ns, [PIPE_WRITE] = &stage->write_ns};

	if (!has_one_thread(process))
		return;
	for (size_t i = 0; i < PIPE_DIRECTIONS; i++) {
		double blocked_ns = (double)process->sum.by_cause_ns[causes[i]];

		if (*waits[i] > blocked_ns)
			stage->blocked[i] = blocked_ns / *waits[i];
		*waits[i] = fmin(*waits[i], blocked_ns);
	}
}

/* ---- what is not at ends */

static double share_of_events(const struct thread_time *time)
{
	double waits =
		(double)time->by_cause_ns[CAUSE_EVENTS] + (double)time->by_cause_ns[CAUSE_ACCEPT];

	return time->lifetime_ns ? waits / (double)time->lifetime_ns : 0;
}

/* NAN: the threads have no rows of their own. */
static double events_ns(const struct process *process)
{
	double most = 0;

	if (has_one_thread(process))
		return share_of_events(&process->sum) * (double)process->elapsed_ns;
	if (!process->threads)
		return NAN;
	for (size_t i = 0; i < process->thread_count; i++)
		most = fmax(most, share_of_events(&process->threads[i]));
	return most * (double)process->elapsed_ns;
}

static double io_ns(const struct process *process)
{
	static const enum cause causes[] = {CAUSE_READ, CAUSE_WRITE,     CAUSE_CONNECT, CAUSE_OPEN,
					    CAUSE_DISK, CAUSE_FILE_LOCK, CAUSE_IPC};
	double ns = 0;

	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		ns += (double)process->sum.by_cause_ns[causes[i]];
	return ns;
}

static double busy_ns(const struct process *process)
{
	if (has_one_thread(process))
		return fmin((double)process->cpu_ns, (double)process->elapsed_ns);
	return process->is_concurrency_known ? (double)process->executing_ns : NAN;
}

/* It was busy, or would have been, had there been a processor. */
static double wanting_ns(const struct stage *stage, const struct process *process)
{
	double busy_ns = isnan(stage->busy_ns) ? 0 : stage->busy_ns;
	double ready_ns = process->sum.is_ready_known ? (double)process->ready_ns : 0;

	return fmin(stage->elapsed_ns, busy_ns + ready_ns);
}

static void fill_rest(struct stage *stage, const struct process *process)
{
	double stages_ns = stage->read_ns + stage->write_ns;

	stage->wanting_ns = wanting_ns(stage, process);
	if (!has_one_thread(process)) {
		stage->ready_ns = stage->outside_ns = stage->other_ns = NAN;
		return;
	}
	stage->ready_ns = process->sum.is_ready_known ? (double)process->ready_ns : NAN;
	stage->outside_ns = fmax(0, io_ns(process) - stages_ns);
	double known = stage->busy_ns + stages_ns + stage->events_ns + stage->outside_ns +
		       (isnan(stage->ready_ns) ? 0 : stage->ready_ns);

	stage->other_ns = fmax(0, stage->elapsed_ns - known);
}

void pipelines_fill_stages(struct pipelines *all, const struct process *processes,
			   const size_t *stage_of)
{
	for (size_t i = 0; i < all->stage_count; i++) {
		struct stage *stage = &all->stages[i];
		const struct process *process = &processes[stage->process];

		stage->elapsed_ns = (double)process->elapsed_ns;
		stage->blocked[PIPE_READ] = stage->blocked[PIPE_WRITE] = 1;
		stage->grade = process->sum.blocked_grade;
		stage->busy_ns = busy_ns(process);
		stage->events_ns = events_ns(process);
	}
	for (size_t i = 0; i < all->connections.count; i++) {
		const struct connection *connection = &all->connections.rows[i];

		add_side(all, &connection->from, true, processes, stage_of);
		add_side(all, &connection->to, false, processes, stage_of);
	}
	for (size_t i = 0; i < all->stage_count; i++) {
		const struct process *process = &processes[all->stages[i].process];

		take_ready_out(&all->stages[i], process);
		fill_rest(&all->stages[i], process);
	}
}

/* SPDX-License-Identifier: MIT */
/* The rule on threads of low priority that others wait for. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_holders.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"
#include "analyze/model/threads/thread_role.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What another thread ends when it gets to it. Not the end of the thread itself, for which nobody
 * else's work waits; no input and output. */
#define WAITS                                                                                      \
	((unsigned)CAUSES_OF_LOCKS | FINDING_WOKEN | FINDING_CAUSE(BARRIER) | FINDING_CAUSE(ONCE))

/* Columns of a thread's row are 0 where nothing was read. Policies are Linux's, whatever this
 * machine calls them. */
enum {
	NICE_0 = 21,
	NICE_IDLE = 20,
	POLICY_0 = 1,
	POLICY_FIFO = 1,
	POLICY_RR = 2,
	POLICY_IDLE = 5,
	POLICY_DEADLINE = 6
};

struct low {
	const struct process *process;
	const struct thread_time *time; /* NULL: there is none */
	size_t routine;                 /* the first one of the user's that it runs */
	double share;                   /* of the threads that run it: so many are low */
	double waited_ns;               /* by others, for what that routine and its callees had */
	double ready_ns; /* beyond what it would have been with the others' priority */
};

/* ---- who gives way to whom */

static bool is_known(const struct profile_thread *row)
{
	return row->nice && row->policy;
}

/* Higher gives way to lower: real-time threads to nobody, those that run when nobody else does to
 * all. */
static int way_of(const struct profile_thread *row)
{
	int policy = (int)row->policy - POLICY_0;

	if (policy == POLICY_FIFO || policy == POLICY_RR || policy == POLICY_DEADLINE)
		return -NICE_0;
	return policy == POLICY_IDLE ? NICE_IDLE : (int)row->nice - NICE_0;
}

static bool is_working(const struct thread_time *time, double busiest)
{
	return is_known(time->thread) && !idle_thread(time, busiest);
}

/* Of the threads that work. */
static int least_way(const struct process *process, double busiest)
{
	int least = NICE_IDLE;

	for (size_t i = 0; i < process->thread_count; i++)
		if (is_working(&process->threads[i], busiest) &&
		    way_of(process->threads[i].thread) < least)
			least = way_of(process->threads[i].thread);
	return least;
}

/* Threads of one role may have several priorities. */
static double low_share(const struct process *process, const char *role, int least)
{
	double all = 0, low = 0;

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];

		if (!time->role || strcmp(time->role, role) || !is_known(time->thread))
			continue;
		all++;
		low += way_of(time->thread) > least;
	}
	return all > 0 ? low / all : 0;
}

/* ---- who waits for it */

/* Routines that samples found to be the role's, or called by it, and by nobody else: what is
 * charged to others need not be the role's. */
struct below {
	bool *is_below; /* by number */
	size_t count, role;
};

static struct below below_of(const struct run *run, const char *role)
{
	const struct path_tree *paths = &run->paths;
	bool *is_in = memory_allocate(paths->count + 1, sizeof *is_in);
	struct below below = {0};

	for (size_t i = 0; i < paths->count; i++)
		if (paths->nodes[i].routine >= below.count)
			below.count = paths->nodes[i].routine + 1;
	bool *is_elsewhere = memory_allocate(below.count + 1, sizeof *is_elsewhere);

	below.is_below = memory_allocate(below.count + 1, sizeof *below.is_below);
	for (size_t i = 1; i < paths->count; i++) { /* parents come first */
		const struct path_node *node = &paths->nodes[i];
		bool is_role = !strcmp(names_routine(run->names, node->routine)->name, role);

		is_in[i] = is_role || is_in[node->parent];
		below.is_below[node->routine] |= is_in[i];
		is_elsewhere[node->routine] |= !is_in[i];
		below.role = is_role ? node->routine : below.role;
	}
	for (size_t i = 0; i < below.count; i++)
		below.is_below[i] &= !is_elsewhere[i];
	free(is_elsewhere);
	free(is_in);
	return below;
}

static double blamed_ns(const struct sync_row *row, const struct below *below)
{
	double ns = 0;

	for (size_t i = 0; i < row->blame.count; i++) {
		size_t routine = row->blame.rows[i].routine;

		if (routine < below->count && below->is_below[routine])
			ns += (double)row->blame.rows[i].time_ns;
	}
	return ns;
}

static void find_waits(const struct run *run, struct low *low)
{
	struct below below = below_of(run, low->time->role);

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (WAITS & 1u << row->cause && !(finding_asleep_holding_ns(run, row) > 0))
			low->waited_ns += low->share * blamed_ns(row, &below);
	}
	low->routine = below.role;
	free(below.is_below);
}

/* ---- the rule */

static double lost_ns(const struct low *low)
{
	return fmin(low->waited_ns, low->ready_ns);
}

/* With the priority of the others it would have been ready as they were, for the same CPU time. */
static double longer_ready_ns(const struct process *process, const struct thread_time *low,
			      double busiest)
{
	double cpu_ns = 0, ready_ns = 0;

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];

		if (!is_working(time, busiest) || way_of(time->thread) >= way_of(low->thread))
			continue;
		cpu_ns += (double)thread_time_cpu(time);
		ready_ns += (double)time->ready_ns;
	}
	double alike_ns = cpu_ns > 0 ? (double)thread_time_cpu(low) * ready_ns / cpu_ns : 0;

	return fmax(0, (double)low->ready_ns - alike_ns);
}

static void look_at(const struct run *run, const struct process *process, struct low *most)
{
	double busiest = idle_busiest_ns(process);
	int least = least_way(process, busiest);

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		struct low low = {.process = process, .time = time};

		if (!time->role || !time->ready_ns || !is_known(time->thread) ||
		    way_of(time->thread) <= least)
			continue;
		low.ready_ns = longer_ready_ns(process, time, busiest);
		if (low.ready_ns < finding_limits.ready_elapsed * (double)run->elapsed_ns ||
		    low.ready_ns <= lost_ns(most))
			continue; /* no more can be lost */
		low.share = low_share(process, time->role, least);
		find_waits(run, &low);
		if (lost_ns(&low) > lost_ns(most))
			*most = low;
	}
}

static char *priority_text(const struct profile_thread *row)
{
	return (int)row->policy - POLICY_0 == POLICY_IDLE
		       ? memory_copy_text("SCHED_IDLE")
		       : memory_print("nice %d", (int)row->nice - NICE_0);
}

static void tell(const struct run *run, struct finding *finding, const struct low *low)
{
	char *priority = priority_text(low->time->thread);

	finding->evidence = memory_print(
		"thread %llu (%s) has %s and others of its process come first: it was ready for "
		"%s longer than they; others waited %s for what it had or was to do",
		(unsigned long long)low->time->thread->tid, low->time->role, priority,
		quantity_seconds(low->ready_ns).text, quantity_seconds(low->waited_ns).text);
	free(priority);
	finding->grade = GRADE_ESTIMATED;
	finding_add_step(finding, FINDING_THREAD,
			 thread_label(low->time->thread->tid, low->time->role), 1, 1, 1);
	finding_add_routine(finding, run, low->routine, 0, 1, 1, 1);
}

double judge_low_priority(const struct run *run, struct finding *finding)
{
	struct low low = {0};

	for (size_t i = 0; i < run->process_count; i++)
		look_at(run, &run->processes[i], &low);
	if (!(lost_ns(&low) > 0))
		return NAN;
	tell(run, finding, &low);
	finding_add_ready_stake(run, finding, lost_ns(&low));
	return finding->elapsed_percent;
}

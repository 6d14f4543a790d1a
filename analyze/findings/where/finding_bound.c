/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_bound.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"
#include "analyze/model/run/run_others.h"

#include <math.h>

/* Is it bound to fewer processors than the process had at first (is_own), or to all of these, and
 * the machine has more? */
static bool is_bound(const struct process *process, const struct profile_thread *row, bool is_own)
{
	const struct profile_process *whole = &process->file->process;

	if (!row->processors)
		return false;
	return is_own ? row->processors < whole->processors
		      : row->processors == whole->processors &&
				row->processors < whole->processors_online;
}

static bool is_same(const struct profile_thread *one, const struct profile_thread *other)
{
	return one->processors == other->processors &&
	       one->processor_first == other->processor_first;
}

/* The first of them in the table stands for all. */
static bool is_leader(const struct process *process, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (is_same(process->threads[i].thread, process->threads[index].thread))
			return false;
	return true;
}

/* Without what it takes to go on when it is woken, on an idle processor, too. */
static double crowded_ns(const struct thread_time *time)
{
	double woken_ns = finding_limits.wake_up * (double)time->thread->voluntary_switches;

	return fmax(0, (double)time->ready_ns - woken_ns);
}

/* Part of a thread's waits that another thread ended for it alone: not those in which all meet, so
 * that they work at once in between, nor those that time ends. */
static double handed_part(const struct thread_time *time)
{
	static const enum cause others[] = {CAUSE_BARRIER, CAUSE_OPENMP, CAUSE_JOIN, CAUSE_SLEEP};
	double other_ns = 0, blocked_ns = (double)time->blocked_ns;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		other_ns += (double)time->by_cause_ns[others[i]];
	return other_ns < blocked_ns ? 1 - other_ns / blocked_ns : blocked_ns > 0 ? 0 : 1;
}

/* Who hands on to a thread that waits on the same processor often loses it to that one there and
 * then, and is ready until its turn is over, though all that is left to do is to wait as well. For
 * each time that one of them waited, another one may have been so for a slice of the kernel's. What
 * it would have done meanwhile nobody recorded. */
static double handing_ns(const struct thread_time *time)
{
	return finding_limits.slice * handed_part(time) * (double)time->thread->voluntary_switches;
}

static void add(struct finding_bound *group, const struct thread_time *time)
{
	group->at_once_ns -= handing_ns(time);
	group->threads += 2 * thread_joining_ns(time) < (double)time->lifetime_ns;
	group->cpu_ns += (double)thread_time_cpu(time);
	group->ready_ns += crowded_ns(time);
	group->wanting += fmax(0, (double)time->lifetime_ns - thread_joining_ns(time));
	if (time->role)
		group->role = time->role;
}

/* A thread that is ready because others of the group run is so while they have all processors of
 * the group; no more are ready than there are beyond these. Who only waits wants none, and who is
 * ready while other programs have the processors is not so because of the group. */
static void finish(struct finding_bound *group, double others_ns)
{
	double processors = (double)group->processors;
	double own_ready_ns = fmax(0, group->ready_ns - others_ns);

	group->wanting = fmin(group->wanting, group->cpu_ns + own_ready_ns) /
			 fmax(1, (double)group->process->elapsed_ns);
	double full_ns = group->cpu_ns / processors * fmax(0, group->wanting - processors);

	group->at_once_ns = fmin(fmax(0, group->ready_ns + group->at_once_ns), full_ns);
	group->ready_ns = fmin(group->ready_ns, full_ns);
}

static struct finding_bound group_of(const struct process *process, size_t leader, bool is_own,
				     double others_ns)
{
	const struct profile_thread *row = process->threads[leader].thread;
	struct finding_bound group = {.process = process,
				      .processors = row->processors,
				      .first = row->processor_first,
				      .is_own = is_own};
	double busiest = idle_busiest_ns(process);

	for (size_t i = 0; i < process->thread_count; i++)
		if (is_same(row, process->threads[i].thread) &&
		    !idle_thread(&process->threads[i], busiest))
			add(&group, &process->threads[i]);
	finish(&group, others_ns);
	return group;
}

/* Returns the ready time of all groups; `most`, if not NULL, is the one that could have run at once
 * for longest. */
static double look(const struct run *run, bool is_own, struct finding_bound *most)
{
	double ready_ns = 0, others_ns = run_others_ns(run);

	others_ns = isfinite(others_ns) ? others_ns : 0;
	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		for (size_t j = 0; j < process->thread_count; j++) {
			if (!is_bound(process, process->threads[j].thread, is_own) ||
			    !is_leader(process, j))
				continue;
			struct finding_bound group = group_of(process, j, is_own, others_ns);

			ready_ns += group.ready_ns;
			if (most && group.at_once_ns > most->at_once_ns)
				*most = group;
		}
	}
	return ready_ns;
}

struct finding_bound finding_bound_most(const struct run *run, bool is_own)
{
	struct finding_bound most = {0};

	look(run, is_own, &most);
	return most;
}

double finding_bound_ready_ns(const struct run *run)
{
	return look(run, true, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/imbalance.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/process/process.h"
#include "analyze/model/threads/thread_role.h"

#include <math.h>
#include <stdlib.h>

/* The threads of a process grouped by role: role_of has the routine of the role + 1 for each; 0: in
 * no group. */
struct groups {
	const struct process *process;
	size_t *role_of;
};

static double excess_of(const struct groups *groups, size_t role, double mean_ns)
{
	double excess_ns = 0;

	for (size_t i = 0; i < groups->process->thread_count; i++) {
		double worked = (double)thread_time_worked(&groups->process->threads[i]);

		if (groups->role_of[i] == role && worked > mean_ns)
			excess_ns += worked - mean_ns;
	}
	return excess_ns;
}

/* A thread that waits for a lock, or for a processor, wants to work. If work is shared out on
 * demand, a thread that gets a mutex more often does more of it, and no more is lost by that than
 * the mutex accounts for. */
static double in_locks(const struct thread_time *time)
{
	return (double)(time->by_cause_ns[CAUSE_MUTEX] + time->by_cause_ns[CAUSE_RWLOCK] +
			time->by_cause_ns[CAUSE_SPINLOCK]);
}

/* Whose share is given before, and who has no processor for it, goes on when the thread with the
 * most work has ended: of work that is shared out on demand nothing would be left by then. */
static bool has_given_share(const struct thread_time *time, const struct thread_time *longest)
{
	uint64_t end_ns = longest->thread->updated_ns;

	return !(longest->thread->flags & THREAD_ALIVE) &&
	       time->thread->updated_ns > end_ns + longest->lifetime_ns / 10;
}

/* Beyond the longest thread, at most the work that it had more. */
static double kept_from_work(const struct thread_time *time, const struct thread_time *longest)
{
	double missing_ns = (double)thread_time_worked(longest) - (double)thread_time_worked(time);
	double locks_ns = in_locks(time) - in_locks(longest);
	double ready_ns = (double)time->ready_ns - (double)longest->ready_ns;

	if (has_given_share(time, longest))
		ready_ns = fmin(0, ready_ns);
	return fmin(missing_ns, fmax(0, locks_ns + ready_ns));
}

static double kept_of(const struct groups *groups, size_t role, const struct thread_time *longest)
{
	double kept_ns = 0;

	for (size_t i = 0; i < groups->process->thread_count; i++)
		if (groups->role_of[i] == role)
			kept_ns += kept_from_work(&groups->process->threads[i], longest);
	return kept_ns;
}

static struct imbalance group_of(const struct groups *groups, size_t role)
{
	const struct thread_time *longest = NULL;
	struct imbalance group = {0};

	for (size_t i = 0; i < groups->process->thread_count; i++) {
		const struct thread_time *time = &groups->process->threads[i];
		double worked = (double)thread_time_worked(time);

		if (groups->role_of[i] != role)
			continue;
		group.sum_ns += worked;
		if (!group.count++ || worked > group.max_ns) {
			longest = time;
			group.max_ns = worked;
			group.longest_tid = time->thread->tid;
			group.longest_name = time->shown_name;
		}
	}
	if (group.count < 2)
		return group;
	group.excess_ns = excess_of(groups, role, group.sum_ns / (double)group.count);
	group.kept_ns = kept_of(groups, role, longest);
	group.lost_ns = group.max_ns * (double)group.count - group.sum_ns - group.kept_ns;
	return group;
}

/* How evenly OpenMP teams work is reported region by region. The first thread has no group. */
static bool is_in_group(const struct thread_time *time, double busiest_ns)
{
	const struct profile_thread *thread = time->thread;

	return thread->start && !(thread->flags & THREAD_OF_OPENMP) && thread->lives <= 1 &&
	       !idle_thread(time, busiest_ns);
}

struct imbalance imbalance_of(struct names *names, const struct profile *profile,
			      const struct process *process)
{
	struct groups groups = {process,
				memory_allocate(process->thread_count, sizeof *groups.role_of)};
	double busiest_ns = idle_busiest_ns(process);
	struct imbalance worst = {0};

	for (size_t i = 0; i < process->thread_count; i++)
		if (is_in_group(&process->threads[i], busiest_ns))
			groups.role_of[i] =
				1 + thread_role_of(names, profile, process->threads[i].index)
					    .frame.routine;
	for (size_t i = 0; i < process->thread_count; i++) {
		struct imbalance group = groups.role_of[i] ? group_of(&groups, groups.role_of[i])
							   : (struct imbalance){0};

		if (group.lost_ns <= worst.lost_ns)
			continue;
		worst = group;
		struct frame start =
			thread_role_of(names, profile, process->threads[i].index).frame;

		worst.start = (struct merged_place){start.routine, start.line};
	}
	free(groups.role_of);
	return worst;
}

double imbalance_uneven_ns(const struct imbalance *group)
{
	return group->count
		       ? group->max_ns - (group->sum_ns + group->kept_ns) / (double)group->count
		       : 0;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/imbalance.h"

#include "analyze/model/finding_limits.h"
#include "analyze/model/process.h"

/* A thread that is woken for next to nothing has another task, although it may have been started
 * through the same routine: thread libraries start all threads through one of their own. */
static bool is_idle(const struct thread_time *time)
{
	double waits_ns = (double)time->by_cause_ns[CAUSE_CONDITION] +
			  (double)time->by_cause_ns[CAUSE_SEMAPHORE];

	double able_ns = (double)time->lifetime_ns - (double)time->ready_ns;

	return waits_ns > 0 && waits_ns > finding_limits.idle_life * able_ns;
}

static bool is_in_group(const struct thread_time *time, uint64_t start)
{
	return time->thread->start == start && time->thread->lives <= 1 && !is_idle(time);
}

static double excess_of(const struct process *process, uint64_t start, double mean_ns)
{
	double excess_ns = 0;

	for (size_t i = 0; i < process->thread_count; i++) {
		double cpu = (double)thread_time_cpu(&process->threads[i]);

		if (is_in_group(&process->threads[i], start) && cpu > mean_ns)
			excess_ns += cpu - mean_ns;
	}
	return excess_ns;
}

static struct imbalance group_of(const struct process *process, uint64_t start)
{
	struct imbalance group = {0};

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		double cpu = (double)thread_time_cpu(time);

		if (!is_in_group(time, start))
			continue;
		group.sum_ns += cpu;
		if (!group.count++ || cpu > group.max_ns) {
			group.max_ns = cpu;
			group.longest_tid = time->thread->tid;
		}
	}
	if (group.count < 2)
		return group;
	group.excess_ns = excess_of(process, start, group.sum_ns / (double)group.count);
	group.lost_ns = group.max_ns * (double)group.count - group.sum_ns;
	return group;
}

struct imbalance imbalance_of(struct names *names, const struct profile *profile,
			      const struct process *process)
{
	struct imbalance worst = {0};
	uint64_t worst_start = 0;

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct profile_thread *thread = process->threads[i].thread;
		uint64_t start = thread->start;
		/* how even the work of OpenMP's teams is, is said region by region */
		bool is_group = start && !(thread->flags & THREAD_OF_OPENMP);
		struct imbalance group = is_group ? group_of(process, start) : worst;

		if (group.lost_ns > worst.lost_ns) {
			worst = group;
			worst_start = start;
		}
	}
	const struct frame *frame = names_user_frame(names, profile, worst_start);

	if (frame)
		worst.start = *frame;
	return worst;
}

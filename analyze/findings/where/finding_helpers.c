/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_helpers.h"

#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"

#include <math.h>

double finding_blocked_ns(const struct thread_time *time, unsigned causes)
{
	double ns = 0;

	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		if (causes & 1u << cause)
			ns += (double)(time->by_cause_ns[cause] - idle_requests_ns(time, cause));
	return ns;
}

double finding_ready_ns(const struct thread_time *time, unsigned causes)
{
	(void)causes;
	return (double)time->ready_ns;
}

double finding_working_ns(const struct process *process, finding_time_of time_ns, unsigned causes)
{
	double ns = 0, busiest = idle_busiest_ns(process);

	if (!process->threads)
		return time_ns(&process->sum, causes);
	for (size_t i = 0; i < process->thread_count; i++)
		if (!idle_thread(&process->threads[i], busiest))
			ns += time_ns(&process->threads[i], causes);
	return ns;
}

static double spun_ns(const struct thread_time *time, unsigned causes)
{
	(void)causes;
	return (double)thread_time_spun(time);
}

static double in_spinlocks_ns(const struct thread_time *time, unsigned causes)
{
	(void)causes;
	return (double)time->spinlock_ns;
}

double finding_spun_ns(const struct run *run, double wait_ns)
{
	double spun = 0, waited = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		spun += finding_working_ns(&run->processes[i], spun_ns, 0);
		waited += finding_working_ns(&run->processes[i], in_spinlocks_ns, 0);
	}
	return waited > 0 ? wait_ns * fmin(1, spun / waited) : wait_ns;
}

const struct thread_time *finding_longest(const struct run *run, unsigned causes)
{
	const struct thread_time *longest = NULL;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		double busiest = idle_busiest_ns(process);

		for (size_t j = 0; process->rank == MPI_NO_RANK && j < process->thread_count; j++) {
			const struct thread_time *time = &process->threads[j];
			double ns = finding_blocked_ns(time, causes);

			if (ns > (longest ? finding_blocked_ns(longest, causes) : 0) &&
			    !idle_thread(time, busiest))
				longest = time;
		}
	}
	return longest;
}

double finding_longest_ns(const struct run *run, unsigned causes)
{
	const struct thread_time *longest = finding_longest(run, causes);

	return longest ? finding_blocked_ns(longest, causes) : 0;
}

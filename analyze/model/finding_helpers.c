/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_helpers.h"

#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_where.h"
#include "analyze/model/run.h"

double finding_busiest_ns(const struct process *process)
{
	double most = 0;

	for (size_t i = 0; i < process->thread_count; i++) {
		double cpu = (double)thread_time_cpu(&process->threads[i]);

		most = cpu > most ? cpu : most;
	}
	return most;
}

bool finding_is_helper(const struct thread_time *time, double busiest)
{
	double cpu = (double)thread_time_cpu(time);

	return cpu < finding_limits.helper_life * (double)time->lifetime_ns &&
	       cpu < finding_limits.helper_busiest * busiest;
}

struct blocked {
	double helpers_ns;
	double longest_ns; /* of those that are none */
};

static void add_blocked(struct blocked *blocked, const struct process *process, unsigned causes)
{
	double busiest = finding_busiest_ns(process);

	for (size_t i = 0; i < process->thread_count; i++) {
		double ns = finding_blocked_ns(&process->threads[i], causes);

		if (finding_is_helper(&process->threads[i], busiest))
			blocked->helpers_ns += ns;
		else if (ns > blocked->longest_ns)
			blocked->longest_ns = ns;
	}
}

static struct blocked blocked_of(const struct run *run, unsigned causes)
{
	struct blocked blocked = {0};

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].rank == MPI_NO_RANK)
			add_blocked(&blocked, &run->processes[i], causes);
	return blocked;
}

double finding_helpers_ns(const struct run *run, unsigned causes)
{
	return blocked_of(run, causes).helpers_ns;
}

double finding_longest_ns(const struct run *run, unsigned causes)
{
	return blocked_of(run, causes).longest_ns;
}

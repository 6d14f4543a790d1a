/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_helpers.h"

#include "analyze/model/finding_where.h"
#include "analyze/model/run.h"

#define HELPER_LIFE_SHARE    0.01
#define HELPER_BUSIEST_SHARE 0.05

static double busiest_ns(const struct process *process)
{
	double most = 0;

	for (size_t i = 0; i < process->thread_count; i++) {
		double cpu = (double)thread_time_cpu(&process->threads[i]);

		most = cpu > most ? cpu : most;
	}
	return most;
}

static bool is_helper(const struct thread_time *time, double busiest)
{
	double cpu = (double)thread_time_cpu(time);

	return cpu < HELPER_LIFE_SHARE * (double)time->lifetime_ns &&
	       cpu < HELPER_BUSIEST_SHARE * busiest;
}

double finding_helpers_ns(const struct run *run, unsigned causes)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		double busiest = busiest_ns(process);

		if (process->rank != MPI_NO_RANK)
			continue;
		for (size_t j = 0; j < process->thread_count; j++)
			if (is_helper(&process->threads[j], busiest))
				ns += finding_blocked_ns(&process->threads[j], causes);
	}
	return ns;
}

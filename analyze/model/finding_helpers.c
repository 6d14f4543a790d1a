/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_helpers.h"

#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_where.h"
#include "analyze/model/run.h"

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

	return cpu < finding_limits.helper_life * (double)time->lifetime_ns &&
	       cpu < finding_limits.helper_busiest * busiest;
}

struct helpers {
	size_t count;
	double blocked_ns;
};

static void add_helpers(struct helpers *sum, const struct process *process, unsigned causes)
{
	double busiest = busiest_ns(process);

	for (size_t i = 0; i < process->thread_count; i++) {
		if (!is_helper(&process->threads[i], busiest))
			continue;
		sum->count++;
		sum->blocked_ns += finding_blocked_ns(&process->threads[i], causes);
	}
}

static struct helpers helpers_of(const struct run *run, unsigned causes)
{
	struct helpers sum = {0};

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].rank == MPI_NO_RANK)
			add_helpers(&sum, &run->processes[i], causes);
	return sum;
}

double finding_helpers_ns(const struct run *run, unsigned causes)
{
	return helpers_of(run, causes).blocked_ns;
}

size_t finding_count_helpers(const struct run *run)
{
	return helpers_of(run, 0).count;
}

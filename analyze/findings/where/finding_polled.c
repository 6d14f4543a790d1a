/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_polled.h"

#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_ranks.h"
#include "analyze/model/run/run.h"

#include <math.h>

static double polled_ready_ns(const struct thread_time *time, unsigned causes)
{
	double cpu_ns = (double)thread_time_cpu(time);

	(void)causes;
	return cpu_ns > 0 ? (double)time->ready_ns * (double)thread_time_polled(time) / cpu_ns : 0;
}

static double yielded_ns(const struct thread_time *time, unsigned causes)
{
	uint64_t polled_ns = thread_time_polled(time);
	uint64_t spun_ns = thread_time_spin(time) + thread_time_spun(time);

	(void)causes;
	return polled_ns > spun_ns ? (double)(polled_ns - spun_ns) : 0;
}

static double sum_of(const struct run *run, finding_time_of time_ns)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].rank == MPI_NO_RANK)
			ns += finding_working_ns(&run->processes[i], time_ns, 0);
	return ns;
}

double finding_polled_ready_ns(const struct run *run)
{
	double ns = sum_of(run, polled_ready_ns) + finding_polled_by_ranks_ns(run);

	return fmin(ns, (double)run->ready_ns);
}

double finding_yielded_ns(const struct run *run)
{
	return sum_of(run, yielded_ns);
}

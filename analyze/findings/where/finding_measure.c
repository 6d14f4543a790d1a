/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_measure.h"

#include "analyze/findings/where/finding_bound.h"
#include "analyze/findings/where/finding_crowd.h"
#include "analyze/findings/where/finding_polled.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"
#include "analyze/model/run/run_others.h"

#include <math.h>

double finding_capacity_ns(const struct run *run)
{
	return (double)run->elapsed_ns * (double)run->processors;
}

double finding_used(const struct run *run)
{
	double used = run->efficiency_percent;

	if (run->process_count == 1 && isfinite(run->useful.efficiency_percent))
		used = fmin(used, run->useful.efficiency_percent);
	return fmin(used, 100);
}

bool finding_is_ready(const struct run *run)
{
	return (double)run->ready_ns >= finding_limits.ready_elapsed * (double)run->elapsed_ns;
}

/* If it was not measured: if no other program ran, a thread was ready only while others of the
 * program had all processors, and no more were ready at once than there are threads beyond the
 * processors. If they would have had to run for longer than they did, another program ran. */
static bool others_are_inferred(const struct run *run)
{
	double threads = (double)finding_threads_wanting(run);
	double processors = (double)run->processors;

	double ready_ns = (double)run->ready_ns - finding_bound_ready_ns(run);

	if (ready_ns < finding_limits.part * (double)run->ready_ns)
		return false;
	return threads <= processors || (double)run->cpu_ns < finding_limits.own_cpu * processors *
								      ready_ns /
								      (threads - processors);
}

/* The kernel's work to switch, start and end threads is neither idle time nor on any thread's CPU
 * clock. */
static double switching_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		for (size_t j = 0; j < run->processes[i].thread_count; j++) {
			const struct profile_thread *row = run->processes[i].threads[j].thread;

			ns += finding_limits.wake_up * ((double)row->voluntary_switches +
							(double)row->involuntary_switches) +
			      finding_limits.thread_start * (double)row->lives;
		}
	return ns;
}

double finding_others_ns(const struct run *run)
{
	double others_ns = run_others_ns(run);

	return isfinite(others_ns) ? fmax(0, others_ns - switching_ns(run)) : NAN;
}

/* For a run shorter than some ticks the kernel's counts may be too coarse to tell. */
bool finding_is_shared_with_others(const struct run *run)
{
	struct run_others others = run_others_of(run);
	double least_ns = finding_limits.others * finding_capacity_ns(run);
	double others_ns = finding_others_ns(run);

	if (isfinite(others_ns) &&
	    (others.error_ns < least_ns || others_ns - others.error_ns >= least_ns))
		return others_ns >= least_ns;
	return others_are_inferred(run);
}

double finding_idle_share(const struct run *run)
{
	struct run_others others = run_others_of(run);
	double others_ns = isfinite(others.others_ns) ? others.others_ns + others.stolen_ns : 0;

	return fmax(0, 1 - run->efficiency_percent / 100 - others_ns / finding_capacity_ns(run));
}

double finding_own_ready_ns(const struct run *run)
{
	double processors = (double)run->processors;
	double threads = (double)finding_threads_wanting(run);
	double full_ns = (double)run->cpu_ns / processors;

	if (run->process_count == 1 && run->on_processor.level_count)
		full_ns =
			fmin(full_ns, efficiency_range_ns(&run->on_processor, run->processors,
							  efficiency_highest(&run->on_processor)));
	return full_ns * fmax(0, threads - processors);
}

double finding_taken_ns(const struct run *run)
{
	if (!run->processors || !finding_is_shared_with_others(run))
		return 0;
	double capacity_ns = finding_capacity_ns(run), cpu_ns = (double)run->cpu_ns;
	double others_ns = finding_others_ns(run) + run_others_of(run).stolen_ns;
	double left_ns = fmax(0, capacity_ns - cpu_ns);
	double own_ns = fmin(finding_own_ready_ns(run),
			     fmax(0, cpu_ns + (double)run->ready_ns - capacity_ns));

	own_ns = fmax(own_ns, finding_bound_ready_ns(run));
	double ready_ns = fmax(0, (double)run->ready_ns - own_ns - switching_ns(run));

	ready_ns = fmin(ready_ns, (double)run->ready_ns - finding_polled_ready_ns(run));
	return fmin(ready_ns, isfinite(others_ns) ? fmin(others_ns, left_ns) : left_ns);
}

bool is_rank_oversubscribed(const struct run *run)
{
	const struct mpi_at_once *most = &run->mpi.at_once;

	return run->mpi.ranks.count > 1 && most->host_processors &&
	       most->host_units > most->host_processors;
}

double finding_polling_ns(const struct mpi_ranks *ranks)
{
	double sum = 0;

	for (size_t i = 0; i < ranks->count; i++)
		sum += fmax(0, (double)ranks->rows[i].cpu_ns - ranks->rows[i].useful_ns);
	return sum;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_delayed.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_ranks.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"

#include <math.h>

double finding_taken_part(const struct run *run)
{
	return run->ready_ns ? fmin(1, finding_taken_ns(run) / (double)run->ready_ns) : 0;
}

double finding_stretched_ns(const struct run *run, double cpu_ns, double ready_ns)
{
	return cpu_ns + finding_taken_part(run) * ready_ns;
}

double finding_stretch_of_rank(const struct run *run, uint64_t rank)
{
	const struct mpi *mpi = &run->mpi;

	for (size_t i = 0; i < mpi->ranks.count && mpi->jobs.count < 2; i++) {
		const struct mpi_rank *row = &mpi->ranks.rows[i];
		double useful_ns = finding_per_unit(row, row->useful_ns);

		if (row->rank == rank && useful_ns > 0)
			return finding_stretched_ns(run, useful_ns,
						    finding_ready_of_rank_ns(mpi, row)) /
			       useful_ns;
	}
	return 1;
}

/* Whoever it waited for: another thread of the run, in its own process or not. */
static double delayed_of(const struct run *run, const struct thread_time *time, double part,
			 unsigned causes)
{
	double others_ready_ns = fmax(0, (double)run->ready_ns - (double)time->ready_ns);

	return fmin(finding_blocked_ns(time, causes), part * others_ready_ns);
}

static double delayed_in(const struct run *run, const struct process *process, double part,
			 unsigned causes)
{
	double ns = 0, busiest_ns = idle_busiest_ns(process);

	if (!process->threads) /* any of them may have waited for any other one */
		return finding_blocked_ns(&process->sum, causes);
	for (size_t i = 0; i < process->thread_count; i++)
		if (!idle_thread(&process->threads[i], busiest_ns))
			ns += delayed_of(run, &process->threads[i], part, causes);
	return ns;
}

double finding_delayed_ns(const struct run *run, unsigned causes)
{
	double part = finding_taken_part(run), ns = 0;

	for (size_t i = 0; i < run->process_count && part > 0; i++)
		ns += delayed_in(run, &run->processes[i], part, causes);
	return ns;
}

void finding_tell_delayed(struct finding *finding, double delayed_ns, double wait_ns)
{
	if (!(delayed_ns > 0) || delayed_ns < finding_limits.ready_wait * wait_ns)
		return;
	finding_add_evidence(finding,
			     memory_print("for up to %s of %s other programs may have had the "
					  "processors of those who were waited for",
					  quantity_seconds(fmin(delayed_ns, wait_ns)).text,
					  quantity_seconds(wait_ns).text));
}

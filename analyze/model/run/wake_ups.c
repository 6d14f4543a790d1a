/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/wake_ups.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>

double wake_ups_cost_ns(const struct run *run)
{
	double system_ns = 0, sleeps = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		for (size_t t = 0; t < process->thread_count; t++) {
			const struct thread_time *time = &process->threads[t];

			if (!time->thread->voluntary_switches)
				continue; /* it never slept: its system time is for other calls */
			system_ns += (double)time->system_ns;
			sleeps += (double)time->thread->voluntary_switches;
		}
	}
	return sleeps > 0 ? fmin(system_ns / sleeps, finding_limits.wake_up) : NAN;
}

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

struct wake_ups wake_ups_of(const struct run *run, const struct sync_row *row)
{
	struct wake_ups of_row = {0};

	if (row->cause != CAUSE_CONDITION)
		return of_row;
	of_row.wakes = without(without(without(row->contended, row->timeouts), row->failed),
			       row->spurious);
	of_row.futile = row->futile < of_row.wakes ? row->futile : of_row.wakes;
	of_row.reacquire_ns = (double)row->reacquire_ns;
	of_row.cpu_ns = of_row.futile ? (double)of_row.futile * wake_ups_cost_ns(run) : 0;
	return of_row;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules.h"

#include "analyze/model/finding_crowd.h"
#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_rules_allocator.h"
#include "analyze/model/finding_rules_blocked.h"
#include "analyze/model/finding_rules_busy.h"
#include "analyze/model/finding_rules_gil.h"
#include "analyze/model/finding_rules_grain.h"
#include "analyze/model/finding_rules_mpi.h"
#include "analyze/model/finding_rules_mpi_late.h"
#include "analyze/model/finding_rules_mpi_messages.h"
#include "analyze/model/finding_rules_nested.h"
#include "analyze/model/finding_rules_omp_locks.h"
#include "analyze/model/finding_rules_openmp.h"
#include "analyze/model/finding_rules_pipeline.h"
#include "analyze/model/finding_rules_rwlock.h"
#include "analyze/model/finding_rules_threads.h"
#include "analyze/model/finding_rules_spin.h"
#include "analyze/model/finding_rules_wait.h"
#include "analyze/model/finding_rules_wakeup.h"
#include "analyze/model/finding_stake.h"
#include "analyze/model/run.h"
#include "analyze/model/run_others.h"

#include <math.h>

const struct finding_rule finding_rules[] = {
#define RULE(id, kind, from, judge, title, reason, advice)                                         \
	{id, title, FINDING_##kind, from, reason, judge_##judge, advice},
#include "analyze/model/finding_rules.def"
#undef RULE
};
const size_t finding_rule_count = sizeof finding_rules / sizeof *finding_rules;

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

/* What could be won of the elapsed time are the processors that the program did not have. */
void finding_add_ready_stake(const struct run *run, struct finding *finding, double ready_ns)
{
	const struct finding_loss loss = {.idle_ns = ready_ns};
	struct finding graded = {0}; /* the grade is that of the severity, which is exact */

	finding->elapsed_percent = finding_stake(run, &graded, &loss);
}

bool finding_is_ready(const struct run *run)
{
	return (double)run->ready_ns >= finding_limits.ready_elapsed * (double)run->elapsed_ns;
}

/* Where nobody measured it: if nobody else ran, a thread was ready only while others of the program
 * had all processors, and no more were ready at once than there are threads beyond them. Where they
 * would have had to run for longer than they did, somebody else ran. */
static bool others_are_inferred(const struct run *run)
{
	double threads = (double)finding_threads_wanting(run);
	double processors = (double)run->processors;

	return threads <= processors || (double)run->cpu_ns < finding_limits.own_cpu * processors *
								      (double)run->ready_ns /
								      (threads - processors);
}

/* What the kernel does to switch threads, to start and to end them is neither idle nor on anybody's
 * CPU clock. */
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

bool finding_is_shared_with_others(const struct run *run)
{
	struct run_others others = run_others_of(run);
	double least_ns = finding_limits.others * finding_capacity_ns(run);

	/* of a run that is shorter than some ticks the kernel knows too little */
	return isfinite(others.others_ns) && others.error_ns < least_ns
		       ? finding_others_ns(run) >= least_ns
		       : others_are_inferred(run);
}

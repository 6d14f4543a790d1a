/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules.h"

#include "analyze/model/finding_helpers.h"
#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_rules_grain.h"
#include "analyze/model/finding_rules_mpi.h"
#include "analyze/model/finding_rules_openmp.h"
#include "analyze/model/finding_rules_threads.h"
#include "analyze/model/finding_rules_wait.h"
#include "analyze/model/run.h"

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

double finding_share(const struct run *run, double lost_ns)
{
	double capacity_ns = finding_capacity_ns(run);

	return capacity_ns > 0 ? fmin(100, 100 * lost_ns / capacity_ns) : NAN;
}

/* Where the useful time is the bound, it is known as well as that. */
double finding_share_of_unused(const struct run *run, struct finding *finding, double lost_ns)
{
	double share = finding_share(run, lost_ns), used = finding_used(run);

	if (isfinite(share) && share > 100 - used && used < run->efficiency_percent)
		finding->grade = grade_worse(finding->grade, run->useful.grade);
	return isfinite(share) ? fmin(share, 100 - used) : NAN;
}

/* What could be won of the elapsed time are the processors that the program did not have. */
void finding_add_ready_stake(const struct run *run, struct finding *finding, double ready_ns)
{
	double lost_percent = fmin(finding_share(run, ready_ns), 100 - finding_used(run));

	finding->elapsed_percent =
		finding_elapsed_percent(lost_percent, finding_used(run), (double)run->processors);
}

double finding_elapsed_percent(double lost_percent, double used_percent, double width)
{
	double lost = fmin(100, lost_percent), used = fmin(used_percent, 100 - lost);

	return lost > 0 ? fmin(100 * lost / (used + lost), lost * width) : 0;
}

bool finding_is_ready(const struct run *run)
{
	return (double)run->ready_ns >= finding_limits.ready_elapsed * (double)run->elapsed_ns;
}

/* Processes that come one after the other are not told apart. Of ranks without the helpers that
 * the MPI library starts for itself. */
uint64_t finding_threads_at_once(const struct run *run)
{
	uint64_t threads = 0;

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].rank == MPI_NO_RANK)
			threads += run->processes[i].file->process.threads_peak;
	return threads + run->mpi.efficiency.units;
}

/* Helpers are hardly ever ready; in a job of ranks, what is no rank launches them. */
uint64_t finding_threads_wanting(const struct run *run)
{
	uint64_t threads = finding_threads_at_once(run), helpers = finding_count_helpers(run);

	if (run->mpi.ranks.count)
		return run->mpi.efficiency.units;
	return threads > helpers ? threads - helpers : threads;
}

/* If nobody else ran, a thread was ready only while others of the program had all processors, and
 * no more were ready at once than there are threads beyond them. Where they would have had to run
 * for longer than they did, somebody else ran. */
bool finding_is_shared_with_others(const struct run *run)
{
	double threads = (double)finding_threads_wanting(run);
	double processors = (double)run->processors;

	return threads <= processors || (double)run->cpu_ns < finding_limits.own_cpu * processors *
								      (double)run->ready_ns /
								      (threads - processors);
}

/* SPDX-License-Identifier: MIT */
/* Rules on threads that may not run on all processors. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_bound.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

/* "processor 3", "2 processors, from 0 on". */
static char *processors_text(const struct finding_bound *bound)
{
	unsigned long long first = bound->first ? bound->first - 1 : 0;

	return bound->processors == 1
		       ? memory_print("processor %llu", first)
		       : memory_print("the same %llu processors, from number %llu on",
				      (unsigned long long)bound->processors, first);
}

/* of: how many processors there would be. */
static void tell(const struct run *run, struct finding *finding, const struct finding_bound *bound,
		 uint64_t of, const char *who)
{
	char *processors = processors_text(bound);

	finding->evidence = memory_print(
		"%zu threads%s%s%s may run on %s only, of %llu that %s; they were ready for "
		"%s while others of them ran",
		bound->threads, bound->role ? " (" : "", bound->role ? bound->role : "",
		bound->role ? ")" : "", processors, (unsigned long long)of, who,
		quantity_seconds(bound->at_once_ns).text);
	free(processors);
	finding->grade = GRADE_ESTIMATED;
	finding_add_threads(finding, run, finding_ready_ns, 0);
}

double judge_bound_threads(const struct run *run, struct finding *finding)
{
	struct finding_bound bound = finding_bound_most(run, true);

	if (!bound.process)
		return NAN;
	/* groups may fill all processors together, and others may have the rest of them */
	double others_ns = finding_others_ns(run);
	double idle_ns = finding_capacity_ns(run) - (double)run->cpu_ns -
			 (isfinite(others_ns) ? others_ns : 0);

	tell(run, finding, &bound, bound.process->file->process.processors, "the process may use");
	finding_add_ready_stake(run, finding, fmin(bound.at_once_ns, fmax(0, idle_ns)));
	return finding->elapsed_percent;
}

/* The processors that the run may use have no room for it, so that nothing is idle: on more of them
 * the ready time would be work. */
double judge_bound_run(const struct run *run, struct finding *finding)
{
	struct finding_bound bound = finding_bound_most(run, false);

	if (!bound.process)
		return NAN;
	double online = (double)bound.process->file->process.processors_online;
	double elapsed_ns = (double)bound.process->elapsed_ns;
	double at_rate_ns = elapsed_ns * bound.at_once_ns / (bound.cpu_ns + bound.at_once_ns);
	double left_ns = elapsed_ns - bound.cpu_ns / fmax(1, fmin(bound.wanting, online));

	tell(run, finding, &bound, (uint64_t)online, "the machine has");
	return finding_percent(run, fmax(0, fmin(at_rate_ns, left_ns)));
}

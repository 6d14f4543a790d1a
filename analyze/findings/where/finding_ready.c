/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_ready.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_crowd.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/model/run/run.h"

#include <math.h>

/* As if they had had all processors whenever one of them ran: how often they really had is what the
 * others have changed. */
double finding_explained_ready_ns(const struct run *run)
{
	double ready_ns = (double)run->ready_ns, processors = (double)run->processors;
	double beyond = (double)finding_threads_wanting(run) - processors;

	if (!processors || !finding_is_shared_with_others(run))
		return ready_ns;
	return fmin(ready_ns, fmax(0, beyond) * (double)run->cpu_ns / processors);
}

char *finding_ready_text(const struct run *run, double ready_ns, const char *reason)
{
	if (ready_ns < 0.99 * (double)run->ready_ns)
		return memory_print("threads were ready to run for %s, of which %s %s",
				    quantity_seconds((double)run->ready_ns).text, reason,
				    quantity_seconds(ready_ns).text);
	return memory_print("threads were ready to run, but without a processor, for %s",
			    quantity_seconds(ready_ns).text);
}

void finding_add_explained_stake(const struct run *run, struct finding *finding, double ready_ns)
{
	const struct finding_loss loss = {.idle_ns = ready_ns};
	struct finding graded = {0}; /* the grade is that of the severity */

	if (!finding_is_shared_with_others(run))
		finding_add_ready_stake(run, finding, ready_ns);
	else
		finding->elapsed_percent = finding_stake(run, &graded, &loss);
}

double finding_ready_percent(const struct run *run, double ready_ns)
{
	double wanted_ns = ready_ns + (double)run->cpu_ns;

	return wanted_ns > 0 ? 100 * ready_ns / wanted_ns : NAN;
}

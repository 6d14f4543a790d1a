/* SPDX-License-Identifier: MIT */
/* The rule on busy waiting: loops of the program that do nothing but read memory until another
 * thread changes it. The machine code proves it (symbols/spin_loop.h); a loop that does work is
 * never reported. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

struct busy {
	double ns;
	const struct routine_time *most; /* NULL: none */
	size_t among;
};

static struct busy busy_of(const struct run *run)
{
	struct busy busy = {0};

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];

		if (!row->waiting_ns)
			continue;
		busy.ns += (double)row->waiting_ns;
		busy.among++;
		if (!busy.most || row->waiting_ns > busy.most->waiting_ns)
			busy.most = row;
	}
	return busy;
}

double finding_busy_ns(const struct run *run)
{
	return busy_of(run).ns;
}

/* In the profile it counts as work: it is in no wrapped wait. */
double judge_busy_wait(const struct run *run, struct finding *finding)
{
	struct busy busy = busy_of(run);

	if (!busy.most || !run->cpu_ns)
		return NAN;
	const struct routine_time *row = busy.most;
	char *place = names_place_text(run->names, row->routine, row->waiting_line);
	const struct finding_loss loss = {.work_ns = fmin(busy.ns, (double)run->cpu_ns)};

	finding->evidence = memory_print(
		"%s of CPU time (%s) in a loop that only reads memory until another thread "
		"changes it, mostly in %s",
		quantity_seconds(busy.ns).text,
		quantity_percent(fmin(100, 100 * busy.ns / (double)run->cpu_ns)).text, place);
	free(place);
	finding->grade = GRADE_SAMPLED;
	finding_add_routine(finding, run, row->routine, row->waiting_line, (double)row->waiting_ns,
			    busy.ns, busy.among);
	return finding_stake(run, finding, &loss);
}

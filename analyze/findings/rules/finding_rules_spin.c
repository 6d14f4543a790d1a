/* SPDX-License-Identifier: MIT */
/* The rule on threads that spin, waiting on a processor. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool finding_is_yield(const struct run *run, const struct routine_time *row)
{
	const char *name = names_routine(run->names, row->routine)->name;

	return strstr(name, "sched_yield") || !strcmp(name, "thrd_yield");
}

double finding_yield_of_program_ns(const struct routine_time *row)
{
	return row->self_ns > row->mpi_ns ? (double)(row->self_ns - row->mpi_ns) : 0;
}

double finding_yield_ns(const struct run *run, uint64_t *count)
{
	double ns = 0;

	for (size_t i = 0; i < run->routines.count; i++)
		if (finding_is_yield(run, &run->routines.rows[i]))
			ns += finding_yield_of_program_ns(&run->routines.rows[i]);
	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (row->operation == OP_YIELD && row->count > row->of_mpi)
			*count += row->count - row->of_mpi;
	}
	return *count ? ns : 0;
}

static char *spin_evidence(const struct run *run, const struct finding_waiting *locks,
			   const char *verb, double yields_ns, uint64_t yields)
{
	char *yielded = memory_print("%s of CPU time inside of %s of sched_yield",
				     quantity_seconds(yields_ns).text,
				     quantity_things((double)yields, "call").text);
	char *text;

	if (!locks->worst)
		return yielded;
	char *locked =
		finding_wait_evidence(run, locks->worst, FINDING_CAUSE(SPINLOCK), verb, "held by");

	text = yields_ns > 0 ? memory_print("%s; %s", locked, yielded) : memory_copy_text(locked);
	free(locked);
	free(yielded);
	return text;
}

/* Only time on a processor is spun away; in a wait a thread may have been ready for one, too. */
static bool is_mostly_spinning(double spun_ns, double wait_ns)
{
	return wait_ns - spun_ns < finding_limits.ready_wait * wait_ns;
}

/* Waits for spinlocks are not useful time and so unused; calls of sched_yield are not known to be
 * waits, so their time counts as used. */
double judge_spin(const struct run *run, struct finding *finding)
{
	uint64_t yields = 0;
	struct finding_waiting locks = finding_waiting_for(run, FINDING_CAUSE(SPINLOCK));
	double yields_ns = finding_yield_ns(run, &yields);

	if (!locks.worst && yields_ns <= 0)
		return NAN;
	double spun_ns = finding_spun_ns(run, locks.wait_ns);
	bool is_spinning = is_mostly_spinning(spun_ns, locks.wait_ns);

	finding->evidence = spin_evidence(
		run, &locks, is_spinning ? "of spinning for" : "of waiting for", yields_ns, yields);
	finding_tell_ready(finding, locks.wait_ns - spun_ns, locks.wait_ns);
	finding->grade = yields_ns > 0 ? GRADE_SAMPLED : GRADE_EXACT;
	if (spun_ns < locks.wait_ns)
		finding->grade = GRADE_ESTIMATED;
	finding_add_objects(finding, run, finding_is_wait_for, FINDING_CAUSE(SPINLOCK));
	const struct finding_loss loss = {
		.idle_ns = spun_ns, .spun_ns = spun_ns, .work_ns = yields_ns};

	return finding_stake(run, finding, &loss);
}

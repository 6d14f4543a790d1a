/* SPDX-License-Identifier: MIT */
/* The rule on threads that are woken for nothing: each time that costs a few system calls, two
 * context switches, and taking the mutex once more. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

/* Waits that ended by a signal. */
static double woken(const struct sync_row *row)
{
	uint64_t others = row->timeouts + row->failed;

	return row->contended > others ? (double)(row->contended - others) : 0;
}

/* A condition variable of which most wake-ups found nothing to do. */
static bool is_storm(const struct run *run, const struct sync_row *row, unsigned causes)
{
	(void)run, (void)causes;
	return row->cause == CAUSE_CONDITION && row->futile &&
	       (double)row->futile >= finding_limits.futile * woken(row);
}

struct storm {
	double futile, woken;
	const struct sync_row *most; /* with the most futile ones */
};

static struct storm storm_of(const struct run *run)
{
	struct storm storm = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!is_storm(run, row, 0))
			continue;
		storm.futile += (double)row->futile;
		storm.woken += woken(row);
		if (!storm.most || row->futile > storm.most->futile)
			storm.most = row;
	}
	return storm;
}

/* A wait has a place, but no word of whether it was for nothing: those of an object are shared out
 * among its places. */
static void add_where(const struct run *run, struct finding *finding, const struct storm *storm)
{
	struct finding_shares routines = {0}, objects = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!is_storm(run, row, 0))
			continue;
		double futile = (double)row->futile;

		finding_shares_add(&objects, row->object, 0, futile);
		finding_tell_object(finding, row->object);
		for (size_t j = 0; j < row->waiters.count && row->contended; j++) {
			const struct sync_site *site = &row->waiters.rows[j];

			finding_share_place(&routines, run, site->routine, site->line,
					    futile * (double)site->count / (double)row->contended);
		}
	}
	finding_add_shared_routine(finding, run, &routines, storm->futile);
	finding_add_shared_object(finding, run, &objects);
}

static void tell(const struct run *run, struct finding *finding, const struct storm *storm,
		 double price_ns)
{
	const struct sync_row *row = storm->most;
	const struct sync_site *site = sync_row_main_waiter(row);
	const char *name = run->synchronization.names[row->object];
	char *place = site ? names_place_text(run->names, site->routine, site->line)
			   : memory_copy_text("an unknown place");

	finding->evidence = memory_print(
		"%.0f of %.0f wake-ups found nothing to do, most of them for %s in %s; at about %s each that is %s of CPU time",
		storm->futile, fmax(storm->futile, storm->woken), name, place,
		quantity_seconds(price_ns / storm->futile).text, quantity_seconds(price_ns).text);
	free(place);
	finding->grade = GRADE_ESTIMATED;
	add_where(run, finding, storm);
}

/* CPU time without useful work that may be due to waits of this kind; 0: unknown. */
static double useless_ns(const struct run *run, const struct storm *storm)
{
	double waits = 0;
	double lost = run->on_processor.average - run->useful.average;

	if (run->process_count != 1 || !isfinite(lost))
		return 0;
	for (size_t i = 0; i < run->synchronization.count; i++)
		waits += (double)run->synchronization.rows[i].contended;
	return fmax(0, lost) * (double)run->on_processor.total_ns * storm->futile /
	       fmax(storm->futile, waits);
}

/* The cost lies inside of waits, which are not useful time; it is at most the CPU time. (That the
 * woken threads wait for the mutex once more delays only them, and they have nothing to do.) */
double judge_wake_ups(const struct run *run, struct finding *finding)
{
	struct storm storm = storm_of(run);

	if (!storm.most)
		return NAN;
	double price_ns = fmin(fmax(finding_limits.wake_up * storm.futile, useless_ns(run, &storm)),
			       (double)run->cpu_ns);
	const struct finding_loss loss = {.idle_ns = price_ns};

	tell(run, finding, &storm, price_ns);
	return finding_stake(run, finding, &loss);
}

/* SPDX-License-Identifier: MIT */
/* The rule on locks that are held during input and output. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_holder_io.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

struct held {
	double io_ns, wait_ns;
	const struct sync_row *most; /* with the most input and output */
	double most_ns;
	bool is_sampled;
};

static struct held held_of(const struct run *run)
{
	struct held held = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];
		double io_ns = finding_holder_io_ns(row);

		if (!finding_is_held_in_io(run, row, CAUSES_OF_LOCKS))
			continue;
		held.io_ns += io_ns;
		held.wait_ns += (double)sync_row_working_ns(row);
		held.is_sampled |= row->left_out > 0;
		if (io_ns > held.most_ns) {
			held.most_ns = io_ns;
			held.most = row;
		}
	}
	return held;
}

static void tell(const struct run *run, struct finding *finding, const struct held *held)
{
	const struct sync_site *holder = finding_io_holder(held->most);
	double wait_ns = (double)sync_row_working_ns(held->most);
	char *place = names_place_text(run->names, holder->routine, holder->line);
	char *io = finding_holder_io_text(run, holder);

	finding->evidence = memory_print(
		"%s of waiting for %s, held by %s; for %s of it, at least, the holder %s",
		quantity_seconds(wait_ns).text, run->synchronization.names[held->most->object],
		place, quantity_percent(100 * held->most_ns / wait_ns).text, io);
	free(place);
	free(io);
}

/* As for other locks; of what these waits cost, the part that is input and output. */
double judge_lock_io(const struct run *run, struct finding *finding)
{
	unsigned causes = CAUSES_OF_LOCKS;
	struct held held = held_of(run);

	if (!held.most)
		return NAN;
	tell(run, finding, &held);
	for (size_t i = 0; i < run->synchronization.count; i++)
		if (finding_is_held_in_io(run, &run->synchronization.rows[i], causes))
			finding_tell_object(finding, run->synchronization.rows[i].object);
	finding_add_threads(finding, run, finding_blocked_ns, causes);
	finding_add_objects(finding, run, finding_is_held_in_io, causes);
	struct finding_waiting all = finding_waiting_for(run, causes);
	double lost_ns = finding_lost_by_waits(run, finding, causes, &all);

	if (held.is_sampled)
		finding->grade = grade_worse(finding->grade, GRADE_SAMPLED);
	return finding_stake_of_waits(run, finding, causes,
				      lost_ns * held.io_ns / fmax(1, all.wait_ns));
}

/* SPDX-License-Identifier: MIT */
/* Counts that changed: what a program does, however long that takes. */
#include "analyze/diff/evidence.h"
#include "analyze/diff/growth.h"
#include "analyze/diff/verdict.h"

#include <math.h>
#include <string.h>

#define CERTAINTY      2  /* times the noise: there are many counts */
#define DIFFERENCE_MIN 10 /* a few calls more are the weather */

/* Calls on descriptors before these are looked up, and what has no row: how many of them there are
 * is the profiler's doing. */
static bool is_remainder(const char *key)
{
	return strstr(key, "[not looked up]") || strstr(key, "[other");
}

/* Of waits, how many calls had to wait is chance; of switches, those that other programs forced; of
 * counted events, only those of the run. */
static bool is_count(const struct figure *figure)
{
	if ((figure->unit != UNIT_COUNT && figure->unit != UNIT_BYTES) ||
	    figure->grade != GRADE_EXACT || !strcmp(figure->metric, "waited") ||
	    is_remainder(figure->key))
		return false;
	switch (figure->section) {
	case SECTION_WAITS:
	case SECTION_MPI:
	case SECTION_OPENMP:
		return !figure->is_further;
	case SECTION_COUNTERS:
		return !strcmp(figure->key, "the run");
	case SECTION_STATES:
		return !strcmp(figure->key, "voluntary switches");
	case SECTION_TABLES:
		return !strcmp(figure->metric, "calls");
	default:
		return false;
	}
}

/* Switches vary from run to run, by how much only several runs of a side tell. */
static bool is_known(const struct change *change)
{
	return change->sides[0].known && change->sides[1].known &&
	       (change->figure->section != SECTION_STATES ||
		(change->sides[0].known > 1 && change->sides[1].known > 1));
}

static bool has_changed(const struct changes *changes, const struct change *change)
{
	return is_known(change) && fabs(change->difference) >= DIFFERENCE_MIN &&
	       fabs(change->difference) > verdict_noise(change, CERTAINTY) &&
	       verdict_is_told_by_ranks(change) &&
	       !(fabs(change->change_percent) < changes->threshold_percent);
}

void evidence_find_counts(struct changes *changes)
{
	double factor = growth_factor_of_amounts(changes);

	for (size_t i = 0; i < changes->count; i++) {
		struct change *change = &changes->rows[i];

		if (!is_count(change->figure) || !has_changed(changes, change))
			continue;
		change->evidence = EVIDENCE_COUNT;
		change->is_of_work = growth_is_by_factor(change, factor) ||
				     !strcmp(change->figure->metric, "instructions");
	}
}

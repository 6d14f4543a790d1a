/* SPDX-License-Identifier: MIT */
#include "analyze/diff/sequence.h"

#include "analyze/diff/metrics.h"
#include "analyze/diff/verdict.h"

#include <math.h>

bool sequence_is_look(size_t pairs, size_t most)
{
	size_t look = SEQUENCE_PAIRS_MIN;

	while (look < pairs)
		look += (look + 1) / 2;
	return pairs == most || pairs == look;
}

#define CAUSE_CERTAINTY 2 /* there are many possible causes */

/* Times the noise; 0: evidence, and what decides alone, ask for as much themselves. */
static double certainty_of(const struct changes *changes, const struct change *change)
{
	if (change == changes->elapsed || change == changes->cpu)
		return SEQUENCE_CERTAINTY;
	return change->figure->section == SECTION_ROUTINES && !change->evidence ? CAUSE_CERTAINTY
										: 0;
}

static bool is_clear(const struct changes *changes, const struct change *change)
{
	if (!change->decides || change_decided(change) != (changes_status(changes) == 1 ? 1 : -1))
		return false;
	double certainty = certainty_of(changes, change);

	return !certainty || fabs(change->difference) > verdict_noise(change, certainty);
}

static bool is_clearly_changed(const struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (is_clear(changes, &changes->rows[i]))
			return true;
	return false;
}

/* A change of the threshold would have shown. */
static bool is_clearly_the_same(const struct changes *changes, const struct change *time)
{
	double least = changes->threshold_percent / 100 * time->sides[0].median;

	return time->verdict == VERDICT_NONE && time->noise <= least;
}

bool sequence_is_certain(const struct changes *changes)
{
	unsigned metrics = changes->metrics;

	if (!changes->elapsed || !changes->cpu)
		return false;
	if (changes_status(changes))
		return is_clearly_changed(changes);
	return (!(metrics & METRIC_BIT(METRIC_ELAPSED)) ||
		is_clearly_the_same(changes, changes->elapsed)) &&
	       (!(metrics & METRIC_BIT(METRIC_CPU)) || is_clearly_the_same(changes, changes->cpu));
}

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/headline_evidence.h"

#include "analyze/base/memory.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/headline_figure.h"
#include "analyze/diff/words.h"

#include <stdlib.h>

static bool is_time(const struct changes *changes, const struct change *change)
{
	return change == changes->elapsed || change == changes->cpu ||
	       (change->figure->section == SECTION_ROUTINES && !change->evidence);
}

/* "largest process: memory 1.00 GiB -> 2.00 GiB (x2.0)" */
static char *figure_text(const struct change *change)
{
	char *before = words_value(change->sides[0].median, change->figure->unit);
	char *after = words_value(change->sides[1].median, change->figure->unit);
	char *percent = words_change(change);
	char *text = memory_print("%s: %s %s -> %s (%s)", words_name(change->figure),
				  change->figure->metric, before, after, percent);

	free(before);
	free(after);
	free(percent);
	return text;
}

const struct change *headline_evidence(const struct changes *changes)
{
	int direction = headline_direction(changes);
	size_t count;
	const struct change **rows = evidence_rows(changes, &count), *best = NULL;

	for (size_t i = 0; direction && i < count && !best; i++)
		if (rows[i]->decides && change_decided(rows[i]) == direction)
			best = rows[i];
	free(rows);
	return best;
}

/* Of those that decide in the direction of the run: a time, if there is one, then evidence. */
static const struct change *deciding(const struct changes *changes)
{
	const struct change *best = headline_evidence(changes);
	int direction = headline_direction(changes);

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (!change->decides || change_decided(change) != direction)
			continue;
		if (is_time(changes, change))
			return change;
		best = best ? best : change;
	}
	return best;
}

char *headline_decided(const struct changes *changes)
{
	const struct change *change = headline_direction(changes) ? deciding(changes) : NULL;

	if (!change || is_time(changes, change))
		return NULL;
	return change->evidence ? evidence_text(change) : figure_text(change);
}

char *headline_beside(const struct changes *changes)
{
	size_t count;
	const struct change **rows = evidence_rows(changes, &count);
	char *text = count ? evidence_text(rows[0]) : NULL;
	char *beside =
		text ? memory_print("; %s%s",
				    rows[0]->evidence == EVIDENCE_COUNT ? "changed: " : "", text)
		     : memory_copy_text("");

	free(text);
	free(rows);
	return beside;
}

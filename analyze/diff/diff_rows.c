/* SPDX-License-Identifier: MIT */
/* Selects the changes that are shown: hundreds of rows would help nobody. */
#include "analyze/base/memory.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/sharing.h"

#include <math.h>
#include <string.h>

/* Smaller effects, in percent of A's elapsed time, are not shown unless the user asks for all. */
#define EFFECT_SHOWN 1

/* A routine that calls nothing: its total time is its self time. */
static bool says_the_same(const struct changes *changes, const struct change *total)
{
	const struct figure *figure = total->figure;

	if (figure->section != SECTION_ROUTINES || strcmp(figure->metric, "total") != 0)
		return false;
	const struct change *self = changes_find(changes, SECTION_ROUTINES, figure->key, "self");

	return self && self->sides[0].median == total->sides[0].median &&
	       self->sides[1].median == total->sides[1].median;
}

static bool is_worth_a_line(const struct changes *changes, const struct change *change, size_t top)
{
	if (!top || change->figure->section == SECTION_OVERVIEW)
		return true;
	if (change->verdict <= VERDICT_NONE || change->figure->is_further)
		return false;
	if (sharing_is_figure(change->figure) && !(change->counts && sharing_of(changes, change)))
		return false;
	if (!isfinite(change->effect_ns))
		return change->verdict >= VERDICT_BETTER;
	return fabs(change->effect_ns) >= EFFECT_SHOWN * changes->elapsed_ns / 100 &&
	       !says_the_same(changes, change);
}

const struct change **diff_rows(const struct diff *diff, enum figure_section section, size_t top,
				size_t *count)
{
	const struct changes *changes = &diff->changes;
	const struct change **rows = memory_allocate(changes->count, sizeof *rows);

	*count = 0;
	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].figure->section == section &&
		    is_worth_a_line(changes, &changes->rows[i], top))
			rows[(*count)++] = &changes->rows[i];
	return rows;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/evidence.h"

#include "analyze/base/memory.h"
#include "analyze/diff/words.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void evidence_find(struct changes *changes, const struct side sides[2])
{
	if (!changes->cpu || !changes->elapsed)
		return;
	evidence_find_routines(changes, sides);
	evidence_find_shares(changes, sides);
	evidence_find_counts(changes);
}

/* ---- order */

static double size_of(const struct change *change)
{
	if (change->evidence == EVIDENCE_COUNT)
		return fabs(change->change_percent);
	return fabs(change->sides[1].share - change->sides[0].share);
}

/* They come in the order of the figures, which decides between equals. */
static int compare(const void *left, const void *right)
{
	const struct change *a = *(const struct change *const *)left;
	const struct change *b = *(const struct change *const *)right;

	if (a->decides != b->decides)
		return a->decides ? -1 : 1;
	if (a->evidence != b->evidence)
		return a->evidence < b->evidence ? -1 : 1;
	if (size_of(a) != size_of(b))
		return size_of(a) > size_of(b) ? -1 : 1;
	return (a > b) - (a < b);
}

const struct change **evidence_rows(const struct changes *changes, size_t *count)
{
	const struct change **rows = memory_allocate(changes->count + 1, sizeof *rows);

	*count = 0;
	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].evidence)
			rows[(*count)++] = &changes->rows[i];
	qsort(rows, *count, sizeof *rows, compare);
	return rows;
}

/* ---- in words */

static char *routine_text(const struct change *change)
{
	const struct figure *figure = change->figure;
	size_t side = change->evidence == EVIDENCE_NEW;
	char *name = text_without_templates(figure->at ? figure->at : words_name(figure));
	char *share = text_percent(change->sides[side].share);
	char *text = memory_print("%s: %s, %s of the CPU time%s%s", side ? "new" : "gone", name,
				  share, change->is_replaced ? ", in place of " : "",
				  !change->is_replaced ? ""
				  : side               ? "what is gone or was elsewhere"
						       : "what is new or is elsewhere");

	free(name);
	free(share);
	return text;
}

static char *share_text(const struct change *change)
{
	const struct figure *figure = change->figure;
	char *name = text_without_templates(figure->at ? figure->at : words_name(figure));
	char *before = text_percent(change->sides[0].share);
	char *after = text_percent(change->sides[1].share);
	char *text = memory_print("%s: %s of the CPU time instead of %s", name, after, before);

	free(name);
	free(before);
	free(after);
	return text;
}

#define ROUNDING 1e-20 /* of sums of squared logarithms that are equal */

static bool is_same_in_each(const struct change *change)
{
	for (size_t side = 0; side < 2; side++)
		if (change->welch.squares[side] > ROUNDING)
			return false;
	return true;
}

static const char *certainty_text(const struct change *change)
{
	if (change->welch.counts[0] < 2 && change->welch.counts[1] < 2)
		return ", of one run a side";
	return is_same_in_each(change) ? ", the same in each run"
				       : ", beyond the spread of the runs";
}

static char *count_text(const struct change *change)
{
	const struct figure *figure = change->figure;
	char *name = text_without_templates(words_name(figure));
	char *before = words_value(change->sides[0].median, figure->unit);
	char *after = words_value(change->sides[1].median, figure->unit);
	char *percent = words_change(change);
	bool is_of_key = !strcmp(figure->metric, "sum");
	char *text =
		memory_print("%s%s%s: %s -> %s%s%s%s%s", is_of_key ? "" : figure->metric,
			     is_of_key ? "" : " of ", name, before, after, *percent ? " (" : "",
			     percent, *percent ? ")" : "", certainty_text(change));

	free(name);
	free(before);
	free(after);
	free(percent);
	return text;
}

char *evidence_text(const struct change *change)
{
	switch (change->evidence) {
	case EVIDENCE_NEW:
	case EVIDENCE_GONE:
		return routine_text(change);
	case EVIDENCE_SHARE:
		return share_text(change);
	default:
		return count_text(change);
	}
}

const char *evidence_name(enum evidence evidence)
{
	static const char *const names[EVIDENCE_LIMIT] = {
		[EVIDENCE_NEW] = "new",
		[EVIDENCE_GONE] = "gone",
		[EVIDENCE_SHARE] = "share",
		[EVIDENCE_COUNT] = "count",
	};

	return names[evidence];
}

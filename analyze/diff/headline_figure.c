/* SPDX-License-Identifier: MIT */
#include "analyze/diff/headline_figure.h"

#include "analyze/base/memory.h"
#include "analyze/diff/words.h"

#include <stdlib.h>

int headline_direction(const struct changes *changes)
{
	int status = changes_status(changes);

	return status == 1 ? 1 : status ? -1 : 0;
}

/* The change that would have been needed, if it is not believed, or if a change of the threshold
 * could not have been seen. */
static char *limit_text(const struct change *change)
{
	char *limit = words_limit(change), *text = NULL;

	if (change->verdict == VERDICT_NOISE)
		text = memory_print(", within noise: would need %s", limit);
	else if (change->verdict == VERDICT_NONE && change->noise >= change->limit && *limit)
		text = memory_print(", would show from %s on", limit);
	free(limit);
	return text ? text : memory_copy_text("");
}

char *headline_figure(const char *name, const struct change *change, bool with_verdict)
{
	char *before = words_value(change->sides[0].median, change->figure->unit);
	char *after = words_value(change->sides[1].median, change->figure->unit);
	char *percent = words_change(change);
	char *limit = with_verdict ? limit_text(change) : memory_copy_text("");
	char *text = memory_print("%s %s -> %s (%s%s)", name, before, after, percent, limit);

	free(limit);
	free(before);
	free(after);
	free(percent);
	return text;
}

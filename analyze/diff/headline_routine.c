/* SPDX-License-Identifier: MIT */
#include "analyze/diff/headline_routine.h"

#include "analyze/base/memory.h"
#include "analyze/diff/headline_figure.h"
#include "analyze/diff/verdict.h"
#include "analyze/diff/words.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the last name of a path that ends at `end` begins. */
static size_t last_name(const char *path, size_t end)
{
	while (end && strncmp(path + end - 1, "> ", 2) != 0)
		end--;
	return end ? end + 1 : 0;
}

/* Is it known to be an inlined leaf? */
static bool is_detail(const struct changes *changes, const char *name, size_t length)
{
	char *key = memory_print("%.*s", (int)length, name);
	const struct change *row = changes_find(changes, SECTION_ROUTINES, key, "self");

	free(key);
	return row && row->figure->is_detail;
}

/* The caller in a path that ends in the routine, skipping itself and inlined leaves; NULL: there is
 * none. */
static const char *caller_in(const struct changes *changes, const char *path, const char *routine,
			     size_t *length)
{
	size_t end = strlen(path), bytes = strlen(routine);
	bool is_found = false;

	for (;;) {
		size_t start = last_name(path, end);
		bool is_it = end - start == bytes && !strncmp(path + start, routine, bytes);

		if (!is_it && !is_found)
			return NULL;
		*length = end - start;
		if (!is_it && !is_detail(changes, path + start, end - start))
			return path + start;
		if (!start)
			return NULL;
		is_found = true;
		end = start - strlen(" > ");
	}
}

/* From the call path of the routine that changed most; NULL: unknown. */
static char *caller_of(const struct changes *changes, const struct change *routine)
{
	const char *caller = NULL;
	size_t length = 0;
	double most = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *path = &changes->rows[i];
		size_t bytes;
		const char *name = path->figure->section == SECTION_PATHS
					   ? caller_in(changes, path->figure->key,
						       routine->figure->key, &bytes)
					   : NULL;

		if (!name || change_tendency(path) != change_tendency(routine) ||
		    fabs(path->difference) <= most)
			continue;
		most = fabs(path->difference);
		caller = name;
		length = bytes;
	}
	return caller ? memory_print("%.*s", (int)length, caller) : NULL;
}

/* For a new routine, the one of the same caller that is gone, or vice versa. */
static const struct change *replaced_by(const struct changes *changes, const struct change *routine,
					const char *caller)
{
	enum verdict wanted = routine->verdict == VERDICT_NEW ? VERDICT_GONE : VERDICT_NEW;
	const struct change *best = NULL;

	for (size_t i = 0; caller && i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (change->figure->section != SECTION_ROUTINES || change->verdict != wanted ||
		    change->figure->role != ROLE_CAUSE || !change->counts ||
		    (best && fabs(change->effect_ns) <= fabs(best->effect_ns)))
			continue;
		char *other = caller_of(changes, change);

		if (other && !strcmp(other, caller))
			best = change;
		free(other);
	}
	return best;
}

/* "g takes 0.3 s CPU time, where f took 0.2 s" */
static char *replacement_text(const struct change *routine, const struct change *other)
{
	bool is_new = routine->verdict == VERDICT_NEW;
	const struct change *after = is_new ? routine : other, *before = is_new ? other : routine;
	char *new_name = text_without_templates(words_name(after->figure));
	char *old_name = text_without_templates(words_name(before->figure));
	char *now = text_seconds(after->sides[1].median);
	char *then = text_seconds(before->sides[0].median);
	char *text = memory_print("%s takes %s CPU time, where %s took %s", new_name, now, old_name,
				  then);

	free(new_name);
	free(old_name);
	free(now);
	free(then);
	return text;
}

static char *plain_text(const struct change *change, const char *caller)
{
	char *name = text_without_templates(words_name(change->figure));
	char *amount = words_amount(change), *percent = words_change(change);
	const char *state = change->verdict == VERDICT_NEW    ? ", which is new,"
			    : change->verdict == VERDICT_GONE ? ", which is gone,"
							      : "";
	bool has_percent = *percent && !*state, is_total = !strcmp(change->figure->metric, "total");
	char *text = memory_print("%s%s takes %s %s CPU time%s%s%s%s%s%s", name, state, amount,
				  words_more(change), has_percent ? " (" : "",
				  has_percent ? percent : "", has_percent ? ")" : "",
				  is_total ? " with all that it calls" : "",
				  caller ? ", called by " : "", caller ? caller : "");

	free(name);
	free(amount);
	free(percent);
	return text;
}

/* Does its name alone say little? */
static bool is_told_with_caller(const struct change *change)
{
	return change->figure->place || change->figure->is_detail;
}

bool headline_is_own_time(const struct change *change)
{
	return change->figure->section == SECTION_ROUTINES && change->figure->role == ROLE_CAUSE &&
	       !strcmp(change->figure->metric, "self");
}

char *headline_routine_figure(const struct change *change)
{
	char *name = text_without_templates(words_name(change->figure));
	char *text = headline_figure(name, change, true);

	free(name);
	return text;
}

#define MOST 0.5 /* of the change of the run's CPU time */

char *headline_routine_guess(const struct changes *changes)
{
	const struct change *cpu = changes->cpu;

	for (size_t i = 0; i < changes->count; i++) { /* the largest effect first */
		const struct change *row = &changes->rows[i];

		if (!headline_is_own_time(row) || row->verdict != VERDICT_NOISE ||
		    change_tendency(row) != change_direction(cpu))
			continue;
		if (fabs(row->difference) < MOST * fabs(cpu->difference))
			return NULL;
		char *figure = headline_routine_figure(row);
		char *text = memory_print("perhaps %s", figure);

		free(figure);
		return text;
	}
	return NULL;
}

char *headline_routine_name(const struct changes *changes, const struct change *change)
{
	char *name = text_without_templates(words_name(change->figure));
	char *caller = is_told_with_caller(change) ? caller_of(changes, change) : NULL;
	char *text = caller ? memory_print("%s in %s", name, caller) : memory_copy_text(name);

	free(name);
	free(caller);
	return text;
}

char *headline_routine_text(const struct changes *changes, const struct change *change)
{
	bool is_other = change->verdict == VERDICT_NEW || change->verdict == VERDICT_GONE;
	char *caller = caller_of(changes, change);
	const struct change *other = is_other ? replaced_by(changes, change, caller) : NULL;
	char *text = other ? replacement_text(change, other)
			   : plain_text(change, is_told_with_caller(change) ? caller : NULL);

	free(caller);
	return text;
}

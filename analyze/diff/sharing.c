/* SPDX-License-Identifier: MIT */
#include "analyze/diff/sharing.h"

#include "analyze/base/memory.h"
#include "analyze/diff/words.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The CPU time may explain at most this share of the change. */
#define EXPLAINED 0.5
/* CPU times within this factor are the same work: they are sampled, and caches differ in two
 * places. */
#define AS_MUCH_WORK 2
/* Effects of at least this share of the largest are as large as that. */
#define AS_LARGE 0.8

static const struct change *row_of(const struct changes *changes, const struct change *change,
				   const char *metric)
{
	return changes_find(changes, SECTION_ROUTINES, change->figure->key, metric);
}

bool sharing_is_figure(const struct figure *figure)
{
	static const char *const metrics[] = {"elapsed", "alone", "longest", "threads"};

	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		if (figure->section == SECTION_ROUTINES && !strcmp(figure->metric, metrics[i]))
			return true;
	return false;
}

/* Otherwise the routine was split or renamed, or is new or gone. */
static bool is_on_both_sides(const struct change *change)
{
	return change->sides[0].median > 0 && change->sides[1].median > 0;
}

/* CPU time that changed in the same direction explains a part of it. If it changed by more than the
 * factor, the routine does something else, or its code was inlined elsewhere: nothing was
 * distributed otherwise. */
static bool is_explained_by_work(const struct change *change, const struct change *work)
{
	bool goes_along = (work->difference < 0) == (change->difference < 0);
	double before = work->sides[0].median, after = work->sides[1].median;

	return fmax(before, after) > AS_MUCH_WORK * fmin(before, after) ||
	       (goes_along && fabs(work->effect_ns) > EXPLAINED * fabs(change->effect_ns));
}

/* From one thread to several, or vice versa, and that made it shorter, or longer. */
static bool is_parallel_on_one_side(const struct change *change, const struct change *threads)
{
	double before = threads->sides[0].median, after = threads->sides[1].median;

	return fmin(before, after) <= 1 && fmax(before, after) >= 2 &&
	       (after > before) == (change->difference < 0);
}

static enum sharing sharing_of_all(const struct changes *changes, const struct change *change,
				   const struct change *threads)
{
	const struct change *alone = row_of(changes, change, "alone");

	if (is_parallel_on_one_side(change, threads))
		return SHARING_PARALLEL;
	if (fmin(threads->sides[0].median, threads->sides[1].median) < 2 || !alone ||
	    !alone->counts || change_tendency(alone) != change_tendency(change))
		return SHARING_NONE;
	return fabs(alone->difference) > EXPLAINED * fabs(change->difference) ? SHARING_ALONE
									      : SHARING_NONE;
}

enum sharing sharing_of(const struct changes *changes, const struct change *change)
{
	if (change->figure->role != ROLE_SHARING || !is_on_both_sides(change))
		return SHARING_NONE;
	bool is_of_all = !strcmp(change->figure->metric, "elapsed");
	const struct change *work = row_of(changes, change, is_of_all ? "total" : "self");
	const struct change *threads = row_of(changes, change, "threads");

	if (!work || !threads || is_explained_by_work(change, work))
		return SHARING_NONE;
	if (is_of_all)
		return sharing_of_all(changes, change, threads);
	return fmin(threads->sides[0].median, threads->sides[1].median) >= 2 ? SHARING_EVEN
									     : SHARING_NONE;
}

static double work_of(const struct changes *changes, const struct change *change)
{
	const struct change *total = row_of(changes, change, "total");

	return total && !change->figure->is_detail ? total->sides[0].median : INFINITY;
}

const struct change *sharing_innermost(const struct changes *changes, const struct change *change)
{
	enum sharing sharing = sharing_of(changes, change);
	const struct change *best = change;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *row = &changes->rows[i];

		if (row->figure->role == ROLE_SHARING && row->counts &&
		    change_direction(row) == change_direction(change) &&
		    !strcmp(row->figure->metric, change->figure->metric) &&
		    fabs(row->effect_ns) >= AS_LARGE * fabs(change->effect_ns) &&
		    sharing_of(changes, row) == sharing &&
		    work_of(changes, row) < work_of(changes, best))
			best = row;
	}
	return best;
}

/* ---- in words */

static char *threads_text(double threads)
{
	return threads <= 1 ? memory_copy_text("one thread")
			    : memory_print("%.0f threads", round(threads));
}

static char *parallel_text(const struct changes *changes, const struct change *change,
			   const char *name)
{
	const struct change *alone = row_of(changes, change, "alone"),
			    *threads = row_of(changes, change, "threads");
	char *before = text_seconds(alone->sides[0].median);
	char *after = text_seconds(alone->sides[1].median);
	char *then = threads_text(threads->sides[0].median);
	char *now = threads_text(threads->sides[1].median);
	char *text = memory_print("%s ran in %s, alone for %s; now in %s, alone for %s", name, then,
				  before, now, after);

	free(before);
	free(after);
	free(then);
	free(now);
	return text;
}

static char *even_text(const struct changes *changes, const struct change *change, const char *name)
{
	const struct change *work = row_of(changes, change, "self");
	char *before = text_seconds(change->sides[0].median);
	char *after = text_seconds(change->sides[1].median);
	char *all = text_seconds(work->sides[1].median);
	char *text =
		memory_print("%s is shared out %s evenly: the thread that ran it longest had "
			     "%s of it, now %s of %s",
			     name, change->difference < 0 ? "more" : "less", before, after, all);

	free(before);
	free(after);
	free(all);
	return text;
}

static char *alone_text(const struct changes *changes, const struct change *change,
			const char *name)
{
	const struct change *alone = row_of(changes, change, "alone");
	char *before = text_seconds(alone->sides[0].median);
	char *after = text_seconds(alone->sides[1].median);
	char *text = memory_print("%s ran alone for %s, now for %s", name, before, after);

	free(before);
	free(after);
	return text;
}

char *sharing_text(const struct changes *changes, const struct change *change, const char *name)
{
	static char *(*const texts[])(const struct changes *changes, const struct change *change,
				      const char *name) = {
		[SHARING_NONE] = alone_text,
		[SHARING_PARALLEL] = parallel_text,
		[SHARING_EVEN] = even_text,
		[SHARING_ALONE] = alone_text,
	};

	return texts[sharing_of(changes, change)](changes, change, name);
}

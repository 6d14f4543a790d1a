/* SPDX-License-Identifier: MIT */
/* Routines that only one side has. */
#include "analyze/base/memory.h"
#include "analyze/diff/diff_test.h"
#include "analyze/diff/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLING_ERRORS 3 /* nine samples: to be in none by chance has a probability of 0.0001 */
#define REPLACED        0.5

static bool is_time_of_routine(const struct change *change, const char *metric)
{
	return change->figure->section == SECTION_ROUTINES &&
	       !strcmp(change->figure->metric, metric);
}

/* Median of the percentage of each run's CPU time. */
static double share_of(const struct changes *changes, const struct change *change, size_t side,
		       size_t runs)
{
	double *shares = memory_allocate(runs, sizeof *shares);

	for (size_t i = 0; i < runs; i++) {
		double cpu = changes->cpu->sides[side].values[i];

		shares[i] = cpu > 0 ? 100 * change->sides[side].values[i] / cpu : 0;
	}
	double median = diff_test_median(shares, runs);

	free(shares);
	return median;
}

/* Of all runs of the side, and of none of the other. */
static bool is_only_of(const struct change *change, size_t side, const struct side sides[2])
{
	return change->sides[side].present >= sides[side].count && !change->sides[!side].present;
}

static bool is_sampled(const struct change_side *side)
{
	return side->median >= SAMPLING_ERRORS * side->error;
}

static void mark(struct changes *changes, struct change *change, size_t side,
		 const struct side sides[2])
{
	double share = share_of(changes, change, side, sides[side].count);

	if (!(share >= fmax(1, changes->threshold_percent)))
		return;
	change->evidence = side ? EVIDENCE_NEW : EVIDENCE_GONE;
	change->sides[side].share = share;
	change->sides[!side].share = 0;
}

/* ---- what they call */

/* Does the name stand in the path, as the last one if it is to be? The length of what is before it,
 * or SIZE_MAX. */
static size_t find_name(const char *path, const char *name, bool is_last)
{
	size_t length = strlen(name);

	for (const char *at = path; (at = strstr(at, name)); at++) {
		bool is_begun = at == path || (at - path >= 2 && !strncmp(at - 2, "> ", 2));
		bool is_ended = !at[length] || !strncmp(at + length, " > ", 3);

		if (is_begun && is_ended && (!is_last || !at[length]))
			return (size_t)(at - path);
	}
	return SIZE_MAX;
}

/* Is `caller` on a path that ends in the routine, or goes on from it? */
static bool calls(const struct changes *changes, const char *caller, const char *routine)
{
	for (size_t i = 0; i < changes->count; i++) {
		const struct figure *figure = changes->rows[i].figure;

		if (figure->section != SECTION_PATHS)
			continue;
		size_t outer = find_name(figure->key, caller, false);
		size_t inner = find_name(figure->key, routine, false);

		if (outer != SIZE_MAX && inner != SIZE_MAX && outer < inner)
			return true;
	}
	return false;
}

static bool is_below_another(const struct changes *changes, const struct change *change)
{
	for (size_t i = 0; i < changes->count; i++) {
		const struct change *other = &changes->rows[i];

		if (other != change && other->evidence == change->evidence &&
		    fabs(other->difference) >= fabs(change->difference) &&
		    calls(changes, other->figure->key, change->figure->key))
			return true;
	}
	return false;
}

/* From the smallest on, so that of a chain of new routines the outermost is left. */
static void drop_inner(struct changes *changes)
{
	bool *is_inner = memory_allocate(changes->count, sizeof *is_inner);

	for (size_t i = 0; i < changes->count; i++)
		is_inner[i] =
			changes->rows[i].evidence && is_below_another(changes, &changes->rows[i]);
	for (size_t i = 0; i < changes->count; i++)
		if (is_inner[i])
			changes->rows[i].evidence = EVIDENCE_NONE;
	free(is_inner);
}

/* ---- what they replaced */

static double time_of(const struct changes *changes, enum evidence evidence)
{
	double sum = 0;

	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].evidence == evidence)
			sum += fabs(changes->rows[i].difference);
	return sum;
}

static bool is_called_by(const struct changes *changes, enum evidence evidence, const char *caller)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].evidence == evidence &&
		    calls(changes, caller, changes->rows[i].figure->key))
			return true;
	return false;
}

/* How much less CPU time the callers of new routines took themselves: code that was moved out of
 * them, or is no longer inlined. The other way round for what is gone. */
static double time_of_callers(const struct changes *changes, enum evidence evidence)
{
	int direction = evidence == EVIDENCE_NEW ? -1 : 1;
	double sum = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];
		double moved = direction * change->difference;

		if (is_time_of_routine(change, "self") && moved > 0 && change->sides[0].present &&
		    change->sides[1].present &&
		    is_called_by(changes, evidence, change->figure->key))
			sum += moved;
	}
	return sum;
}

/* Routines that only the other side has, be they as large as the threshold or not. */
static double time_of_others(const struct changes *changes, enum evidence evidence,
			     const struct side sides[2])
{
	size_t other = evidence == EVIDENCE_NEW ? 0 : 1;
	double sum = 0;

	for (size_t i = 0; i < changes->count; i++)
		if (is_time_of_routine(&changes->rows[i], "self") &&
		    is_only_of(&changes->rows[i], other, sides))
			sum += changes->rows[i].sides[other].median;
	return sum;
}

static void find_replaced(struct changes *changes, enum evidence evidence,
			  const struct side sides[2])
{
	double all = time_of(changes, evidence);

	if (!(all > 0))
		return;
	bool is_replaced =
		time_of_others(changes, evidence, sides) + time_of_callers(changes, evidence) >=
		REPLACED * all;

	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].evidence == evidence)
			changes->rows[i].is_replaced = is_replaced;
}

void evidence_find_routines(struct changes *changes, const struct side sides[2])
{
	for (size_t i = 0; i < changes->count; i++) {
		struct change *change = &changes->rows[i];

		for (size_t side = 0; side < 2; side++)
			if (is_time_of_routine(change, "total") &&
			    is_only_of(change, side, sides) && is_sampled(&change->sides[side]))
				mark(changes, change, side, sides);
	}
	drop_inner(changes);
	find_replaced(changes, EVIDENCE_NEW, sides);
	find_replaced(changes, EVIDENCE_GONE, sides);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/growth.h"

#include <math.h>
#include <string.h>

#define SHARE_MIN       0.9
#define TOLERANCE       0.15
#define SAMPLING_ERRORS 2
#define ROUTINES_MIN    2
#define FACTOR_MIN      1.2 /* below, everything has nearly the same factor */

/* Is the change of so much as the factor makes of A's value? */
static bool follows(const struct change *change, double factor)
{
	double before = change->sides[0].median, after = change->sides[1].median;
	double error = hypot(factor * change->sides[0].error, change->sides[1].error);

	double most = fmax(after, factor * before), unsure = SAMPLING_ERRORS * error;

	/* A few samples follow any factor, and 1 as well. */
	return fabs(after - before) >= fabs(factor - 1) * before / 2 && unsure <= most / 2 &&
	       fabs(after - factor * before) <= TOLERANCE * most + unsure;
}

static bool is_routine(const struct figure *figure)
{
	return figure->section == SECTION_ROUTINES && !strcmp(figure->metric, "self") &&
	       figure->role == ROLE_CAUSE;
}

/* Calls and bytes: what a program does, whatever time it takes. How many calls found that they had
 * to wait is chance. */
static bool is_amount(const struct figure *figure)
{
	return (figure->unit == UNIT_COUNT || figure->unit == UNIT_BYTES) &&
	       strcmp(figure->metric, "waited") != 0;
}

static bool is_of_times(const struct changes *changes, double factor)
{
	double with = 0, all = 0;
	size_t routines = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (!is_routine(change->figure))
			continue;
		all += change->sides[0].median;
		if (!follows(change, factor) || !(change->sides[0].median > 0))
			continue;
		with += change->sides[0].median;
		routines += change->sides[0].median >= 0.05 * changes->cpu->sides[0].median;
	}
	return routines >= ROUTINES_MIN && with >= SHARE_MIN * all &&
	       all >= SHARE_MIN / 2 * changes->cpu->sides[0].median;
}

/* Of the amounts that are large enough to have a factor. */
static bool is_of_amounts(const struct changes *changes, double factor)
{
	enum { AMOUNT_MIN = 10 };
	size_t with = 0, all = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (!is_amount(change->figure) || !(change->sides[0].median >= AMOUNT_MIN))
			continue;
		all++;
		with += follows(change, factor);
	}
	return with && with >= all / 2.0;
}

struct growth growth_of(const struct changes *changes)
{
	struct growth growth = {GROWTH_NONE, NAN};

	if (!changes->cpu || !(changes->cpu->sides[0].median > 0))
		return growth;
	growth.factor = changes->cpu->sides[1].median / changes->cpu->sides[0].median;
	bool is_large = growth.factor >= FACTOR_MIN || growth.factor <= 1 / FACTOR_MIN;

	if (!is_large || !change_direction(changes->cpu) || !is_of_times(changes, growth.factor))
		return growth;
	growth.kind = is_of_amounts(changes, growth.factor) ? GROWTH_OF_WORK : GROWTH_OF_TIMES;
	return growth;
}

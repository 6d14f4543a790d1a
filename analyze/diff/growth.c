/* SPDX-License-Identifier: MIT */
#include "analyze/diff/growth.h"

#include "analyze/base/memory.h"
#include "analyze/diff/diff_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_MIN        0.9
#define TOLERANCE        0.15
#define WORK_TOLERANCE   0.4 /* of CPU time if exact counts determine the factor */
#define SAMPLING_ERRORS  2
#define ROUTINES_MIN     2
#define AMOUNT_MIN       10
#define AMOUNT_TOLERANCE 0.05
#define FACTOR_MIN       1.2 /* below it, everything has nearly the same factor */

static double unsure_of(const struct change *change, double factor)
{
	return SAMPLING_ERRORS * hypot(factor * change->sides[0].error, change->sides[1].error);
}

static double most_of(const struct change *change, double factor)
{
	return fmax(change->sides[1].median, factor * change->sides[0].median);
}

/* A few samples agree with any factor, also with 1. */
static bool is_vague(const struct change *change, double factor)
{
	return unsure_of(change, factor) > most_of(change, factor) / 2;
}

/* Does the change follow the factor? If counts determine the factor, samples need only not
 * contradict it: 116 and 150 ms may be half and all of 300. */
static bool follows(const struct change *change, double factor, bool is_counted)
{
	double before = change->sides[0].median, after = change->sides[1].median;
	double moved = fabs(after - before) + (is_counted ? unsure_of(change, factor) : 0);
	double tolerance = is_counted ? WORK_TOLERANCE : TOLERANCE;

	return moved >= fabs(factor - 1) * before / 2 &&
	       fabs(after - factor * before) <=
		       tolerance * most_of(change, factor) + unsure_of(change, factor);
}

static bool is_routine(const struct figure *figure)
{
	return figure->section == SECTION_ROUTINES && !strcmp(figure->metric, "self") &&
	       figure->role == ROLE_CAUSE;
}

/* Calls and bytes: what a program does, however long that takes. How many calls had to wait is
 * chance, and so are many of the events that hardware counts. Bytes of descriptors say no more than
 * calls on them, and a line of output has many. The memory of a process is none. */
static bool is_amount(const struct figure *figure)
{
	if (figure->section == SECTION_WAITS && figure->unit == UNIT_BYTES)
		return false;
	return (figure->unit == UNIT_COUNT || figure->unit == UNIT_BYTES) && !figure->is_further &&
	       figure->section != SECTION_COUNTERS && figure->section != SECTION_OVERVIEW &&
	       strcmp(figure->metric, "waited") != 0;
}

static bool is_of_all(const struct changes *changes, double factor, bool is_counted)
{
	double with = 0, all = 0;
	size_t routines = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (!is_routine(change->figure) || is_vague(change, factor))
			continue;
		all += change->sides[0].median;
		if (!follows(change, factor, is_counted) || !(change->sides[0].median > 0))
			continue;
		with += change->sides[0].median;
		routines += change->sides[0].median >= 0.05 * changes->cpu->sides[0].median;
	}
	return routines >= ROUTINES_MIN && with >= SHARE_MIN * all &&
	       all >= SHARE_MIN / 2 * changes->cpu->sides[0].median;
}

double growth_factor_of_amounts(const struct changes *changes)
{
	double *factors = memory_allocate(changes->count, sizeof *factors);
	size_t count = 0, with = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (is_amount(change->figure) && change->sides[0].median >= AMOUNT_MIN)
			factors[count++] = change->sides[1].median / change->sides[0].median;
	}
	double factor = diff_test_median(factors, count);

	for (size_t i = 0; i < count; i++)
		with += fabs(factors[i] - factor) <= AMOUNT_TOLERANCE * factor;
	free(factors);
	return count && 2 * with >= count ? factor : NAN;
}

bool growth_is_by_factor(const struct change *change, double factor)
{
	double own = change->sides[1].median / change->sides[0].median;

	return is_amount(change->figure) && fabs(own - factor) <= AMOUNT_TOLERANCE * factor;
}

static bool is_large(double factor)
{
	return factor >= FACTOR_MIN || factor <= 1 / FACTOR_MIN;
}

struct growth growth_of(const struct changes *changes)
{
	const struct growth none = {GROWTH_NONE, NAN, NAN};

	if (!changes->cpu || !(changes->cpu->sides[0].median > 0) ||
	    !change_direction(changes->cpu))
		return none;
	double cpu = changes->cpu->sides[1].median / changes->cpu->sides[0].median;
	double amounts = growth_factor_of_amounts(changes);

	/* Counts are exact; CPU time varies, most of all in code that others wait for. */
	if (isfinite(amounts) && is_large(amounts))
		return fabs(cpu - amounts) <= WORK_TOLERANCE * fmax(cpu, amounts) &&
				       is_of_all(changes, amounts, true)
			       ? (struct growth){GROWTH_OF_WORK, amounts, cpu}
			       : none;
	if (isfinite(amounts) && fabs(amounts - 1) > AMOUNT_TOLERANCE)
		return none;
	return is_large(cpu) && is_of_all(changes, cpu, false)
		       ? (struct growth){GROWTH_OF_TIMES, cpu, cpu}
		       : none;
}

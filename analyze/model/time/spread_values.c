/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/spread_values.h"

#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

size_t spread_units_add(struct spread_units *units, const struct spread_unit *unit)
{
	units->rows = memory_grow(units->rows, units->count, &units->capacity, sizeof *units->rows);
	units->rows[units->count] = *unit;
	return units->count++;
}

/* Of equal times that of the first process, and of the first thread there, is kept: so what is kept
 * does not depend on the parts in which a run was merged. */
static bool is_less(const struct spread_units *units, const struct spread_pair *a,
		    const struct spread_pair *b)
{
	const struct spread_unit *of_a = &units->rows[a->unit], *of_b = &units->rows[b->unit];

	if (a->self_ns != b->self_ns)
		return a->self_ns < b->self_ns;
	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns;
	return of_a->process != of_b->process ? of_a->process > of_b->process
					      : of_a->tid > of_b->tid;
}

/* Most lines are of one unit: there is no room for more until it is needed. */
static void grow(struct spread_pairs *pairs)
{
	size_t wanted = pairs->capacity ? 4 * pairs->capacity : 1;
	struct spread_pair *rows = memory_allocate(wanted, sizeof *rows);

	if (pairs->count)
		memcpy(rows, pairs->rows, pairs->count * sizeof *rows);
	free(pairs->rows);
	pairs->rows = rows;
	pairs->capacity = wanted;
}

void spread_pairs_add(struct spread_pairs *pairs, const struct spread_units *units,
		      const struct spread_pair *pair)
{
	struct spread_pair *least = pairs->rows;

	if (pairs->count < SPREAD_VALUES_MOST) {
		if (pairs->count == pairs->capacity)
			grow(pairs);
		pairs->rows[pairs->count++] = *pair;
		return;
	}
	for (size_t i = 1; i < pairs->count; i++)
		if (is_less(units, &pairs->rows[i], least))
			least = &pairs->rows[i];
	if (is_less(units, least, pair))
		*least = *pair;
}

static int compare(const void *left, const void *right)
{
	const struct spread_value *a = left, *b = right;

	return (a->ns < b->ns) - (a->ns > b->ns);
}

struct spread_value *spread_pairs_values(const struct spread_pairs *pairs,
					 const struct spread_units *units, bool is_total)
{
	struct spread_value *values = memory_allocate(pairs->count, sizeof *values);

	for (size_t i = 0; i < pairs->count; i++) {
		const struct spread_pair *pair = &pairs->rows[i];

		values[i].at = units->rows[pair->unit];
		values[i].ns = is_total ? pair->total_ns : pair->self_ns;
	}
	if (pairs->count)
		qsort(values, pairs->count, sizeof *values, compare);
	return values;
}

void spread_pairs_clear(struct spread_pairs *pairs)
{
	free(pairs->rows);
	*pairs = (struct spread_pairs){0};
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/counters/counter_places.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>

struct counter_table {
	struct keyed_table *rows; /* struct counter_place */
};

struct counter_table *counter_table_create(void)
{
	struct counter_table *table = memory_allocate(1, sizeof *table);

	table->rows = keyed_table_create(sizeof(struct counter_place),
					 offsetof(struct counter_place, sums));
	return table;
}

void counter_table_destroy(struct counter_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < counter_table_count(table); i++)
		free(counter_table_at(table, i)->sums);
	keyed_table_destroy(table->rows);
	free(table);
}

struct counter_place *counter_table_place(struct counter_table *table, enum counter_kind kind,
					  size_t a, size_t b)
{
	const struct counter_place probe = {.kind = kind, .a = a, .b = b};

	return keyed_table_enter(table->rows, &probe, NULL);
}

const struct counter_place *counter_table_find(const struct counter_table *table,
					       enum counter_kind kind, size_t a, size_t b)
{
	const struct counter_place probe = {.kind = kind, .a = a, .b = b};

	return table ? keyed_table_find(table->rows, &probe) : NULL;
}

size_t counter_table_count(const struct counter_table *table)
{
	return keyed_table_count(table->rows);
}

struct counter_place *counter_table_at(const struct counter_table *table, size_t number)
{
	return keyed_table_row(table->rows, number);
}

struct counter_sums *counter_place_sums(struct counter_place *place, size_t event)
{
	while (event >= place->limit)
		place->sums =
			memory_grow(place->sums, place->limit, &place->limit, sizeof *place->sums);
	return &place->sums[event];
}

bool counter_place_knows(const struct counter_place *place, size_t event)
{
	bool counts_itself = place->kind == COUNTER_THREAD || place->kind == COUNTER_PROCESS;

	return !counts_itself || (event < place->limit && place->sums[event].is_known);
}

const struct counter_sum *counter_place_sum(const struct counter_place *place, size_t event,
					    enum counter_part part)
{
	static const struct counter_sum nothing;

	return event < place->limit ? &place->sums[event].part[part] : &nothing;
}

void counter_sum_add(struct counter_sum *to, const struct counter_sum *from)
{
	to->count += from->count;
	to->scaled += from->scaled;
	to->samples += from->samples;
}

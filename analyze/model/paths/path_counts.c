/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/path_counts.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>

struct path_counts {
	struct keyed_table *rows; /* struct path_count */
};

struct path_counts *path_counts_create(void)
{
	struct path_counts *counts = memory_allocate(1, sizeof *counts);

	counts->rows =
		keyed_table_create(sizeof(struct path_count), offsetof(struct path_count, sum));
	return counts;
}

void path_counts_destroy(struct path_counts *counts)
{
	if (!counts)
		return;
	keyed_table_destroy(counts->rows);
	free(counts);
}

void path_counts_add(struct path_counts *counts, size_t node, const char *event,
		     const struct counter_sum *sum)
{
	const struct path_count probe = {.node = node, .event = event};
	struct path_count *row = keyed_table_enter(counts->rows, &probe, NULL);

	counter_sum_add(&row->sum, sum);
}

size_t path_counts_count(const struct path_counts *counts)
{
	return counts ? keyed_table_count(counts->rows) : 0;
}

const struct path_count *path_counts_at(const struct path_counts *counts, size_t number)
{
	return keyed_table_row(counts->rows, number);
}

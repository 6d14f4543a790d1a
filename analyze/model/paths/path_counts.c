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
		keyed_table_create(sizeof(struct path_count), offsetof(struct path_count, count));
	return counts;
}

void path_counts_destroy(struct path_counts *counts)
{
	if (!counts)
		return;
	keyed_table_destroy(counts->rows);
	free(counts);
}

void path_counts_add(struct path_counts *counts, const struct path_count *added)
{
	bool is_new;
	struct path_count *row = keyed_table_enter(counts->rows, added, &is_new);

	if (!is_new)
		merged_unite(MERGED_path_counts, row, added);
}

size_t path_counts_count(const struct path_counts *counts)
{
	return counts ? keyed_table_count(counts->rows) : 0;
}

const struct path_count *path_counts_at(const struct path_counts *counts, size_t number)
{
	return keyed_table_row(counts->rows, number);
}

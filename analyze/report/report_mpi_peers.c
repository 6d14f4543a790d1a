/* SPDX-License-Identifier: MIT */
/* Who sent how much to whom, and who waited for whom. The whole matrix is in the JSON. */
#include "analyze/base/memory.h"
#include "analyze/model/run/carried.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

#define ROW      const struct mpi_pair
#define ROW_NAME peers
#include "analyze/report/define_fields.h"

static const struct mpi_pair **by_bytes(const struct mpi_pairs *pairs)
{
	const struct mpi_pair **rows = memory_allocate(pairs->count, sizeof *rows);

	for (size_t i = 0; i < pairs->count; i++)
		rows[i] = &pairs->rows[i];
	return rows;
}

static int compare_waits(const void *left, const void *right)
{
	const struct mpi_pair *a = *(const struct mpi_pair *const *)left;
	const struct mpi_pair *b = *(const struct mpi_pair *const *)right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	return (a > b) - (a < b);
}

static void print_pairs(const struct report *report, const struct mpi_pair **rows, size_t count)
{
	struct row_table *table = row_table_create(report, &peers_fields);

	for (size_t i = 0; i < count; i++)
		row_table_add(table, rows[i]);
	row_table_print(table);
}

static size_t count_waiting(const struct mpi_pair **rows, size_t count)
{
	size_t waiting = 0;

	while (waiting < count && rows[waiting]->wait_ns)
		waiting++;
	return waiting;
}

void report_peers_text(const struct report *report)
{
	const struct mpi_pairs *pairs = &report->run->mpi.pairs;
	const struct mpi_pair **rows = by_bytes(pairs);

	print_pairs(report, rows, report_rows(report, pairs->count));
	report_print_rest(report, pairs->count);
	if (pairs->count > report_rows(report, pairs->count)) {
		qsort(rows, pairs->count, sizeof *rows, compare_waits);
		fprintf(report->out, "  who waited longest:\n");
		print_pairs(report, rows, report_rows(report, count_waiting(rows, pairs->count)));
	}
	free(rows);
}

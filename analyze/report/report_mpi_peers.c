/* SPDX-License-Identifier: MIT */
/* Who sent how much to whom, and who waited for whom. The whole matrix is in the JSON. */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

static char *peer_text(uint64_t rank)
{
	return rank == MPI_NO_PEER ? memory_copy_text("further") : text_count(rank);
}

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
	static const struct text_column columns[] = {
		{"rank", TEXT_RIGHT},          {"peer", TEXT_RIGHT},     {"sent", TEXT_RIGHT},
		{"bytes", TEXT_RIGHT},         {"received", TEXT_RIGHT}, {"bytes", TEXT_RIGHT},
		{"waited for it", TEXT_RIGHT},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < count; i++) {
		text_table_add(table, report_rank_text(report, rows[i]->job, rows[i]->rank));
		text_table_add(table, peer_text(rows[i]->peer));
		text_table_add(table, text_count(rows[i]->messages_sent));
		text_table_add(table, text_size(rows[i]->bytes_sent));
		text_table_add(table, text_count(rows[i]->messages_received));
		text_table_add(table, text_size(rows[i]->bytes_received));
		text_table_add(table, text_seconds((double)rows[i]->wait_ns));
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
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

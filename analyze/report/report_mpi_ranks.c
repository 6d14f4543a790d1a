/* SPDX-License-Identifier: MIT */
/* Ranks: those that differ most from the others, who sent how much to whom, and who came late to
 * collective calls. All of them are in the JSON. */
#include "analyze/base/memory.h"
#include "analyze/model/run/carried.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

char *report_rank_text(const struct report *report, uint64_t job, uint64_t rank)
{
	const struct mpi_jobs *jobs = &report->run->mpi.jobs;

	return jobs->count > 1 ? memory_print("%llu (job %zu)", (unsigned long long)rank,
					      mpi_jobs_number(jobs, job))
			       : text_count(rank);
}

struct rank_row {
	const struct mpi_rank *rank;
	const char *outlier; /* why it is one; NULL: it is none */
};

static const struct process *process_of(const struct report *report, const struct rank_row *row)
{
	return &report->run->processes[row->rank->process];
}

static bool is_between_known(const struct mpi_rank *rank)
{
	return rank->between_grade < GRADE_UNKNOWN && (rank->mpi_threads || !rank->mpi_ns);
}

/* Several threads may be in MPI at the same time: then it is a lower bound. */
static enum grade mpi_grade(const struct mpi_rank *rank)
{
	if (!rank->mpi_threads && rank->mpi_ns)
		return GRADE_UNKNOWN;
	return rank->mpi_threads > 1 ? GRADE_ESTIMATED : GRADE_EXACT;
}

/* Of its elapsed time. */
static struct value mpi_percent(const struct mpi_rank *rank)
{
	double elapsed_ns = (double)rank->end_ns - (double)rank->start_ns;

	if (!(elapsed_ns > 0) || mpi_grade(rank) == GRADE_UNKNOWN)
		return (struct value){.kind = VALUE_UNKNOWN};
	return (struct value){.kind = VALUE_PERCENT,
			      .real = fmin(100, 100 * (double)rank->mpi_most_ns / elapsed_ns)};
}

#define ROW      const struct rank_row
#define ROW_NAME ranks
#include "analyze/report/define_fields.h"

void report_ranks_text(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	struct row_table *table = row_table_create(report, &ranks_fields);

	for (size_t i = 0; i < report_rows(report, mpi->ranks.count); i++) {
		const struct mpi_outlier *outlier = &mpi->outliers[i];

		row_table_add(table,
			      &(struct rank_row){&mpi->ranks.rows[outlier->index], outlier->why});
	}
	row_table_print(table);
	report_print_rest(report, mpi->ranks.count);
}

struct json_object *report_ranks_rows(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	struct json_object *list = json_object_new_array();
	const char **outliers = memory_allocate(mpi->ranks.count, sizeof *outliers);

	for (size_t i = 0; i < mpi->ranks.count; i++)
		outliers[mpi->outliers[i].index] = mpi->outliers[i].why;
	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct rank_row row = {&mpi->ranks.rows[i], outliers[i]};

		json_object_array_add(list, row_json(report, &ranks_fields, &row));
	}
	free(outliers);
	return list;
}

/* ---- peers: who sent how much to whom, and who waited for whom */

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

/* ---- collective calls: which rank came late to them, and what that cost the others */

static char *late_text(const struct report *report, const struct mpi_collective *row)
{
	if (!row->late_count || row->lost_ns <= 0)
		return memory_copy_text("");
	const struct mpi_late *late = &row->late[0];
	char *place = report_place(report, late->routine, late->line);
	char *share = text_percent(100 * late->lost_ns / row->lost_ns);
	char *text =
		memory_print("rank %llu: %s, at %s", (unsigned long long)late->rank, share, place);

	free(place);
	free(share);
	return text;
}

#define ROW       const struct mpi_late
#define ROW_NAME  late_ranks
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW      const struct mpi_collective
#define ROW_NAME collectives
#include "analyze/report/define_fields.h"

void report_collectives_text(const struct report *report)
{
	const struct mpi_collectives *all = &report->run->mpi.collectives;

	rows_text(report, &collectives_fields, all->rows, all->count, sizeof *all->rows);
}

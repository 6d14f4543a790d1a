/* SPDX-License-Identifier: MIT */
/* The ranks that differ most from the others; all of them are in the JSON. */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

char *report_rank_text(const struct report *report, uint64_t job, uint64_t rank)
{
	const struct mpi_jobs *jobs = &report->run->mpi.jobs;

	return jobs->count > 1 ? memory_print("%llu (job %zu)", (unsigned long long)rank,
					      mpi_jobs_number(jobs, job))
			       : text_count(rank);
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct mpi_outlier *outlier)
{
	const struct mpi_rank *rank = &report->run->mpi.ranks.rows[outlier->index];

	text_table_add(table, report_rank_text(report, rank->job, rank->rank));
	text_table_add(table, memory_copy_text(report->run->host_count > 1 ? rank->host : ""));
	text_table_add(table, text_seconds((double)(rank->end_ns - rank->start_ns)));
	text_table_add(table, report_graded_seconds(report, rank->useful_ns, rank->useful_grade));
	text_table_add(table, text_seconds((double)rank->mpi_ns));
	text_table_add(table, text_seconds((double)rank->wait_ns));
	text_table_add(table, text_seconds((double)rank->ready_ns));
	text_table_add(table, memory_copy_text(report->run->processes[rank->process].status));
	text_table_add(table, memory_copy_text(outlier->why ? outlier->why : ""));
}

void report_ranks_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"rank", TEXT_RIGHT},   {"host", TEXT_LEFT},    {"elapsed", TEXT_RIGHT},
		{"useful", TEXT_RIGHT}, {"in MPI", TEXT_RIGHT}, {"waits", TEXT_RIGHT},
		{"ready", TEXT_RIGHT},  {"status", TEXT_LEFT},  {"outlier", TEXT_FLEXIBLE},
	};
	const struct mpi *mpi = &report->run->mpi;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, mpi->ranks.count); i++)
		add_row(report, table, &mpi->outliers[i]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, mpi->ranks.count);
}

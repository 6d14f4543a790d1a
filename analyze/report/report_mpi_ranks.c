/* SPDX-License-Identifier: MIT */
/* The ranks that differ most from the others; all of them are in the JSON. */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_mpi_parts.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

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

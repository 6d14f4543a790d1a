/* SPDX-License-Identifier: MIT */
/* How long waits took: percentiles of what the histograms of a run hold. */
#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/report/report_lengths.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

/* Waits for an object, or calls of MPI by their name. */
struct wait_row {
	const char *kind, *name, *operation;
	struct histogram_known known; /* waits that did not end included */
	const struct histogram *lengths;
};

struct wait_rows {
	struct wait_row *rows; /* the most waiting first */
	size_t count;
};

static void add_objects(struct wait_rows *all, const struct synchronization *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct sync_row *row = &from->rows[i];

		if (row->contended)
			all->rows[all->count++] =
				(struct wait_row){from->objects[row->object].kind,
						  from->names[row->object],
						  vocabulary_operation(row->operation),
						  {.longest = row->wait_max_ns,
						   .sum = row->wait_ns,
						   .count = row->contended},
						  &row->lengths};
	}
}

static void add_mpi(struct wait_rows *all, const struct mpi_site_lists *lists)
{
	for (size_t i = 0; i < lists->call_count; i++) {
		const struct mpi_site *call = &lists->calls[i];

		all->rows[all->count++] = (struct wait_row){"mpi",
							    call->call,
							    "call",
							    {.longest = call->figures.longest_ns,
							     .sum = call->figures.sum_ns,
							     .count = call->figures.count},
							    &call->lengths};
	}
}

static int compare(const void *left, const void *right)
{
	const struct wait_row *a = left, *b = right;

	if (a->known.sum != b->known.sum)
		return a->known.sum > b->known.sum ? -1 : 1;
	/* each list has its order, in which the histograms lie */
	return (a->lengths > b->lengths) - (a->lengths < b->lengths);
}

/* Released by the caller: rows. */
static struct wait_rows rows_of(const struct run *run)
{
	struct wait_rows all = {0};

	all.rows = memory_allocate(run->synchronization.count + run->mpi.lists.call_count,
				   sizeof *all.rows);
	add_objects(&all, &run->synchronization);
	add_mpi(&all, &run->mpi.lists);
	if (all.count)
		qsort(all.rows, all.count, sizeof *all.rows, compare);
	return all;
}

static struct histogram_percentile percentile_of(const struct wait_row *row, double percent)
{
	return histogram_percentile(row->lengths, percent, row->known);
}

#define ROW      const struct wait_row
#define ROW_NAME waits
#include "analyze/report/define_fields.h"

void report_waits_text(const struct report *report)
{
	struct wait_rows all = rows_of(report->run);

	rows_text(report, &waits_fields, all.rows, all.count, sizeof *all.rows);
	free(all.rows);
}

struct json_object *report_waits_json(const struct report *report)
{
	struct wait_rows all = rows_of(report->run);
	struct json_object *list = rows_json(report, &waits_fields, all.rows,
					     report_rows(report, all.count), sizeof *all.rows);

	free(all.rows);
	return list;
}

/* SPDX-License-Identifier: MIT */
/* How long waits took: percentiles of what the histograms of a run hold. */
#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	double percent;
	const char *value, *low, *high, *grade; /* keys of the JSON, which keeps them */
} shown[] = {
	{50, "p50_seconds", "p50_low_seconds", "p50_high_seconds", "p50_grade"},
	{90, "p90_seconds", "p90_low_seconds", "p90_high_seconds", "p90_grade"},
	{99, "p99_seconds", "p99_low_seconds", "p99_high_seconds", "p99_grade"},
};

#define SHOWN (sizeof shown / sizeof *shown)

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
		const struct mpi_figures *figures = &lists->calls[i].figures;

		all->rows[all->count++] = (struct wait_row){"mpi",
							    lists->calls[i].call,
							    "call",
							    {.longest = figures->longest_ns,
							     .sum = figures->sum_ns,
							     .count = figures->count},
							    &figures->lengths};
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

static struct histogram_percentile percentile_of(const struct wait_row *row, size_t i)
{
	return histogram_percentile(row->lengths, shown[i].percent, row->known);
}

static enum grade grade_of(const struct histogram_percentile *at)
{
	if (isnan(at->value))
		return GRADE_UNKNOWN;
	return at->low == at->high ? GRADE_EXACT : GRADE_ESTIMATED;
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct wait_row *row)
{
	text_table_add(table, memory_copy_text(row->kind));
	text_table_add(table, memory_copy_text(row->name));
	text_table_add(table, memory_copy_text(row->operation));
	text_table_add(table, text_count(histogram_count(row->lengths)));
	for (size_t i = 0; i < SHOWN; i++) {
		struct histogram_percentile at = percentile_of(row, i);

		text_table_add(table, report_graded_seconds(report, at.value, grade_of(&at)));
	}
	text_table_add(table, text_seconds((double)row->known.longest));
}

void report_waits_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"kind", TEXT_LEFT},   {"object", TEXT_FLEXIBLE}, {"operation", TEXT_LEFT},
		{"ended", TEXT_RIGHT}, {"half", TEXT_RIGHT},      {"90 %", TEXT_RIGHT},
		{"99 %", TEXT_RIGHT},  {"longest", TEXT_RIGHT},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	struct wait_rows all = rows_of(report->run);

	for (size_t i = 0; i < report_rows(report, all.count); i++)
		add_row(report, table, &all.rows[i]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, all.count);
	free(all.rows);
}

static struct json_object *lengths_json(const struct histogram *lengths)
{
	struct json_object *list = json_object_new_array();

	for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
		struct json_object *bin = lengths->bins[b] ? json_object_new_object() : NULL;

		if (!bin)
			continue;
		json_add(bin, "from_seconds", json_seconds(b ? UINT64_C(1) << b : 0));
		json_add(bin, "below_seconds",
			 b + 1 < HISTOGRAM_BINS ? json_seconds(UINT64_C(2) << b) : NULL);
		json_add(bin, "count", json_count(lengths->bins[b]));
		json_object_array_add(list, bin);
	}
	return list;
}

static struct json_object *row_json(const struct wait_row *row)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "kind", json_text(row->kind));
	json_add(object, "name", json_text(row->name));
	json_add(object, "operation", json_text(row->operation));
	json_add(object, "count", json_count(histogram_count(row->lengths)));
	json_add(object, "wait_seconds", json_seconds(row->known.sum));
	for (size_t i = 0; i < SHOWN; i++) {
		struct histogram_percentile at = percentile_of(row, i);

		json_add(object, shown[i].value, json_seconds_of(at.value));
		json_add(object, shown[i].low, json_seconds_of(at.low));
		json_add(object, shown[i].high, json_seconds_of(at.high));
		json_add(object, shown[i].grade, json_text(report_grade_text(grade_of(&at))));
	}
	json_add(object, "longest_seconds", json_seconds(row->known.longest));
	json_add(object, "grade", json_text(report_grade_text(GRADE_ESTIMATED)));
	json_add(object, "lengths", lengths_json(row->lengths));
	return object;
}

struct json_object *report_waits_json(const struct report *report)
{
	struct wait_rows all = rows_of(report->run);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, all.count); i++)
		json_object_array_add(list, row_json(&all.rows[i]));
	free(all.rows);
	return list;
}

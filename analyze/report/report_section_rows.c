/* SPDX-License-Identifier: MIT */
/* Named parts of the run: what happened in them, how long they took, which took far longer than
 * others and why, and values at points. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/json.h"
#include "analyze/report/report_lengths.h"
#include "analyze/report/report_section_intervals.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- rows */

static const char *kind_word(const struct section *row)
{
#define KIND_TEXT(name, text) text,
	static const char *const words[] = {SECTION_KIND_LIST(KIND_TEXT)};
#undef KIND_TEXT

	return section_is_rest(row) ? "outside" : words[row->kind];
}

/* Indented by what is around it. */
static char *title_text(const struct section *row)
{
	if (section_is_rest(row))
		return memory_copy_text("outside");
	return memory_print("%*s%s%s", 2 * (int)row->depth, "",
			    row->kind == SECTION_PHASE ? "phase " : "", row->name);
}

/* With all names around it, as a page has no indents. */
static char *path_text(const struct section *row)
{
	if (section_is_rest(row))
		return memory_copy_text("outside");
	return memory_print("%s%s", row->kind == SECTION_PHASE ? "phase " : "", row->path);
}

static double mean_ns(const struct section *row)
{
	return row->intervals ? (double)row->sum_ns / (double)row->intervals : NAN;
}

/* The time first: the name may have to be cut. */
static char *wait_text(const struct section_wait *wait)
{
	if (!wait->time_ns)
		return memory_copy_text("");
	char *what = report_section_wait(wait->cause, wait->object);
	char *text = memory_print("%s %s", quantity_seconds((double)wait->time_ns).text, what);

	free(what);
	return text;
}

static const char *cause_at(size_t index)
{
	return index < CAUSE_COUNT ? vocabulary_cause(index) : NULL;
}

static struct json_object *waits_json(const struct section *row)
{
	struct json_object *object = json_object_new_object();
	bool is_known = row->kind != SECTION_PHASE;

	for (size_t i = 0; i < CAUSE_COUNT; i++)
		json_add(object, vocabulary_cause(i),
			 is_known ? json_seconds(row->own_wait_ns[i]) : NULL);
	return object;
}

static struct json_object *levels_json(const struct section *row)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < row->level_count; i++) {
		struct json_object *level = json_object_new_object();

		json_add(level, "active", json_count(row->levels[i].active));
		json_add(level, "seconds", json_seconds(row->levels[i].time_ns));
		json_add(level, "useful_seconds", json_seconds(row->levels[i].useful_ns));
		json_object_array_add(list, level);
	}
	return list;
}

/* NULL: none took that long. */
static const struct section_anomalies *anomalies_of(const struct report *report,
						    const struct section *row)
{
	const struct sections *all = &report->run->sections;

	for (size_t i = 0; i < all->anomaly_count; i++)
		if (&all->rows[all->anomalies[i].section] == row)
			return &all->anomalies[i];
	return NULL;
}

static uint64_t long_count(const struct report *report, const struct section *row)
{
	const struct section_anomalies *anomalies = anomalies_of(report, row);

	return anomalies ? anomalies->count : 0;
}

static bool is_long_exact(const struct report *report, const struct section *row)
{
	const struct section_anomalies *anomalies = anomalies_of(report, row);

	return !anomalies || anomalies->is_exact;
}

#define ROW      const struct section
#define ROW_NAME sections
#include "analyze/report/define_fields.h"

#define ROW       const struct section
#define ROW_NAME  section_lengths
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

/* ---- marks */

#define ROW      const struct section_mark
#define ROW_NAME section_marks
#include "analyze/report/define_fields.h"

/* ---- text */

/* "in 4 ranks 1.10 s to 1.21 s, mean 1.15 s; most in rank 3" */
static char *spread_text(const struct report *report, const struct section *row)
{
	const struct section_spread *spread = &row->spread;
	const struct process *longest = &report->run->processes[spread->longest];
	bool is_rank = longest->rank != UINT64_MAX;

	if (spread->processes < 2 || section_is_rest(row))
		return NULL;
	return memory_print("in %zu %s %s to %s, mean %s; most in %s %" PRIu64, spread->processes,
			    is_rank ? "ranks" : "processes",
			    quantity_seconds((double)spread->min_ns).text,
			    quantity_seconds((double)spread->max_ns).text,
			    quantity_seconds(spread->mean_ns).text, is_rank ? "rank" : "process",
			    is_rank ? longest->rank : (uint64_t)longest->file->header.pid);
}

/* Sections within others are shown with these; the rest is there always. */
static bool is_shown(const struct report *report, size_t row)
{
	const struct sections *all = &report->run->sections;

	return row < report_rows(report, all->count) || section_is_rest(&all->rows[row]);
}

static void print_rows(const struct report *report)
{
	const struct sections *all = &report->run->sections;
	struct row_table *table = row_table_create(report, &sections_fields);

	for (size_t i = 0; i < all->count; i++) {
		char *spread;

		if (!is_shown(report, i))
			continue;
		row_table_add(table, &all->rows[i]);
		spread = spread_text(report, &all->rows[i]);
		if (spread)
			row_table_add_detail(table, spread);
	}
	row_table_print(table);
	if (report_rows(report, all->count) + 1 < all->count)
		report_print_more(report, all->count - report_rows(report, all->count) - 1);
}

static void print_lengths(const struct report *report)
{
	const struct sections *all = &report->run->sections;
	struct row_table *table = row_table_create(report, &section_lengths_fields);
	bool has_any = false;

	for (size_t i = 0; i < all->count; i++)
		if (is_shown(report, i) && all->rows[i].intervals) {
			row_table_add(table, &all->rows[i]);
			has_any = true;
		}
	if (has_any)
		fputs("  lengths:\n", report->out);
	row_table_print(table);
}

/* What the sums of columns are not. */
static void print_cautions(const struct report *report)
{
	const struct sections *all = &report->run->sections;

	if (all->overlap_ns) {
		char *text = memory_print("sections were open at once in several threads: their "
					  "elapsed times together are %s more than the time in "
					  "which any was open",
					  quantity_seconds((double)all->overlap_ns).text);

		report_print_wrapped(report, "  ", text);
		free(text);
	}
}

void report_sections_text(const struct report *report)
{
	const struct sections *all = &report->run->sections;

	if (!all->count && !all->mark_count)
		report_print_wrapped(report, "  ",
				     "none: the program told no sections (ptrace_begin, "
				     "ptrace_phase) and no marks");
	if (all->count) {
		print_rows(report);
		print_lengths(report);
		print_cautions(report);
		report_section_anomalies(report);
	}
	if (all->mark_count)
		rows_text(report, &section_marks_fields, all->marks, all->mark_count,
			  sizeof *all->marks);
}

/* ---- JSON */

struct json_object *report_sections_json(const struct report *report)
{
	const struct sections *all = &report->run->sections;
	struct json_object *object = json_object_new_object();

	json_add(object, "elapsed_seconds", all->count ? json_seconds(all->elapsed_ns) : NULL);
	json_add(object, "overlap_seconds", all->count ? json_seconds(all->overlap_ns) : NULL);
	json_add(object, "rows",
		 rows_json(report, &sections_fields, all->rows, report_rows(report, all->count),
			   sizeof *all->rows));
	json_add(object, "intervals",
		 rows_json(report, &section_intervals_fields, all->intervals,
			   report_rows(report, all->interval_count), sizeof *all->intervals));
	json_add(object, "marks",
		 rows_json(report, &section_marks_fields, all->marks,
			   report_rows(report, all->mark_count), sizeof *all->marks));
	return object;
}

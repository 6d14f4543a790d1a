/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_lines.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_spread.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

/* ---- one line */

char *line_number_text(const struct source_line *line)
{
	return line->first ? memory_print("%u-%u", line->first, line->last)
			   : memory_print("%zu", line->line);
}

void line_totals_add(struct line_totals *totals, const struct source_line *line)
{
	totals->wait_ns += source_line_waited_ns(line);
	totals->mpi_ns += (double)line->mpi_ns;
	totals->blame_ns += (double)line->blame_ns;
}

struct line_totals line_totals_of(const struct report *report, const struct source_lines *lines)
{
	struct line_totals totals = {.cpu_ns = (double)report->run->cpu_ns,
				     .counters = &report->run->counters};

	for (size_t i = 0; i < lines->count; i++)
		line_totals_add(&totals, &lines->rows[i]);
	return totals;
}

/* "" for no time. */
static char *time_text(double ns)
{
	return ns > 0 ? text_seconds(ns) : memory_copy_text("");
}

static const struct line_time no_time;

static const struct line_time *cpu_of(const struct source_line *line)
{
	return line->cpu ? line->cpu : &no_time;
}

enum {
	FIGURES_ROOM = 40, /* of the figures that a narrow table usually has */
	PLACE_ROOM = 24,
};

void line_sheet_start(struct line_sheet *sheet, const struct report *report,
		      const struct line_totals *totals, const struct text_column *last,
		      size_t last_count)
{
	static const char *const titles[LINE_FIGURE_COUNT] = {"self",  "error", "share", "total",
							      "alone", "waits", "MPI",   "blame"};
	unsigned taken = FIGURES_ROOM + PLACE_ROOM, width = report->width;
	size_t count = 0;

	*sheet = (struct line_sheet){.report = report, .totals = totals};
	sheet->events =
		line_events_of(&report->run, 1, width > taken ? width - taken : 0, report->is_utf8);
	sheet->is_wide = width >= LINE_FIGURES_WIDTH + sheet->events.width;
	while (count < LINE_FIGURE_COUNT) {
		sheet->columns[count] = (struct text_column){titles[count], TEXT_RIGHT};
		count++;
	}
	count += line_events_columns(&sheet->events, sheet->columns + count);
	for (size_t i = 0; i < last_count; i++)
		sheet->columns[count++] = last[i];
	sheet->table = text_table_create(sheet->columns, count);
}

static void add_figures(const struct line_sheet *sheet, const struct source_line *line)
{
	const struct line_time *cpu = cpu_of(line);
	struct text_table *table = sheet->table;
	bool is_wide = sheet->is_wide;

	text_table_add(table, time_text((double)cpu->self_ns));
	text_table_add(table, report_error_text(sheet->report, is_wide ? cpu->samples : 0));
	text_table_add(table, cpu->self_ns ? text_percent(100 * (double)cpu->self_ns /
							  sheet->totals->cpu_ns)
					   : memory_copy_text(""));
	text_table_add(table, time_text(is_wide ? (double)cpu->total_ns : 0));
	text_table_add(table, time_text(is_wide ? (double)cpu->alone_ns : 0));
	text_table_add(table, time_text(source_line_waited_ns(line)));
	text_table_add(table, time_text((double)line->mpi_ns));
	text_table_add(table, time_text((double)line->blame_ns));
}

void line_sheet_add(struct line_sheet *sheet, const struct source_line *line)
{
	static const struct source_line nothing;

	add_figures(sheet, line ? line : &nothing);
	line_events_add(&sheet->events, sheet->table, &line, NULL);
}

struct line_events_rest line_sheet_print(struct line_sheet *sheet)
{
	const struct report *report = sheet->report;
	struct line_events_rest rest = sheet->events.rest;

	text_table_print(sheet->table, report->out, report->width, report->is_utf8);
	line_events_clear(&sheet->events);
	return rest;
}

/* ---- as JSON */

/* Unknown: there is none of it in the run. */
static struct value part_of(double part, double whole)
{
	if (!(whole > 0))
		return (struct value){.kind = VALUE_UNKNOWN};
	return (struct value){.kind = VALUE_PERCENT, .real = 100 * part / whole};
}

static const struct routine *routine_of(const struct report *report, const struct line_row *row)
{
	static const struct routine none = {.module = ""};

	return row->line->routine == SOURCE_ALL_ROUTINES
		       ? &none
		       : names_routine(report->run->names, row->line->routine);
}

static struct value line_or_none(const struct line_row *row, size_t number)
{
	if (!row->line->line)
		return (struct value){.kind = VALUE_NONE};
	return (struct value){.kind = VALUE_COUNT, .whole = number};
}

static const struct spread *spread_of(const struct line_row *row)
{
	return report_spread_known(&cpu_of(row->line)->spread);
}

static bool has_text(const struct line_row *row)
{
	return row->block->text && row->block->text->path;
}

#define ROW      const struct line_row
#define ROW_NAME lines
#include "analyze/report/define_fields.h"

#define ROW      const struct line_row
#define ROW_NAME source
#include "analyze/report/define_fields.h"

#define ROW       const struct line_row
#define ROW_NAME  line_figures
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

struct json_object *line_json(const struct report *report, const struct row_fields *fields,
			      const struct line_row *row)
{
	struct json_object *object = row_json(report, fields, row);

	line_events_add_json(report, object, row->totals->counters, row->line);
	return object;
}

struct json_object *line_figures_json(const struct report *report, const struct line_totals *totals,
				      const struct source_line *line)
{
	const struct line_row row = {.line = line, .totals = totals};

	return line_json(report, &line_figures_fields, &row);
}

/* ---- the section */

/* "x.c:12  f"; without a known line "libm.so.6  f", of a mark its name. */
static char *place_text(const struct report *report, const struct source_line *line)
{
	const struct routine *routine = names_routine(report->run->names, line->routine);
	char *name = text_without_templates(routine->name), *text;
	char *number = line_number_text(line);

	if (routine->file && line->line)
		text = memory_print("%s:%s  %s", runtime_base_name(routine->file), number, name);
	else
		text = memory_print("%s%s%s", runtime_base_name(routine->module),
				    *routine->module ? "  " : "", name);
	free(number);
	free(name);
	return text;
}

/* Lines that only call others are at the end, for readers who ask for all. */
static bool is_worth_a_row(const struct source_line *line)
{
	return source_line_spent_ns(line) > 0 || line->blame_ns || source_line_has_counts(line);
}

void report_lines_text(const struct report *report)
{
	static const struct text_column last[] = {{"line", TEXT_FLEXIBLE}};
	struct source_lines lines = source_lines_of(report->run);
	struct line_totals totals = line_totals_of(report, &lines);
	size_t count = lines.count;
	struct line_sheet sheet;

	line_sheet_start(&sheet, report, &totals, last, 1);
	while (report->top && count && !is_worth_a_row(&lines.rows[count - 1]))
		count--;
	for (size_t i = 0; i < report_rows(report, count); i++) {
		line_sheet_add(&sheet, &lines.rows[i]);
		text_table_add(sheet.table, place_text(report, &lines.rows[i]));
	}
	line_events_print_rest(report, line_sheet_print(&sheet));
	report_print_more(report, lines.count - report_rows(report, count));
	source_lines_clear(&lines);
}

struct json_object *report_lines_json(const struct report *report)
{
	struct source_lines lines = source_lines_of(report->run);
	struct line_totals totals = line_totals_of(report, &lines);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, lines.count); i++) {
		const struct line_row row = {.line = &lines.rows[i], .totals = &totals};

		json_object_array_add(list, line_json(report, &lines_fields, &row));
	}
	source_lines_clear(&lines);
	return list;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/lines/source_listing.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_lines.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

/* What the section shows: read with read_view, released with clear_view. */
struct view {
	struct source_lines lines;
	struct line_totals totals;
	struct source_listing listing;
};

static struct view read_view(const struct report *report)
{
	struct view view = {.lines = source_lines_of(report->run)};

	view.totals = line_totals_of(report, &view.lines);
	if (report->source)
		view.listing = source_listing_of(report->run, &view.lines, report->source,
						 report->source_texts);
	return view;
}

static void clear_view(struct view *view)
{
	source_listing_clear(&view->listing);
	source_lines_clear(&view->lines);
}

static bool is_fitting(const struct source_block *block)
{
	return block->text && block->text->is_fitting;
}

/* null: there is no source. */
static struct json_object *fitting_json(const struct source_block *block)
{
	return block->text && block->text->path ? json_object_new_boolean(is_fitting(block)) : NULL;
}

/* ---- as text */

/* "f, /home/a/x.c: was not found" */
static char *heading_of(const struct report *report, const struct source_block *block)
{
	const char *problem = block->text ? block->text->problem : NULL;
	const char *path = block->text && block->text->path ? block->text->path : block->file;
	char *name, *heading;

	if (!block->file)
		return memory_copy_text("its source is not known: no debugging information");
	name = block->routine == SOURCE_ALL_ROUTINES
		       ? memory_copy_text("")
		       : text_without_templates(
				 names_routine(report->run->names, block->routine)->name);
	heading = memory_print("%s%s%s%s%s", name, *name ? ", " : "", path, problem ? ": " : "",
			       problem ? problem : "");
	free(name);
	return heading;
}

static void print_heading(const struct report *report, const struct source_block *block)
{
	char *heading = heading_of(report, block);

	report_print_wrapped(report, "  ", heading);
	free(heading);
}

static char *number_text(const struct source_block *block, const struct source_row *row)
{
	const struct source_line alone = {.line = row->line};

	if (!row->line)
		return memory_copy_text("?");
	char *number = line_number_text(row->figures ? row->figures : &alone);
	char *text = memory_print("%s%s", number, is_fitting(block) ? "" : "?");

	free(number);
	return text;
}

/* "[f] ", where several routines have figures at the line, and then of each; released by the
 * caller.
 */
static char *whose(const struct report *report, const struct source_block *block, size_t index)
{
	const struct source_row *row = &block->rows[index];
	bool is_first = !index || row[-1].line != row->line;
	bool is_last = index + 1 == block->count || row[1].line != row->line;

	if (!row->figures || block->routine != SOURCE_ALL_ROUTINES || (is_first && is_last))
		return memory_copy_text("");
	return memory_print("[%s] ",
			    names_routine(report->run->names, row->figures->routine)->name);
}

/* The source, and whose the figures are. */
static char *source_text(const struct report *report, const struct source_block *block,
			 size_t index)
{
	const struct source_row *row = &block->rows[index];
	char *name = whose(report, block, index);
	char *source =
		row->text ? text_without_tabs(row->text)
			  : memory_copy_text(row->line || *name ? "" : "[code without a line]");
	char *text = memory_print("%s%s", name, source);

	free(name);
	free(source);
	return text;
}

/* Returns how many events have no column. */
static struct line_events_rest print_block(const struct report *report, const struct view *view,
					   const struct source_block *block)
{
	static const struct text_column last[] = {{"line", TEXT_RIGHT}, {"source", TEXT_FLEXIBLE}};
	bool has_text = block->text && block->text->count;
	struct line_sheet sheet;
	unsigned shown = 0;

	print_heading(report, block);
	line_sheet_start(&sheet, report, &view->totals, last, 2);
	for (size_t i = 0; i < block->count; i++) {
		const struct source_row *row = &block->rows[i];

		if (has_text && shown && row->line > shown + 1) {
			line_sheet_add(&sheet, NULL);
			text_table_add(sheet.table, memory_copy_text("..."));
			text_table_add(sheet.table, memory_copy_text(""));
		}
		line_sheet_add(&sheet, row->figures);
		text_table_add(sheet.table, number_text(block, row));
		text_table_add(sheet.table, source_text(report, block, i));
		shown = row->line;
	}
	return line_sheet_print(&sheet);
}

void report_source_text(const struct report *report)
{
	struct view view = read_view(report);
	struct line_events_rest rest = {0, 0};

	if (!view.listing.count)
		fputs("  no source lines are known\n", report->out);
	for (size_t i = 0; i < view.listing.count; i++)
		rest = print_block(report, &view, &view.listing.blocks[i]);
	line_events_print_rest(report, rest);
	clear_view(&view);
}

/* ---- as JSON */

static struct json_object *source_json(const struct report *report, const struct view *view,
				       const struct source_block *block,
				       const struct source_row *row)
{
	const struct source_line nothing = {.routine = block->routine, .line = row->line};
	const struct line_row line = {row->figures ? row->figures : &nothing, &view->totals, block,
				      row->text};

	return line_json(report, &source_fields, &line);
}

static struct json_object *block_json(const struct report *report, const struct view *view,
				      const struct source_block *block)
{
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	const struct source_text *text = block->text;

	json_add(object, "routine",
		 block->routine == SOURCE_ALL_ROUTINES
			 ? NULL
			 : json_text(names_routine(report->run->names, block->routine)->name));
	json_add(object, "file", json_text(block->file));
	json_add(object, "path", json_text(text ? text->path : NULL));
	json_add(object, "is_fitting", fitting_json(block));
	json_add(object, "problem", json_text(text ? text->problem : NULL));
	for (size_t i = 0; i < block->count; i++)
		json_object_array_add(list, source_json(report, view, block, &block->rows[i]));
	json_add(object, "lines", list);
	if (block->left_out) /* of pages only: a query of the command line has all lines */
		json_add(object, "left_out", json_count(block->left_out));
	return object;
}

struct json_object *report_source_json(const struct report *report)
{
	struct view view = read_view(report);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < view.listing.count; i++)
		json_object_array_add(list, block_json(report, &view, &view.listing.blocks[i]));
	clear_view(&view);
	return list;
}

struct json_object *report_source_rows(const struct report *report)
{
	struct view view = read_view(report);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < view.listing.count; i++) {
		const struct source_block *block = &view.listing.blocks[i];

		for (size_t row = 0; row < block->count; row++)
			json_object_array_add(list,
					      source_json(report, &view, block, &block->rows[row]));
	}
	clear_view(&view);
	return list;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_runs.h"

#include "analyze/print/csv.h"
#include "analyze/print/json.h"
#include "analyze/report/report_order.h"

#include <stdio.h>

static const struct run *run_of(const struct report_runs *runs, size_t number)
{
	return runs->united->runs[number];
}

static struct json_object *run_json(const struct run *run, size_t number)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "run", json_count(number + 1));
	json_add(object, "directory", json_text(run->files->directory));
	json_add(object, "command", json_text(run->command));
	json_add(object, "start", json_text(run->start));
	json_add(object, "elapsed_seconds", json_seconds(run->elapsed_ns));
	json_add(object, "cpu_seconds", json_seconds(run->cpu_ns));
	json_add(object, "complete", json_object_new_boolean(run->is_complete));
	return object;
}

/* ---- figures of a line in each run */

struct making {
	const struct report_runs *runs;
	struct line_totals totals[REPORT_RUNS_MOST];
	bool is_keyed;
};

static struct json_object *figures_json(const struct making *making, const struct source_line *line)
{
	static const char *const keys[REPORT_RUNS_MOST] = {"1", "2", "3", "4", "5", "6", "7", "8"};
	static const struct source_line none;
	const struct report_runs *runs = making->runs;
	struct json_object *all =
		making->is_keyed ? json_object_new_object() : json_object_new_array();

	for (size_t run = 0; run < runs->united->run_count; run++) {
		const struct source_line *own =
			line ? united_lines_in_run(runs->united, line, run) : NULL;
		struct json_object *figures =
			line_figures_json(runs->report, &making->totals[run], own ? own : &none);

		if (making->is_keyed)
			json_add(all, keys[run], figures);
		else
			json_object_array_add(all, figures);
	}
	return all;
}

static void add_place(const struct making *making, struct json_object *object, size_t routine,
		      const char *file, size_t line)
{
	json_add(
		object, "routine",
		routine == SOURCE_ALL_ROUTINES
			? NULL
			: json_text(names_routine(making->runs->united->run.names, routine)->name));
	json_add(object, "file", json_text(file));
	json_add(object, "line", line ? json_count(line) : NULL);
}

static struct json_object *lines_json(const struct making *making)
{
	const struct source_lines *lines = &making->runs->united->lines;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(making->runs->report, lines->count); i++) {
		const struct source_line *line = &lines->rows[i];
		struct json_object *object = json_object_new_object();

		add_place(making, object, line->routine,
			  names_routine(making->runs->united->run.names, line->routine)->file,
			  line->line);
		json_add(object, "runs", figures_json(making, line));
		json_object_array_add(list, object);
	}
	return list;
}

/* ---- source */

/* Does the text fit all runs? null: there is none. */
static struct json_object *fitting_json(const struct report_runs *runs,
					const struct source_block *block)
{
	bool is_fitting = block->text && block->text->is_fitting;

	if (!block->text || !block->text->path)
		return NULL;
	for (size_t run = 0; run < runs->united->run_count; run++)
		is_fitting &= !report_runs_misfit(runs, block->file, run);
	return json_object_new_boolean(is_fitting);
}

static struct json_object *row_json(const struct making *making, const struct source_block *block,
				    const struct source_row *row)
{
	struct json_object *object = json_object_new_object();

	add_place(making, object, row->figures ? row->figures->routine : block->routine,
		  block->file, row->line);
	json_add(object, "text", json_text(row->text));
	json_add(object, "is_fitting", fitting_json(making->runs, block));
	json_add(object, "runs", figures_json(making, row->figures));
	return object;
}

static struct json_object *block_json(const struct making *making, const struct source_block *block)
{
	const struct source_text *text = block->text;
	struct json_object *object = json_object_new_object(), *rows = json_object_new_array(),
			   *problems = json_object_new_array();

	add_place(making, object, block->routine, block->file, 0);
	json_object_object_del(object, "line");
	json_add(object, "path", json_text(text ? text->path : NULL));
	json_add(object, "is_fitting", fitting_json(making->runs, block));
	json_add(object, "problem", json_text(text ? text->problem : NULL));
	for (size_t run = 0; run < making->runs->united->run_count; run++)
		json_object_array_add(
			problems, json_text(report_runs_misfit(making->runs, block->file, run)));
	json_add(object, "problems", problems);
	for (size_t i = 0; i < block->count; i++)
		json_object_array_add(rows, row_json(making, block, &block->rows[i]));
	json_add(object, "lines", rows);
	return object;
}

static struct json_object *source_json(const struct making *making)
{
	const struct report_runs *runs = making->runs;
	struct source_listing listing =
		source_listing_of(&runs->united->run, &runs->united->lines, runs->query,
				  runs->texts[runs->united->run_count]);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < listing.count; i++)
		json_object_array_add(list, block_json(making, &listing.blocks[i]));
	source_listing_clear(&listing);
	return list;
}

struct json_object *report_runs_json(const struct report_runs *runs, const char *names,
				     bool is_keyed)
{
	struct making making = {.runs = runs, .is_keyed = is_keyed};
	struct json_object *root = json_object_new_object(), *list = json_object_new_array();

	json_add(root, "format", json_text("ptrace-report"));
	json_add(root, "version", json_count(1));
	for (size_t run = 0; run < runs->united->run_count; run++) {
		making.totals[run] = report_runs_totals(runs, run);
		json_object_array_add(list, run_json(run_of(runs, run), run));
	}
	json_add(root, "runs", list);
	if (report_is_named(names, "lines"))
		json_add(root, "lines", lines_json(&making));
	if (report_is_named(names, "source"))
		json_add(root, "source", source_json(&making));
	return root;
}

/* ---- CSV */

/* The rows of all blocks as one list. */
static struct json_object *rows_of(struct json_object *blocks)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < json_object_array_length(blocks); i++) {
		struct json_object *rows =
			json_object_object_get(json_object_array_get_idx(blocks, i), "lines");

		for (size_t row = 0; row < json_object_array_length(rows); row++)
			json_object_array_add(
				list, json_object_get(json_object_array_get_idx(rows, row)));
	}
	return list;
}

void report_runs_csv(const struct report_runs *runs, const char *names)
{
	FILE *out = runs->report->out;
	struct json_object *root = report_runs_json(runs, names, true), *lines, *source;
	bool has_lines = json_object_object_get_ex(root, "lines", &lines);
	bool has_source = json_object_object_get_ex(root, "source", &source);

	if (has_lines && has_source)
		fputs("@ lines\n", out);
	if (has_lines)
		csv_print(out, lines, runs->report->top, "routine,file,line");
	if (has_lines && has_source)
		fputs("\n@ source\n", out);
	if (has_source) {
		struct json_object *rows = rows_of(source);

		csv_print(out, rows, runs->report->top, "routine,file,line,text,is_fitting");
		json_object_put(rows);
	}
	json_object_put(root);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_runs.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_order.h"

#include <stdlib.h>
#include <string.h>

const char *report_runs_problem(const char *names)
{
	const char *at = names;

	if (!names)
		return "only the sections lines and source show several";
	while (*at) {
		size_t length = strcspn(at, ",");
		bool is_one = (length == 5 && !strncmp(at, "lines", length)) ||
			      (length == 6 && !strncmp(at, "source", length));

		if (length && !is_one)
			return "only the sections lines and source show several";
		at += length + (at[length] == ',');
	}
	return NULL;
}

const char *report_runs_misfit(const struct report_runs *runs, const char *file, size_t run)
{
	const struct source_text *text =
		united_lines_text(runs->united, file, run, runs->texts[run]);

	return text && text->path ? text->problem : NULL;
}

struct line_totals report_runs_totals(const struct report_runs *runs, size_t run)
{
	const struct source_lines *lines = &runs->united->lines;
	struct line_totals totals = {.cpu_ns = (double)runs->united->runs[run]->cpu_ns,
				     .counters = &runs->united->runs[run]->counters};

	for (size_t i = 0; i < lines->count; i++) {
		const struct source_line *own =
			united_lines_in_run(runs->united, &lines->rows[i], run);

		if (own)
			line_totals_add(&totals, own);
	}
	return totals;
}

/* ---- the columns */

static double self_of(const struct source_line *line)
{
	return line->cpu ? (double)line->cpu->self_ns : 0;
}

static double mpi_of(const struct source_line *line)
{
	return (double)line->mpi_ns;
}

static double blame_of(const struct source_line *line)
{
	return (double)line->blame_ns;
}

static const struct {
	const char *title;
	double (*of)(const struct source_line *line);
} figures[] = {
	{"self", self_of}, {"waits", source_line_waited_ns}, {"MPI", mpi_of}, {"blame", blame_of}};

enum {
	FIGURES = sizeof figures / sizeof *figures,
	COLUMNS = FIGURES * REPORT_RUNS_MOST + LINE_EVENT_COLUMNS + 2,
	TIME_ROOM = 20, /* of a run, as most tables have them */
	PLACE_ROOM = 24,
};

struct sheet {
	struct text_column columns[COLUMNS];
	size_t count, owned; /* the titles of the first ones are ours */
	struct line_events events;
	struct text_table *table;
};

/* The columns of figures, by figure: what is to be compared stands side by side. */
static void start_sheet(struct sheet *sheet, const struct report_runs *runs,
			const struct text_column *last, size_t last_count)
{
	unsigned taken = TIME_ROOM * (unsigned)runs->united->run_count + PLACE_ROOM;
	unsigned width = runs->report->width;

	sheet->count = 0;
	for (size_t f = 0; f < FIGURES; f++)
		for (size_t run = 0; run < runs->united->run_count; run++)
			sheet->columns[sheet->count++] = (struct text_column){
				memory_print("%s %zu", figures[f].title, run + 1), TEXT_RIGHT};
	sheet->owned = sheet->count;
	sheet->events = line_events_of(runs->united->runs, runs->united->run_count,
				       width > taken ? width - taken : 0, runs->report->is_utf8);
	sheet->count += line_events_columns(&sheet->events, sheet->columns + sheet->count);
	for (size_t i = 0; i < last_count; i++)
		sheet->columns[sheet->count++] = last[i];
	sheet->table = text_table_create(sheet->columns, sheet->count);
}

/* Returns how many events have no column. */
static struct line_events_rest end_sheet(struct sheet *sheet, const struct report *report)
{
	text_table_print(sheet->table, report->out, report->width, report->is_utf8);
	struct line_events_rest rest = sheet->events.rest;

	line_events_clear(&sheet->events);
	for (size_t i = 0; i < sheet->owned; i++)
		free((char *)sheet->columns[i].title);
	return rest;
}

/* A question mark: the source that is shown is not that of the run. */
static void add_times(struct sheet *sheet, const struct report_runs *runs,
		      const struct source_line *line, const char *file)
{
	for (size_t f = 0; f < FIGURES; f++)
		for (size_t run = 0; run < runs->united->run_count; run++) {
			const struct source_line *own =
				line ? united_lines_in_run(runs->united, line, run) : NULL;
			double ns = own ? figures[f].of(own) : 0;
			bool is_misfit = ns > 0 && report_runs_misfit(runs, file, run);
			char *time = ns > 0 ? text_seconds(ns) : memory_copy_text("");

			text_table_add(sheet->table,
				       memory_print("%s%s", time, is_misfit ? "?" : ""));
			free(time);
		}
}

/* line NULL: empty cells. */
static void add_figures(struct sheet *sheet, const struct report_runs *runs,
			const struct source_line *line, const char *file)
{
	const struct source_line *own[REPORT_RUNS_MOST] = {NULL};
	bool misfits[REPORT_RUNS_MOST] = {false};

	add_times(sheet, runs, line, file);
	for (size_t run = 0; line && run < runs->united->run_count; run++) {
		own[run] = united_lines_in_run(runs->united, line, run);
		misfits[run] = report_runs_misfit(runs, file, run) != NULL;
	}
	line_events_add(&sheet->events, sheet->table, own, misfits);
}

/* ---- sections */

static void print_runs(const struct report_runs *runs)
{
	for (size_t i = 0; i < runs->united->run_count; i++) {
		const struct run *run = runs->united->runs[i];
		char *elapsed = text_seconds((double)run->elapsed_ns);
		char *cpu = text_seconds((double)run->cpu_ns);
		char *text = memory_print("%s: %s, %s elapsed, %s CPU time%s",
					  run->files->directory, run->command, elapsed, cpu,
					  run->is_complete ? "" : ", INCOMPLETE");
		char *first = memory_print("  %zu  ", i + 1);

		report_print_wrapped(runs->report, first, text);
		free(first);
		free(text);
		free(cpu);
		free(elapsed);
	}
}

/* Which runs a file does not fit, and why. */
static void print_misfits(const struct report_runs *runs, const char *file, const char *name)
{
	for (size_t run = 0; run < runs->united->run_count; run++) {
		const char *problem = report_runs_misfit(runs, file, run);
		char *text =
			problem ? memory_print("run %zu: %s %s", run + 1, name, problem) : NULL;

		if (text)
			report_print_wrapped(runs->report, "  ? ", text);
		free(text);
	}
}

static char *place_of(const struct report_runs *runs, const struct source_line *line)
{
	const struct routine *routine = names_routine(runs->united->run.names, line->routine);
	char *name = text_without_templates(routine->name), *text;

	text = routine->file && line->line
		       ? memory_print("%s:%zu  %s", runtime_base_name(routine->file), line->line,
				      name)
		       : memory_print("%s%s%s", routine->module, *routine->module ? "  " : "",
				      name);
	free(name);
	return text;
}

/* Below the table: which files do not fit which runs, each file once. */
static void print_misfits_of(const struct report_runs *runs, size_t count)
{
	const struct source_lines *lines = &runs->united->lines;
	struct keyed_table *files = keyed_table_create(sizeof(const char *), sizeof(const char *));

	for (size_t i = 0; i < count; i++) {
		const char *file =
			names_routine(runs->united->run.names, lines->rows[i].routine)->file;
		bool is_new = false;

		if (file)
			keyed_table_enter(files, &file, &is_new);
		if (is_new)
			print_misfits(runs, file, file);
	}
	keyed_table_destroy(files);
}

static void print_lines(const struct report_runs *runs)
{
	static const struct text_column last[] = {{"line", TEXT_FLEXIBLE}};
	const struct source_lines *lines = &runs->united->lines;
	const struct names *names = runs->united->run.names;
	size_t count = report_rows(runs->report, lines->count);
	struct sheet sheet;

	start_sheet(&sheet, runs, last, 1);
	for (size_t i = 0; i < count; i++) {
		add_figures(&sheet, runs, &lines->rows[i],
			    names_routine(names, lines->rows[i].routine)->file);
		text_table_add(sheet.table, place_of(runs, &lines->rows[i]));
	}
	line_events_print_rest(runs->report, end_sheet(&sheet, runs->report));
	report_print_more(runs->report, lines->count - count);
	print_misfits_of(runs, count);
}

/* "f, /home/a/x.c", and which runs have nothing of it, or another source. */
static void print_heading(const struct report_runs *runs, const struct source_block *block)
{
	const struct source_text *text = block->text;
	const char *path = text && text->path ? text->path : block->file;
	const char *problem = text ? text->problem : NULL;
	char *name =
		block->routine == SOURCE_ALL_ROUTINES
			? memory_copy_text("")
			: text_without_templates(
				  names_routine(runs->united->run.names, block->routine)->name);
	char *heading = memory_print("%s%s%s%s%s", name, *name ? ", " : "",
				     path ? path : "its source is not known", problem ? ": " : "",
				     problem ? problem : "");

	report_print_wrapped(runs->report, "  ", heading);
	print_misfits(runs, block->file, "it");
	for (size_t run = 0; run < runs->united->run_count; run++) {
		bool is_there = false;

		for (size_t i = 0; i < block->count && !is_there; i++)
			is_there = block->rows[i].figures &&
				   united_lines_in_run(runs->united, block->rows[i].figures, run);
		if (!is_there)
			fprintf(runs->report->out, "  run %zu has no figures of it\n", run + 1);
	}
	free(heading);
	free(name);
}

static bool is_fitting(const struct report_runs *runs, const struct source_block *block)
{
	bool is_fitting = block->text && block->text->is_fitting;

	for (size_t run = 0; run < runs->united->run_count; run++)
		is_fitting &= !report_runs_misfit(runs, block->file, run);
	return is_fitting;
}

static char *source_of(const struct report_runs *runs, const struct source_block *block,
		       const struct source_row *row)
{
	if (row->text)
		return text_without_tabs(row->text);
	if (!row->figures || block->routine != SOURCE_ALL_ROUTINES)
		return memory_copy_text(row->line ? "" : "[code without a line]");
	return memory_print("[%s]",
			    names_routine(runs->united->run.names, row->figures->routine)->name);
}

static struct line_events_rest print_block(const struct report_runs *runs,
					   const struct source_block *block)
{
	static const struct text_column last[] = {{"line", TEXT_RIGHT}, {"source", TEXT_FLEXIBLE}};
	const char *mark = is_fitting(runs, block) ? "" : "?";
	unsigned shown = 0;
	struct sheet sheet;

	print_heading(runs, block);
	start_sheet(&sheet, runs, last, 2);
	for (size_t i = 0; i < block->count; i++) {
		const struct source_row *row = &block->rows[i];

		if (block->text && block->text->count && shown && row->line > shown + 1) {
			add_figures(&sheet, runs, NULL, NULL);
			text_table_add(sheet.table, memory_copy_text("..."));
			text_table_add(sheet.table, memory_copy_text(""));
		}
		add_figures(&sheet, runs, row->figures, block->file);
		text_table_add(sheet.table, row->line ? memory_print("%u%s", row->line, mark)
						      : memory_copy_text("?"));
		text_table_add(sheet.table, source_of(runs, block, row));
		shown = row->line;
	}
	return end_sheet(&sheet, runs->report);
}

static void print_source(const struct report_runs *runs)
{
	const struct united_lines *united = runs->united;
	struct source_listing listing = source_listing_of(&united->run, &united->lines, runs->query,
							  runs->texts[united->run_count]);

	struct line_events_rest rest = {0, 0};

	if (!listing.count)
		fputs("  no source lines are known\n", runs->report->out);
	for (size_t i = 0; i < listing.count; i++)
		rest = print_block(runs, &listing.blocks[i]);
	line_events_print_rest(runs->report, rest);
	source_listing_clear(&listing);
}

void report_runs_text(const struct report_runs *runs, const char *names)
{
	FILE *out = runs->report->out;

	fputs("@ runs: what the columns 1, 2, .. are of\n", out);
	print_runs(runs);
	if (report_is_named(names, "lines")) {
		fputs("\n@ lines: CPU time, waits and blame by source line, in each run\n", out);
		print_lines(runs);
	}
	if (report_is_named(names, "source")) {
		fputs("\n@ source: source beside its figures in each run; ?: not the source of that run\n",
		      out);
		print_source(runs);
	}
}

/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_list.h"

#include "analyze/base/memory.h"
#include "analyze/print/csv.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"

#include <stdlib.h>
#include <string.h>

#define START_COLUMNS 16 /* "2026-11-23T17:10" */

static uint64_t time_of(const struct report_listed *run)
{
	return run->sketch.started_ns ? run->sketch.started_ns : run->changed_ns;
}

static int compare(const void *left, const void *right)
{
	const struct report_listed *a = left, *b = right;

	if (time_of(a) != time_of(b))
		return time_of(a) > time_of(b) ? -1 : 1;
	return strcmp(a->directory, b->directory);
}

void report_list_sort(struct report_listed *runs, size_t count)
{
	if (count)
		qsort(runs, count, sizeof *runs, compare);
}

static bool is_read(const struct report_listed *run)
{
	return run->sketch.status != NULL;
}

/* "exited 0", "SIGKILL"; "damaged": nothing could be read, or not all. */
static char *status_text(const struct report_listed *run)
{
	static const char killed[] = "killed by ";
	const char *text = run->problem ? "damaged" : run->sketch.status;

	return memory_copy_text(text +
				(strncmp(text, killed, strlen(killed)) ? 0 : strlen(killed)));
}

/* The reason, without the directory, which the line has. */
static const char *problem_of(const struct report_listed *run)
{
	size_t length = strlen(run->directory);
	bool has = !strncmp(run->problem, run->directory, length) && run->problem[length] == '/';

	return run->problem + (has ? length + 1 : 0);
}

static void add_row(struct text_table *table, const struct report_listed *run)
{
	const struct run_sketch *sketch = &run->sketch;
	char *start = memory_copy_text(is_read(run) ? sketch->start : "?");

	if (strlen(start) > START_COLUMNS)
		start[START_COLUMNS] = '\0';
	if (strlen(start) == START_COLUMNS)
		start[strlen("2026-11-23")] = ' ';
	text_table_add(table, memory_copy_text(run->directory));
	text_table_add(table, start);
	text_table_add(table, is_read(run) ? text_count(sketch->processes) : memory_copy_text("?"));
	text_table_add(table, is_read(run) ? text_seconds((double)sketch->elapsed_ns)
					   : memory_copy_text("?"));
	text_table_add(table, status_text(run));
	text_table_add(table, memory_copy_text(is_read(run) ? sketch->command : problem_of(run)));
}

void report_list_text(const struct report *report, const struct report_listed *runs, size_t count)
{
	static const struct text_column columns[] = {
		{"directory", TEXT_FLEXIBLE}, {"started", TEXT_RIGHT},   {"images", TEXT_RIGHT},
		{"elapsed", TEXT_RIGHT},      {"status", TEXT_FLEXIBLE}, {"command", TEXT_FLEXIBLE},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, count); i++)
		add_row(table, &runs[i]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, count);
}

static struct json_object *run_json(const struct report_listed *run)
{
	const struct run_sketch *sketch = &run->sketch;
	struct json_object *object = json_object_new_object();
	bool has = is_read(run);

	json_add(object, "directory", json_text(run->directory));
	json_add(object, "start", has ? json_text(sketch->start) : NULL);
	json_add(object, "elapsed_seconds", has ? json_seconds(sketch->elapsed_ns) : NULL);
	json_add(object, "processes", has ? json_count(sketch->processes) : NULL);
	json_add(object, "status", has ? json_text(sketch->status) : NULL);
	json_add(object, "complete", has ? json_object_new_boolean(sketch->is_complete) : NULL);
	json_add(object, "command", has ? json_text(sketch->command) : NULL);
	json_add(object, "problem", json_text(run->problem));
	return object;
}

static struct json_object *runs_json(const struct report *report, const struct report_listed *runs,
				     size_t count)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, count); i++)
		json_object_array_add(list, run_json(&runs[i]));
	return list;
}

void report_list_json(const struct report *report, const struct report_listed *runs, size_t count)
{
	struct json_object *root = json_object_new_object();

	json_add(root, "format", json_text("ptrace-report"));
	json_add(root, "version", json_object_new_int(1));
	json_add(root, "runs", runs_json(report, runs, count));
	json_print(report->out, root);
	json_object_put(root);
}

void report_list_csv(const struct report *report, const struct report_listed *runs, size_t count)
{
	struct json_object *list = runs_json(report, runs, count);

	csv_print(report->out, list, 0, "");
	json_object_put(list);
}

/* SPDX-License-Identifier: MIT */
/* Where the lifetimes of threads went, as bars and as a table. */
#include "analyze/base/memory.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_page.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_threads.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BARS_MAX 40

static const char *const classes[STATE_COUNT] = {
	[STATE_USER] = "user",
	[STATE_SYSTEM] = "system",
	[STATE_READY] = "ready",
	[STATE_LOCK] = "lock",
	[STATE_CONDITION] = "condition",
	[STATE_BARRIER] = "barrier",
	[STATE_MPI] = "mpi",
	[STATE_OPENMP] = "openmp",
	[STATE_SLEEP] = "sleep",
	[STATE_OTHER] = "other",
	[STATE_IO] = "io",
	[STATE_IDLE] = "idle",
};

/* ---- bars */

static char *part_title(const struct thread_line *line, const char *name, enum thread_state state)
{
	double ns = (double)thread_state_ns(&line->time, state);
	char *seconds = text_seconds(ns);
	char *share = text_percent(100 * ns / (double)line->time.lifetime_ns);
	char *title = memory_print("%s\n%s: %s, %s of its life", name, thread_state_text(state),
				   seconds, share);

	free(seconds);
	free(share);
	return title;
}

static void print_bar(struct html_bars *bars, const struct thread_line *line, const char *name,
		      bool *is_used)
{
	double start = 0;

	html_bars_row(bars, name);
	for (enum thread_state state = 0; state < STATE_COUNT; state++) {
		double ns = (double)thread_state_ns(&line->time, state);

		if (ns > 0)
			html_bars_part(bars, classes[state], start, ns,
				       part_title(line, name, state));
		is_used[state] |= ns > 0;
		start += ns;
	}
}

static char *name_of(const struct report *report, const struct thread_line *line, bool with_tid)
{
	const struct thread_row row = report_thread_row(line);

	return report_thread_name(report, &row, with_tid);
}

/* Of those that are drawn; each has a name of its own. */
static void name_bars(const struct report *report, const struct thread_lines *lines, size_t count,
		      char *names[BARS_MAX])
{
	bool is_repeated[BARS_MAX] = {false};

	for (size_t i = 0; i < count; i++)
		names[i] = name_of(report, &lines->rows[i], false);
	for (size_t i = 0; i < count; i++)
		for (size_t other = 0; other < i; other++)
			if (!strcmp(names[i], names[other]))
				is_repeated[i] = is_repeated[other] = true;
	for (size_t i = 0; i < count; i++)
		if (is_repeated[i]) {
			free(names[i]);
			names[i] = name_of(report, &lines->rows[i], true);
		}
}

static void end_bars(struct html_bars *bars, const bool *is_used)
{
	struct html_key keys[STATE_COUNT];
	size_t count = 0;

	for (enum thread_state state = 0; state < STATE_COUNT; state++)
		if (is_used[state])
			keys[count++] = (struct html_key){classes[state], thread_state_text(state)};
	html_bars_end(bars, keys, count);
}

static void print_bars(const struct report *report, const struct thread_lines *lines)
{
	size_t count = lines->count < BARS_MAX ? lines->count : BARS_MAX;
	bool is_used[STATE_COUNT] = {false};
	char *names[BARS_MAX];
	struct html_bars bars;
	double most = 0;

	name_bars(report, lines, count, names);
	for (size_t i = 0; i < count; i++)
		most = fmax(most, (double)lines->rows[i].time.lifetime_ns);
	html_bars_begin(&bars, report->out,
			lines->count > count ? "Lifetimes of those with the most CPU time"
					     : "Lifetimes, the most CPU time first",
			"Lifetimes by what they were spent on", count, most);
	for (size_t i = 0; i < count; i++) {
		print_bar(&bars, &lines->rows[i], names[i], is_used);
		free(names[i]);
	}
	end_bars(&bars, is_used);
}

/* ---- table */

static void print_table(const struct report *report, const struct thread_lines *lines)
{
	struct json_object *list = json_object_new_array();
	size_t count;
	struct html_field *fields = row_fields_page(report, &threads_fields, &count);

	for (size_t i = 0; i < report_rows(report, lines->count); i++) {
		const struct thread_row row = report_thread_row(&lines->rows[i]);

		json_object_array_add(list, row_page_json(report, &threads_fields, &row));
	}
	html_json_table(report->out, "Lifetimes, and what blocked time was spent on", fields, count,
			list, 0, NULL);
	html_more(report->out, lines->count - report_rows(report, lines->count));
	json_object_put(list);
	free(fields);
}

void html_threads(const struct report *report, struct json_object *json)
{
	struct thread_lines lines = thread_lines_of(report->run, report->is_by_process);

	(void)json;
	print_bars(report, &lines);
	print_table(report, &lines);
	free(lines.rows);
}

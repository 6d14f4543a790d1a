/* SPDX-License-Identifier: MIT */
/* Of a lifetime the profile has sums and no sequence: what a thread did when is not known. So a
 * lifetime has two places, one on the axis of time, undivided, and one that is divided and has no
 * axis. */
#include "analyze/html/html_lifetimes.h"

#include "analyze/base/memory.h"
#include "analyze/html/html_bars.h"
#include "analyze/html/html_states.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_threads.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX    40
#define AXIS_LEFT   26 /* percent, of these */
#define AXIS_WIDTH  44
#define PARTS_LEFT  74
#define PARTS_WIDTH 26
#define TICKS       4

/* What is drawn: at most ROWS_MAX lines, in the order of their begin. */
struct lifetimes {
	const struct report *report;
	const struct thread_line *rows[ROWS_MAX];
	char *names[ROWS_MAX]; /* each its own */
	size_t count, all;
	bool has_shared; /* some row stands for several threads, one after the other */
};

/* ---- which, and their names */

static int compare_begins(const void *left, const void *right)
{
	const struct thread_line *const *a = left, *const *b = right;

	if ((*a)->begin_ns != (*b)->begin_ns)
		return (*a)->begin_ns < (*b)->begin_ns ? -1 : 1;
	return (*a > *b) - (*a < *b); /* the most CPU time first */
}

static bool is_shared(const struct thread_line *line)
{
	return line->thread && line->thread->lives > 1;
}

static char *name_of(const struct report *report, const struct thread_line *line, bool with_tid)
{
	const struct thread_row row = report_thread_row(line);

	return report_thread_name(report, &row, with_tid);
}

static void set_names(struct lifetimes *it)
{
	bool is_repeated[ROWS_MAX] = {false};

	for (size_t i = 0; i < it->count; i++)
		it->names[i] = name_of(it->report, it->rows[i], false);
	for (size_t i = 0; i < it->count; i++)
		for (size_t other = 0; other < i; other++)
			if (!strcmp(it->names[i], it->names[other]))
				is_repeated[i] = is_repeated[other] = true;
	for (size_t i = 0; i < it->count; i++)
		if (is_repeated[i]) {
			free(it->names[i]);
			it->names[i] = name_of(it->report, it->rows[i], true);
		}
}

/* The lines come with the most CPU time first. */
static struct lifetimes lifetimes_of(const struct report *report, const struct thread_lines *lines)
{
	struct lifetimes it = {.report = report,
			       .count = lines->count < ROWS_MAX ? lines->count : ROWS_MAX,
			       .all = lines->count};

	for (size_t i = 0; i < it.count; i++) {
		it.rows[i] = &lines->rows[i];
		it.has_shared |= is_shared(it.rows[i]);
	}
	qsort(it.rows, it.count, sizeof *it.rows, compare_begins);
	set_names(&it);
	return it;
}

/* ---- a row */

static char *life_title(const struct thread_line *line, const char *name)
{
	char *begin = text_seconds(line->begin_ns),
	     *end = text_seconds(line->begin_ns + line->elapsed_ns);
	char *title = memory_print("%s\n%s%s to %s of the run", name,
				   is_shared(line) ? "the last of them: " : "", begin, end);

	free(begin);
	free(end);
	return title;
}

static void print_row(struct html_bars *bars, const struct thread_line *line, const char *name,
		      double elapsed_ns)
{
	html_bars_name(bars, name);
	html_bars_lane(bars, AXIS_LEFT, AXIS_WIDTH, elapsed_ns);
	html_bars_life(bars, line->begin_ns, line->elapsed_ns, life_title(line, name));
	html_bars_lane(bars, PARTS_LEFT, PARTS_WIDTH, (double)line->time.lifetime_ns);
	html_states_parts(bars, &line->time, name);
}

/* ---- the plot */

static char *caption_of(const struct lifetimes *it)
{
	bool is_by_process = it->count && !it->rows[0]->thread;
	char *which = it->all > it->count
			      ? memory_print("The %zu of %zu with the most CPU time, in the order "
					     "in which they began. ",
					     it->count, it->all)
			      : memory_copy_text("");
	char *caption = memory_print(
		"%sLeft: when each lived, on the axis of the run's elapsed time. Right: what %s on, "
		"as shares and not in the order of time.%s",
		which, is_by_process ? "the lifetimes of its threads went" : "its lifetime went",
		it->has_shared ? " Of threads that share a row the last one is drawn." : "");

	free(which);
	return caption;
}

static void print_axis(struct html_bars *bars, double elapsed_ns)
{
	html_bars_name(bars, "");
	html_time_axis(bars->out, (struct html_box){AXIS_LEFT, html_bars_y(bars), AXIS_WIDTH, 0},
		       elapsed_ns, TICKS);
}

void html_lifetimes(const struct report *report, const struct thread_lines *lines)
{
	struct lifetimes it = lifetimes_of(report, lines);
	double elapsed_ns = (double)report->run->elapsed_ns;
	char *caption = caption_of(&it);
	struct html_bars bars;

	html_bars_begin(&bars, report->out, caption,
			"Lifetimes on the axis of elapsed time, and what they were spent on",
			it.count + 2, elapsed_ns);
	html_bars_name(&bars, "");
	html_bars_words(&bars, AXIS_LEFT, AXIS_WIDTH, "when");
	html_bars_words(&bars, PARTS_LEFT, PARTS_WIDTH, "on what");
	for (size_t i = 0; i < it.count; i++) {
		print_row(&bars, it.rows[i], it.names[i], elapsed_ns);
		free(it.names[i]);
	}
	print_axis(&bars, elapsed_ns);
	html_states_end(&bars);
	free(caption);
}

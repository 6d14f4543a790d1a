/* SPDX-License-Identifier: MIT */
/* Where the lifetimes of threads went, as bars and as a table. */
#include "analyze/base/memory.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_sections.h"
#include "analyze/model/run/thread_lines.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/text_format.h"

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

/* "worker", "4711 worker (8 threads)", "rank 3: worker"; with a tid, where names repeat, "4712
 * worker", "4711/4712 worker", "rank 3/4712: worker": in front, because the end of a long name is
 * cut. */
static char *line_name(const struct report *report, const struct thread_line *line, bool with_tid)
{
	const struct profile_process *process = &line->process->file->process;
	const char *name = line->thread ? line->time.shown_name : process->command;
	bool has_pid = !line->thread || report->run->process_count > 1;
	bool is_many = line->thread && line->thread->lives > 1;
	char *many =
		is_many ? memory_print(" (%llu threads)", (unsigned long long)line->thread->lives)
			: memory_copy_text("");
	char *rank = text_rank(line->process->rank);
	char *group = *rank     ? memory_print("rank %s", rank)
		      : has_pid ? memory_print("%u", line->process->file->header.pid)
				: memory_copy_text("");
	char *tid = with_tid && line->thread ? text_count(line->thread->tid) : memory_copy_text("");
	char *text = memory_print("%s%s%s%s%s%s", group, *group && *tid ? "/" : "", tid,
				  *rank            ? ": "
				  : *group || *tid ? " "
						   : "",
				  name, many);

	free(many);
	free(rank);
	free(group);
	free(tid);
	return text;
}

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

/* Of those that are drawn; each has a name of its own. */
static void name_bars(const struct report *report, const struct thread_lines *lines, size_t count,
		      char *names[BARS_MAX])
{
	bool is_repeated[BARS_MAX] = {false};

	for (size_t i = 0; i < count; i++)
		names[i] = line_name(report, &lines->rows[i], false);
	for (size_t i = 0; i < count; i++)
		for (size_t other = 0; other < i; other++)
			if (!strcmp(names[i], names[other]))
				is_repeated[i] = is_repeated[other] = true;
	for (size_t i = 0; i < count; i++)
		if (is_repeated[i]) {
			free(names[i]);
			names[i] = line_name(report, &lines->rows[i], true);
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

static void add_states(struct html_table *table, const struct thread_time *time)
{
	enum grade split = thread_time_split_grade(time);

	html_add_seconds(table, (double)time->lifetime_ns, GRADE_EXACT);
	html_add_seconds(table, (double)time->user_ns, split);
	html_add_seconds(table, (double)time->system_ns, split);
	html_add_seconds(table, time->is_ready_known ? (double)time->ready_ns : NAN, GRADE_EXACT);
	html_add_seconds(table, (double)time->blocked_ns, time->blocked_grade);
	for (enum thread_state state = STATE_LOCK; state < STATE_COUNT; state++)
		html_add_seconds_if_any(table, thread_state_ns(time, state), time->blocked_grade);
}

static void add_row(const struct report *report, struct html_table *table,
		    const struct thread_line *line)
{
	const struct profile_thread *thread = line->thread;

	char *name = line_name(report, line, false); /* its tid is the next column */

	html_table_add(table, name);
	html_table_add(table, thread ? text_count(thread->tid) : memory_copy_text(""));
	add_states(table, &line->time);
	html_table_add(table,
		       thread ? text_count(thread->voluntary_switches) : memory_copy_text(""));
	html_table_add(table,
		       thread ? text_count(thread->involuntary_switches) : memory_copy_text(""));
}

static void print_table(const struct report *report, const struct thread_lines *lines)
{
	struct html_column columns[9 + STATE_COUNT - STATE_LOCK] = {
		{"name", HTML_LEFT},     {"tid", HTML_RIGHT},    {"lifetime", HTML_RIGHT},
		{"user", HTML_RIGHT},    {"system", HTML_RIGHT}, {"ready", HTML_RIGHT},
		{"blocked", HTML_RIGHT},
	};
	size_t count = 7, rows = report_rows(report, lines->count);

	for (enum thread_state state = STATE_LOCK; state < STATE_COUNT; state++)
		columns[count++] = (struct html_column){thread_state_text(state), HTML_RIGHT};
	columns[count++] = (struct html_column){"voluntary switches", HTML_RIGHT};
	columns[count++] = (struct html_column){"preempted", HTML_RIGHT};
	struct html_table *table =
		html_table_create("Lifetimes, and what blocked time was spent on", columns, count);

	for (size_t i = 0; i < rows; i++)
		add_row(report, table, &lines->rows[i]);
	html_table_print(table, report->out);
	html_more(report->out, lines->count - rows);
}

void html_threads(const struct report *report, struct json_object *json)
{
	struct thread_lines lines = thread_lines_of(report->run, report->is_by_process);

	(void)json;
	print_bars(report, &lines);
	print_table(report, &lines);
	free(lines.rows);
}

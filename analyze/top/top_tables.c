/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/print/text_wrap.h"
#include "analyze/top/top_columns.h"
#include "analyze/top/top_frame.h"
#include "analyze/top/top_threads.h"
#include "analyze/top/top_tree.h"

#include <inttypes.h>
#include <stdlib.h>

#define COLUMNS_MAX 6
#define NO_WHAT     LIVE_WHATS /* threads and processes are no rows of sums */

static char *share(uint64_t ns, uint64_t whole_ns)
{
	return whole_ns ? text_percent(100 * (double)ns / (double)whole_ns)
			: memory_copy_text("n/a");
}

static char *text_or(const char *text, const char *otherwise)
{
	return memory_copy_text(text ? text : otherwise);
}

static void add_wait(struct text_table *table, const struct live_frame *frame,
		     const struct live_row *row)
{
	(void)frame;
	text_table_add(table, text_seconds((double)row->values[0]));
	text_table_add(table, text_count(row->values[1]));
	text_table_add(table, memory_copy_text(row->cause));
	text_table_add(table, text_or(row->name, ""));
	text_table_add(table, text_or(row->place, ""));
	text_table_add(table, text_or(row->blamed, ""));
}

static uint64_t sampled_ns(const struct live_frame *frame)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < frame->row_count; i++)
		sum += frame->rows[i].what == LIVE_ROUTINE ? frame->rows[i].values[0] : 0;
	return sum;
}

static void add_routine(struct text_table *table, const struct live_frame *frame,
			const struct live_row *row)
{
	uint64_t whole = sampled_ns(frame);

	text_table_add(table, share(row->values[0], frame->cpu_ns > whole ? frame->cpu_ns : whole));
	text_table_add(table, text_count(row->values[1]));
	text_table_add(table, text_without_templates(row->name));
	text_table_add(table, text_or(row->place ? runtime_base_name(row->place) : NULL, ""));
}

static void add_mpi(struct text_table *table, const struct live_frame *frame,
		    const struct live_row *row)
{
	(void)frame;
	text_table_add(table, text_seconds((double)row->values[0]));
	text_table_add(table, text_count(row->values[1]));
	text_table_add(table, text_size(row->values[2]));
	text_table_add(table, text_or(row->name, ""));
	text_table_add(table, text_or(row->place, ""));
}

static void add_io(struct text_table *table, const struct live_frame *frame,
		   const struct live_row *row)
{
	(void)frame;
	text_table_add(table, text_size(row->values[0]));
	text_table_add(table, text_size(row->values[1]));
	text_table_add(table, text_count(row->values[2]));
	text_table_add(table, text_seconds((double)row->values[3]));
	text_table_add(table, text_or(row->name, ""));
}

static const struct {
	const char *title, *meaning;
	enum live_what what;
	void (*add)(struct text_table *, const struct live_frame *, const struct live_row *);
	struct text_column columns[COLUMNS_MAX];
} sections[TOP_SECTIONS] = {
	[TOP_THREADS] = {"threads", "now, and shares of the interval", NO_WHAT, NULL, {{0}}},
	[TOP_WAITS] = {"waits",
		       "of the interval, all threads together",
		       LIVE_WAIT,
		       add_wait,
		       {{"time", TEXT_RIGHT},
			{"ended", TEXT_RIGHT},
			{"cause", TEXT_LEFT},
			{"object", TEXT_FLEXIBLE},
			{"at", TEXT_FLEXIBLE},
			{"kept waiting by", TEXT_FLEXIBLE}}},
	[TOP_ROUTINES] = {"routines",
			  "CPU time of the interval, themselves, sampled",
			  LIVE_ROUTINE,
			  add_routine,
			  {{"CPU", TEXT_RIGHT},
			   {"samples", TEXT_RIGHT},
			   {"routine", TEXT_FLEXIBLE},
			   {"file", TEXT_LEFT}}},
	[TOP_MPI] = {"mpi",
		     "MPI calls of the interval",
		     LIVE_MPI,
		     add_mpi,
		     {{"time", TEXT_RIGHT},
		      {"begun", TEXT_RIGHT},
		      {"bytes", TEXT_RIGHT},
		      {"call", TEXT_LEFT},
		      {"at", TEXT_FLEXIBLE}}},
	[TOP_IO] = {"io",
		    "input and output of the interval",
		    LIVE_IO,
		    add_io,
		    {{"read", TEXT_RIGHT},
		     {"written", TEXT_RIGHT},
		     {"calls", TEXT_RIGHT},
		     {"waited", TEXT_RIGHT},
		     {"object", TEXT_FLEXIBLE}}},
	[TOP_PROCESSES] = {"processes",
			   "shares of the interval: of one processor, and of one thread",
			   NO_WHAT,
			   NULL,
			   {{"rank", TEXT_RIGHT},
			    {"pid", TEXT_RIGHT},
			    {"CPU", TEXT_RIGHT},
			    {"MPI", TEXT_RIGHT},
			    {"state", TEXT_LEFT},
			    {"command", TEXT_FLEXIBLE}}},
};

static size_t column_count(enum top_section section)
{
	size_t count = 0;

	while (count < COLUMNS_MAX && sections[section].columns[count].title)
		count++;
	return count;
}

static bool is_shown(const struct top_view *view, const struct live_frame *frame,
		     enum top_section section, size_t index)
{
	const struct live_row *row = &frame->rows[index];
	const char *texts[] = {row->name, row->place, row->cause};

	return row->what == sections[section].what && top_passes(view, texts, 3);
}

static bool is_process_shown(const struct top_view *view, const struct live_process *process)
{
	const char *texts[] = {process->command, process->status};

	return top_passes(view, texts, 2);
}

/* Of one process the header says it all. */
size_t top_count_rows(const struct top_view *view, const struct live_frame *frame,
		      enum top_section section)
{
	size_t count = 0;

	if (section == TOP_THREADS) {
		free(top_threads_of(view, frame, &count));
		return count;
	}
	if (section == TOP_PROCESSES) {
		bool is_said = frame->process_count == 1 && !view->is_tree;

		for (size_t i = 0; !is_said && i < frame->process_count; i++)
			count += is_process_shown(view, &frame->processes[i]);
		return count;
	}
	for (size_t i = 0; i < frame->row_count; i++)
		count += is_shown(view, frame, section, i);
	return count;
}

static void add_process(struct text_table *table, const struct live_process *process)
{
	text_table_add(table, text_rank(process->rank));
	text_table_add(table, text_count(process->pid));
	text_table_add(table, share(process->cpu_ns, process->interval_ns));
	text_table_add(table, process->rank == UINT64_MAX
				      ? memory_copy_text("")
				      : share(process->mpi_ns, process->interval_ns));
	text_table_add(table, text_or(process->status, "?"));
	text_table_add(table, text_or(process->command, ""));
}

/* Those that live first, by CPU time. */
static int compare_processes(const void *left, const void *right)
{
	const struct live_process *a = left, *b = right;

	if (a->is_alive != b->is_alive)
		return a->is_alive ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static void fill_processes(struct text_table *table, const struct top_view *view,
			   const struct live_frame *frame)
{
	size_t shown = 0;

	if (frame->process_count)
		qsort(frame->processes, frame->process_count, sizeof *frame->processes,
		      compare_processes);
	for (size_t i = 0; i < frame->process_count && shown < view->rows[TOP_PROCESSES]; i++)
		if (is_process_shown(view, &frame->processes[i])) {
			add_process(table, &frame->processes[i]);
			shown++;
		}
}

static void print_table(FILE *out, const struct top_view *view, const struct live_frame *frame,
			enum top_section section)
{
	struct text_table *table =
		text_table_create(sections[section].columns, column_count(section));
	size_t count = top_count_rows(view, frame, section), shown = 0;

	if (section == TOP_PROCESSES)
		fill_processes(table, view, frame);
	for (size_t i = 0; i < frame->row_count && shown < view->rows[section]; i++)
		if (is_shown(view, frame, section, i)) {
			sections[section].add(table, frame, &frame->rows[i]);
			shown++;
		}
	text_table_be_quiet(table);
	text_table_print(table, out, view->width, view->is_utf8);
	top_print_more(out, count, count < view->rows[section] ? count : view->rows[section], 0);
}

static void print_title(FILE *out, const struct top_view *view, enum top_section section)
{
	const char *meaning = sections[section].meaning;

	if (section == TOP_THREADS && top_has_rates(view))
		meaning = "now, shares of the interval, rates a second, CPU of a minute";
	if (section == TOP_PROCESSES && view->is_tree)
		meaning = "by who started them; CPU of one processor; rates a second";
	text_wrap_title(out, view->width, false, sections[section].title, meaning);
}

void top_print_sections(FILE *out, const struct top_view *view, const struct live_frame *frame)
{
	for (enum top_section i = 0; i < TOP_SECTIONS; i++) {
		if ((view->only != TOP_SECTIONS && view->only != i) || !view->rows[i] ||
		    (i != TOP_THREADS && view->only != i && !top_count_rows(view, frame, i)))
			continue;
		print_title(out, view, i);
		if (i == TOP_THREADS)
			top_print_threads(out, view, frame);
		else if (i == TOP_PROCESSES && view->is_tree)
			top_print_tree(out, view, frame);
		else
			print_table(out, view, frame, i);
	}
}

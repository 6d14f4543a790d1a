/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_screen.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/run/programs.h"
#include "analyze/model/run/run_symbol_notes.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_mpi.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_line(const struct report *report, const char *name, char *text)
{
	if (text && *text)
		report_fact_print(report, name, text, REPORT_SCREEN_COLUMNS);
	free(text);
}

/* One line, cut: the whole command is in the section about. */
static void print_command(const struct report *report)
{
	unsigned room = report->width > REPORT_SCREEN_COLUMNS + 3
				? report->width - REPORT_SCREEN_COLUMNS - 3
				: 1;

	print_line(report, "command", text_fit(report->run->command, room, report->is_utf8));
}

static char *size_text(const struct run *run)
{
	uint64_t of_library = report_mpi_library_threads(&run->mpi);
	struct quantity threads =
		quantity_things((double)(run->thread_count - of_library), "thread");
	size_t ranks = run->mpi.ranks.count;

	if (ranks < 2 && run->process_count < 2)
		return memory_copy_text(threads.text);
	return memory_print("%s, %s",
			    ranks > 1 ? quantity_things((double)ranks, "rank").text
				      : quantity_things((double)run->process_count, "process").text,
			    threads.text);
}

/* "1.47 s, 3 threads, 1.56 of 2 processors used (78 %)" */
static char *used_text(const struct run *run)
{
	char *size = size_text(run);
	char *text =
		run->processors
			? memory_print("%s, %s; %s of %s used (%s)",
				       quantity_seconds((double)run->elapsed_ns).text, size,
				       quantity_number(run->average_processors).text,
				       quantity_things((double)run->processors, "processor").text,
				       quantity_percent(run->efficiency_percent).text)
			: memory_print("%s, %s; %s processors used",
				       quantity_seconds((double)run->elapsed_ns).text, size,
				       quantity_number(run->average_processors).text);
	free(size);
	return text;
}

/* A script, a build, or wrappers around one program. */
static char *program_text(const struct run *run)
{
	enum { MANY = 3, MOST_PERCENT = 75 };
	struct programs programs = programs_of(run);
	const struct program *first = programs.rows;
	double percent = run->cpu_ns ? 100 * (double)first->cpu_ns / (double)run->cpu_ns : 0;
	char *text = NULL;

	if (programs.count >= MANY && percent >= MOST_PERCENT)
		text = memory_print("%s has %s of the CPU time: --program %s reports on it alone",
				    first->name, quantity_percent(percent).text, first->name);
	free(programs.rows);
	return text;
}

/* ---- over time */

/* Mean of the bins that lie between two shares of the time line; bins have one length. */
static double mean_between(const struct run_timeline *line, double from, double to)
{
	double sum = 0;

	for (size_t i = (size_t)from; i < line->count && (double)i < to; i++) {
		double begin = fmax(from, (double)i), end = fmin(to, (double)i + 1);

		sum += line->on_processor_ns[i] * (end - begin);
	}
	return to > from ? sum / (to - from) / (double)line->bin_ns : 0;
}

/* Threads on processors in each of `cells` equal parts of the elapsed time; released by the
 * caller. */
static double *cells_of(const struct run_timeline *line, unsigned cells)
{
	double *values = memory_allocate(cells, sizeof *values);
	double bins = (double)line->count / cells;

	for (unsigned i = 0; i < cells; i++)
		values[i] = mean_between(line, bins * i, bins * (i + 1));
	return values;
}

static double largest(const double *values, unsigned count)
{
	double most = 0;

	for (unsigned i = 0; i < count; i++)
		most = fmax(most, values[i]);
	return most;
}

/* Until a process has a second thread, its time line is its mean rate: of a single thread that also
 * waited it would tell nothing. */
static bool is_mean(const struct run *run)
{
	enum { BUSY_PERCENT = 90 };

	return run->process_count == 1 && run->thread_count == 1 &&
	       (double)run->cpu_ns * 100 < (double)run->elapsed_ns * BUSY_PERCENT;
}

/* The tallest sign is as many processors as were ever in use, or all of them. */
static char *timeline_text(const struct report *report)
{
	enum { TITLE = REPORT_SCREEN_COLUMNS + 26, CELLS_LEAST = 10, CELLS_MOST = 64 };
	const struct run_timeline *line = &report->run->timeline;
	unsigned room = report->width > TITLE ? report->width - TITLE : 0;
	unsigned cells = room > CELLS_MOST ? CELLS_MOST : room;

	if (!line->count || !report->run->processors || cells < CELLS_LEAST || is_mean(report->run))
		return NULL;
	double *values = cells_of(line, cells);
	double most = ceil(largest(values, cells) - 0.05);
	double full = fmin(fmax(most, 1), (double)report->run->processors);
	char *bars = text_bars(values, cells, full, report->is_utf8);
	char *text = memory_print(
		"%s  %s %s of %s", bars, report->is_utf8 ? "█" : "#", quantity_plain(full).text,
		quantity_things((double)report->run->processors, "processor").text);

	free(values);
	free(bars);
	return text;
}

/* The first note of something that is missing; NULL: there is none. */
static const char *first_note(const struct text_list *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		if (!run_note_is_inferred(notes->texts[i]))
			return notes->texts[i];
	return NULL;
}

/* In one line. */
static char *notes_text(const struct report *report)
{
	const struct text_list *notes = &report->run->notes;
	const char *note = first_note(notes);

	if (!note)
		return NULL;
	char *rest =
		notes->count > 1
			? memory_print(" (and %s)",
				       quantity_things((double)notes->count - 1, "more note").text)
			: memory_copy_text("");
	unsigned taken = REPORT_SCREEN_COLUMNS + 3 + text_columns(rest);
	char *first =
		text_fit(note, report->width > taken ? report->width - taken : 1, report->is_utf8);
	char *text = memory_print("%s%s", first, rest);

	free(first);
	free(rest);
	return text;
}

/* How much is told of what may be long: lines of groups, and problems besides the first. */
static const struct measure {
	unsigned group_lines;
	enum screen_detail detail;
} measures[] = {
	{9, SCREEN_EVIDENCE}, {7, SCREEN_EVIDENCE}, {7, SCREEN_TITLES},
	{5, SCREEN_TITLES},   {5, SCREEN_FIRST},    {3, SCREEN_FIRST},
};

/* What does not depend on the measure. */
static void print_head(const struct report *report)
{
	const struct run *run = report->run;

	print_command(report);
	print_line(report, "used", used_text(run));
	print_line(report, "program", program_text(run));
	print_line(report, "over time", timeline_text(report));
	print_line(report, "concurrency", report_screen_concurrency(report));
	print_line(report, "MPI", report_mpi_summary(report));
	print_line(report, "OpenMP", run->omp.is_used ? report_openmp_summary(report) : NULL);
	print_line(report, "sections", report_sections_summary(report));
	print_line(report, "requests", report_requests_summary(report));
	print_line(report, "units", report_units_summary(report));
	print_line(report, "careful", report_screen_care(report));
}

static void print_rest(const struct report *report, const struct thread_groups *groups,
		       const struct measure *measure)
{
	report_screen_groups(report, groups, measure->group_lines);
	report_screen_problems(report, measure->detail);
	print_line(report, "not seen", notes_text(report));
	print_line(report, "more", report->more ? memory_copy_text(report->more) : NULL);
}

static unsigned count_lines(const char *text)
{
	unsigned lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

/* groups NULL: the head. */
static char *make_text(const struct report *report, const struct thread_groups *groups,
		       const struct measure *measure)
{
	struct report copy = *report;
	char *text = NULL;
	size_t bytes;

	copy.out = open_memstream(&text, &bytes);
	if (!copy.out)
		die("out of memory");
	if (groups)
		print_rest(&copy, groups, measure);
	else
		print_head(&copy);
	fclose(copy.out);
	return text;
}

void report_overview_text(const struct report *report)
{
	enum { LINES_MOST = 24 }; /* below the title */
	size_t last = sizeof measures / sizeof *measures - 1, i = 0;
	struct thread_groups groups = thread_groups_of(report->run);
	char *head = make_text(report, NULL, NULL);
	char *rest = make_text(report, &groups, &measures[i]);
	unsigned taken = count_lines(head);

	while (i < last && taken + count_lines(rest) > LINES_MOST) {
		free(rest);
		rest = make_text(report, &groups, &measures[++i]);
	}
	fputs(head, report->out);
	fputs(rest, report->out);
	free(head);
	free(rest);
	free(groups.rows);
}

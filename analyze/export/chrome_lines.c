/* SPDX-License-Identifier: MIT */
/* T_i over time in a trace: counters, of each process and of the run. */
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/export/chrome.h"

#include <stdlib.h>

static int compare_bins(const void *left, const void *right)
{
	const struct profile_timeline *a = left, *b = right;

	return (a->bin > b->bin) - (a->bin < b->bin);
}

static void write_counter(struct chrome *chrome, size_t process, int64_t ns, const char *name,
			  double threads)
{
	chrome_begin_event(chrome, 'C', process, 0, name);
	chrome_put_instant(chrome, "ts", ns);
	fprintf(chrome->out, ",\"args\":{\"threads\":%.4f}}", threads);
}

/* Bins begin at multiples of their length, the first one before the trace: Perfetto drops what is
 * there. As nothing ran before the trace, the average is that of the rest of the bin. */
static void write_bin(struct chrome *chrome, size_t process, int64_t begin_ns, int64_t end_ns,
		      const char *name, double time_ns)
{
	begin_ns = begin_ns < 0 ? 0 : begin_ns;
	if (begin_ns < end_ns)
		write_counter(chrome, process, begin_ns, name,
			      time_ns / (double)(end_ns - begin_ns));
}

/* A counter keeps its value until the next one: after a bin without a successor it is set to 0.
 * Further empty bins add nothing, and bins after the end would make the trace longer than the
 * run. */
static void write_line(struct chrome *chrome, size_t process, const struct profile_timeline *rows,
		       size_t count, uint64_t metric, const char *name)
{
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		const struct profile_timeline *row = &rows[i];

		if (row->metric != metric || !row->time_ns || row->shift >= 60 ||
		    row->bin >> (60 - row->shift))
			continue;

		uint64_t begin = row->bin << row->shift;

		if (end && end < begin)
			write_counter(chrome, process, chrome_instant(chrome, process, end), name,
				      0);
		end = (row->bin + 1) << row->shift;
		write_bin(chrome, process, chrome_instant(chrome, process, begin),
			  chrome_instant(chrome, process, end), name, (double)row->time_ns);
	}
	if (end)
		write_counter(chrome, process, chrome_instant(chrome, process, end), name, 0);
}

void chrome_write_lines(struct chrome *chrome, const struct profile *profile, size_t process)
{
	size_t count = profile->timeline.count;
	struct profile_timeline *rows = memory_allocate(count, sizeof *rows);

	for (size_t i = 0; i < count; i++)
		rows[i] = profile->timeline.rows[i];
	qsort(rows, count, sizeof *rows, compare_bins);
	write_line(chrome, process, rows, count, TIMELINE_USEFUL, "useful threads");
	write_line(chrome, process, rows, count, TIMELINE_ON_PROCESSOR, "threads on a processor");
	free(rows);
}

/* An instant of the run's time line, which is on the first host's clock. */
static int64_t run_instant(const struct chrome *chrome, uint64_t ns)
{
	return number_difference((int64_t)ns, chrome->start_ns);
}

static void write_run_end(struct chrome *chrome, const struct run_timeline *line)
{
	int64_t end_ns = run_instant(chrome, line->start_ns + line->count * line->bin_ns);

	if (!line->count)
		return;
	write_counter(chrome, CHROME_RUN, end_ns, "useful threads", 0);
	write_counter(chrome, CHROME_RUN, end_ns, "threads on a processor", 0);
}

void chrome_write_run_lines(struct chrome *chrome)
{
	const struct run_timeline *line = &chrome->export->run->timeline;

	chrome_name_track(chrome, "process_name", CHROME_RUN, 0, "the run: all processes together");
	for (size_t bin = 0; bin < line->count; bin++) {
		int64_t begin_ns = run_instant(chrome, line->start_ns + bin * line->bin_ns);
		int64_t end_ns = number_sum(begin_ns, (int64_t)line->bin_ns);

		write_bin(chrome, CHROME_RUN, begin_ns, end_ns, "useful threads",
			  line->useful_ns[bin]);
		write_bin(chrome, CHROME_RUN, begin_ns, end_ns, "threads on a processor",
			  line->on_processor_ns[bin]);
	}
	write_run_end(chrome, line);
}

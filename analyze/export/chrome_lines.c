/* SPDX-License-Identifier: MIT */
/* T_i over time in a trace: counters, of each process and of the run. */
#include "analyze/export/chrome.h"
#include "analyze/memory.h"

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

/* A counter keeps its value until the next one: after a bin that nothing follows it is 0. */
static void write_line(struct chrome *chrome, size_t process, const struct profile_timeline *rows,
		       size_t count, uint64_t metric, const char *name)
{
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		const struct profile_timeline *row = &rows[i];

		if (row->metric != metric || row->shift >= 60 || row->bin >> (60 - row->shift))
			continue;
		if (end && end < row->bin << row->shift)
			write_counter(chrome, process, chrome_instant(chrome, process, end), name,
				      0);
		write_counter(chrome, process,
			      chrome_instant(chrome, process, row->bin << row->shift), name,
			      (double)row->time_ns / (double)((uint64_t)1 << row->shift));
		end = (row->bin + 1) << row->shift;
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

void chrome_write_run_lines(struct chrome *chrome)
{
	const struct run_timeline *line = &chrome->export->run->timeline;

	chrome_name_track(chrome, "process_name", CHROME_RUN, 0, "the run: all processes together");
	for (size_t bin = 0; bin <= line->count && line->count; bin++) {
		int64_t ns = (int64_t)(line->start_ns + bin * line->bin_ns) - chrome->start_ns;
		bool is_end = bin == line->count;

		write_counter(chrome, CHROME_RUN, ns, "useful threads",
			      is_end ? 0 : line->useful_ns[bin] / (double)line->bin_ns);
		write_counter(chrome, CHROME_RUN, ns, "threads on a processor",
			      is_end ? 0 : line->on_processor_ns[bin] / (double)line->bin_ns);
	}
}

/* SPDX-License-Identifier: MIT */
/* T_i over time in a trace: counters, of each process and of the run. */
#include "analyze/base/number.h"
#include "analyze/export/chrome.h"
#include "analyze/model/time/process_timeline.h"

#include <math.h>

static void write_counter(struct chrome *chrome, size_t process, int64_t ns, const char *name,
			  double threads)
{
	chrome_begin_event(chrome, 'C', process, 0, name);
	chrome_put_instant(chrome, "ts", ns);
	fprintf(chrome->out, ",\"args\":{\"threads\":%.6g}}", threads);
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

/* A counter keeps its value until the next one: after the last bin it is set to 0. */
static void write_line(struct chrome *chrome, size_t process, const struct time_bins *bins,
		       enum time_metric metric, const char *name)
{
	int64_t end_ns = 0;
	double before = -1;

	for (size_t i = 0; i < bins->count; i++) {
		uint64_t begin = (bins->first + i) << bins->shift;
		int64_t begin_ns = chrome_instant(chrome, process, begin);
		double now = bins->ns[metric][i];

		end_ns = number_sum(begin_ns, (int64_t)((uint64_t)1 << bins->shift));
		/* equal bins are one point: an even line of a process with one thread; but the
		 * first one may be cut */
		if (i < 2 || fabs(now - before) > 1e-6 * now)
			write_bin(chrome, process, begin_ns, end_ns, name, now);
		before = now;
	}
	if (bins->count)
		write_counter(chrome, process, end_ns, name, 0);
}

void chrome_write_lines(struct chrome *chrome, const struct profile *profile,
			const struct process *process)
{
	struct time_bins bins = process_timeline_of(profile, process);

	write_line(chrome, process->index, &bins, TIME_USEFUL, "useful threads");
	write_line(chrome, process->index, &bins, TIME_ON_PROCESSOR, "threads on a processor");
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

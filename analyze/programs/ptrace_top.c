/* SPDX-License-Identifier: MIT */
/* ptrace-top: what a running program does, frame after frame. */
#include "analyze/base/die.h"
#include "analyze/live/live.h"
#include "analyze/print/output.h"
#include "analyze/top/top_frame.h"
#include "analyze/top/top_options.h"
#include "analyze/top/top_screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- frames as plain text, one after the other: for files, pipes, terminals without control */

/* The instant of the next frame is an interval after `from` (CLOCK_MONOTONIC). */
static void sleep_for(uint64_t interval_ns)
{
	const struct timespec time = {.tv_sec = (time_t)(interval_ns / 1000000000),
				      .tv_nsec = (long)(interval_ns % 1000000000)};

	nanosleep(&time, NULL);
}

static void print_frame(const struct live_frame *frame, const struct top_options *options)
{
	struct top_view view = {.width = output_columns(stdout, options->width),
				.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
				.only = TOP_SECTIONS,
				.order = TOP_CPU,
				.has_rates = options->has_rates,
				.is_rates = options->has_rates};

	for (size_t i = 0; i < TOP_SECTIONS; i++)
		view.rows[i] = options->top;
	top_print_header(stdout, &view, frame);
	top_print_sections(stdout, &view, frame);
	putchar('\n');
}

/* The first reading is of the whole life, which is what is wanted only of a run that is over. */
static const struct live_frame *first_frame(struct live *live, const struct top_options *options)
{
	const struct live_frame *frame = live_read(live, options->top);

	if (frame->is_over)
		return frame;
	/* Names were looked up between one process and the next, which takes a tenth of a second
	 * for each: from here on all are read at once, and their intervals are equal. */
	if (frame->known_count > 1 && (frame = live_read(live, options->top))->is_over)
		return frame;
	sleep_for(options->interval_ns);
	return live_read(live, options->top);
}

/* Until so many frames were printed, the run is over, or nobody reads any more. */
static void print_frames(struct live *live, const struct top_options *options)
{
	const struct live_frame *frame = first_frame(live, options);
	unsigned frames = options->is_once ? 1 : options->frames;

	for (unsigned printed = 1;; printed++) {
		print_frame(frame, options);
		if (fflush(stdout) || frame->is_over || printed == frames)
			break;
		sleep_for(options->interval_ns);
		frame = live_read(live, options->top);
	}
	output_close(stdout, NULL);
}

/* A run whose first profile is still to come is waited for, but one frame is wanted at once. */
static struct live *open_run(const struct top_options *options)
{
	bool is_waiting, is_told = false;

	for (;;) {
		char *problem = NULL;
		struct live *live = live_open(options->run, &is_waiting, &problem);

		if (live)
			return live;
		if (!is_waiting || options->is_once)
			die("%s", problem);
		if (!is_told)
			warn_line("%s; waiting for one", problem);
		is_told = true;
		free(problem);
		sleep_for(options->interval_ns);
	}
}

int main(int count, char **words)
{
	setlocale(LC_CTYPE, "");
	const struct top_options options = top_options_read(count, words);

	struct live *live = open_run(&options);

	if (options.is_once || options.is_batch || !top_screen_is_possible())
		print_frames(live, &options);
	else
		top_screen_run(live, &options);
	live_close(live);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_batch.h"

#include "analyze/print/output.h"
#include "analyze/top/top_frame.h"

#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void top_batch_sleep(uint64_t interval_ns)
{
	const struct timespec time = {.tv_sec = (time_t)(interval_ns / 1000000000),
				      .tv_nsec = (long)(interval_ns % 1000000000)};

	nanosleep(&time, NULL);
}

static void print_frame(const struct live_frame *frame, const struct top_options *options)
{
	struct top_view view = {.width = output_columns(stdout, options->width),
				.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
				.only = TOP_SECTIONS};

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
	top_batch_sleep(options->interval_ns);
	return live_read(live, options->top);
}

void top_batch_run(struct live *live, const struct top_options *options)
{
	const struct live_frame *frame = first_frame(live, options);
	unsigned frames = options->is_once ? 1 : options->frames;

	for (unsigned printed = 1;; printed++) {
		print_frame(frame, options);
		if (fflush(stdout) || frame->is_over || printed == frames)
			break;
		top_batch_sleep(options->interval_ns);
		frame = live_read(live, options->top);
	}
	output_close(stdout, NULL);
}

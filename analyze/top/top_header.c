/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_frame.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/live/live_levels.h"
#include "analyze/print/text_format.h"
#include "analyze/top/top_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define BAR_CELLS 10
#define BAR_WIDTH 96 /* narrower text has no room for it beside the figures */

/* Of what no switch record saw, the waits tell. */
static bool is_estimated(const struct live_levels *levels)
{
	uint64_t total = live_levels_total(levels->on_ns);

	return levels->is_calibrated || levels->unseen_ns > total / 100;
}

/* "T_i 0:12 % 1:60 % 2:28 %" */
static char *levels_text(const struct top_view *view, const uint64_t levels[LIVE_LEVELS])
{
	uint64_t total = live_levels_total(levels);
	char *text = memory_copy_text("");
	size_t last = LIVE_LEVELS;

	while (last && !levels[last - 1])
		last--;
	for (size_t i = 0; i < last; i++) {
		struct quantity percent = quantity_percent(100 * (double)levels[i] / (double)total);
		char *longer = memory_print("%s%s%zu%s:%s", text, i ? " " : "T_i ", i,
					    i == LIVE_LEVELS - 1 ? "+" : "", percent.text);

		free(text);
		text = longer;
	}
	char *fitted = text_fit(text, view->width, view->is_utf8);

	free(text);
	return fitted;
}

static void print_span(FILE *out, const struct top_view *view, const char *title,
		       const struct live_levels *levels, uint64_t interval_ns, double active,
		       uint64_t processors)
{
	bool is_known = live_levels_total(levels->on_ns);
	bool has_bar = view->width >= BAR_WIDTH;
	char *bar = text_bar(processors && active > 0 ? active / (double)processors : 0, BAR_CELLS,
			     view->is_utf8);
	char *share = levels_text(view, levels->on_ns);

	top_print_line(out, view, "  %-9s %s: %s on a processor, %s useful  %s%s%s%s", title,
		       quantity_seconds((double)interval_ns).text, quantity_number(active).text,
		       is_known ? quantity_number(live_levels_average(levels->useful_ns)).text
				: "n/a",
		       has_bar ? bar : "", has_bar ? "  " : "",
		       is_known && is_estimated(levels) ? "~" : "", is_known ? share : "T_i n/a");
	free(bar);
	free(share);
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

void top_print_header(FILE *out, const struct top_view *view, const struct live_frame *frame)
{
	top_print_line(out, view, "ptrace-top: %s", frame->command);
	top_print_line(out, view,
		       "  %s, %s elapsed, %" PRIu64 " process%s (%" PRIu64 " alive), %" PRIu64
		       " thread%s, %" PRIu64 " processor%s; run %s",
		       frame->status, quantity_seconds((double)frame->elapsed_ns).text,
		       frame->known_count, frame->known_count == 1 ? "" : "es", frame->alive_count,
		       frame->thread_count, frame->thread_count == 1 ? "" : "s", frame->processors,
		       frame->processors == 1 ? "" : "s", frame->directory);
	top_print_line(out, view,
		       "  now       %" PRIu64 " running, %" PRIu64 " ready, %" PRIu64
		       " off the processor",
		       frame->running_count, frame->ready_count, frame->waiting_count);
	print_span(out, view, "interval", &frame->levels, frame->interval_ns,
		   ratio(frame->cpu_ns, frame->interval_ns), frame->processors);
	print_span(out, view, "minute", &frame->minute, frame->minute_ns,
		   ratio(frame->minute_cpu_ns, frame->minute_ns), frame->processors);
	if (frame->process_count < frame->known_count)
		top_print_line(out, view, "  %" PRIu64 " of %" PRIu64 " processes were read so far",
			       frame->process_count, frame->known_count);
	if (frame->read_count < frame->alive_count)
		top_print_line(out, view,
			       "  %" PRIu64 " of %" PRIu64
			       " processes were read for this frame: figures are of those",
			       frame->read_count, frame->alive_count);
	if (frame->problem)
		top_print_line(out, view, "  incomplete: %s", frame->problem);
}

/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz_prints.h"

#include "analyze/live/live_detail.h"
#include "analyze/live/live_minute.h"
#include "analyze/live/live_process.h"
#include "analyze/live/live_rows.h"
#include "analyze/top/top_detail.h"
#include "analyze/top/top_frame.h"
#include "tests/fuzz/fuzz_sink.h"

#include <stdlib.h>

static void clear(struct live_frame *frame)
{
	for (size_t i = 0; i < frame->thread_rows; i++) {
		free(frame->threads[i].name);
		free(frame->threads[i].object);
		free(frame->threads[i].place);
	}
	free(frame->threads);
	free(frame->rows);
	*frame = (struct live_frame){.command = "fuzz", .directory = "fuzz", .status = "?"};
}

/* Its page, at a first reading and at the next. */
static void print_thread(FILE *out, const struct top_view *view, const struct live_frame *frame,
			 const struct live_thread *thread, const struct fuzz_subject *subject,
			 const struct profile *profile)
{
	struct live_sums *samples = live_sums_create();

	for (int i = 0; i < 2; i++) {
		struct live_detail *detail =
			live_detail_of(subject->run->names, profile, thread->tid, samples, i);

		top_print_detail(out, view, frame, thread, detail, 24);
		live_detail_destroy(detail);
	}
	live_sums_destroy(samples);
}

static void print(const struct fuzz_subject *subject, const struct profile *profile,
		  const struct live_frame *frame)
{
	struct fuzz_sink sink;
	struct top_marks marks;
	struct top_view view = {.width = subject->choice & 2 ? 40 : 100,
				.is_utf8 = subject->choice & 4,
				.only = TOP_SECTIONS,
				.order = subject->choice % TOP_COLUMNS,
				.is_order_shown = subject->choice & 8,
				.has_rates = subject->choice & 16,
				.is_rates = subject->choice & 32,
				.is_tree = subject->choice & 64,
				.marks = &marks};

	for (size_t i = 0; i < TOP_SECTIONS; i++)
		view.rows[i] = 10;
	fuzz_sink_open(&sink);
	top_print_header(sink.out, &view, frame);
	top_print_sections(sink.out, &view, frame);
	for (size_t i = 0; i < frame->thread_rows && i < 4; i++)
		print_thread(sink.out, &view, frame, &frame->threads[i], subject, profile);
	fuzz_sink_close(&sink);
}

/* One process, read again and again, as if it had ended: the kernel is asked about no number that a
 * damaged file has. */
static void watch(struct fuzz_subject *subject, const struct profile *profile)
{
	const struct process_life life = {.state = LIFE_EXITED, .end_ns = profile->header.end_ns};
	struct live_watched *watched = live_watched_create("fuzz");
	struct live_minute *minute = live_minute_create();
	struct live_frame frame = {0};

	for (int i = 0; i < 2; i++) {
		clear(&frame);
		live_process_read(watched, subject->run->names, profile, &life, life.end_ns, 10,
				  &frame);
		frame.interval_ns = watched->shown.interval_ns;
		frame.cpu_ns = watched->shown.cpu_ns;
		frame.levels = watched->grown;
		live_rows_unite(&frame, 10);
		live_minute_add(minute, &frame);
		frame.processes = &watched->shown;
		frame.process_count = 1;
		print(subject, profile, &frame);
	}
	clear(&frame);
	live_minute_destroy(minute);
	live_watched_destroy(watched);
}

void fuzz_print_top(struct fuzz_subject *subject)
{
	for (size_t i = 0; i < subject->files->process_count; i++)
		if (subject->files->processes[i].profile)
			watch(subject, subject->files->processes[i].profile);
	names_forget(subject->run->names);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_detail.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_wrap.h"
#include "analyze/top/top_columns.h"
#include "analyze/top/top_line.h"
#include "analyze/top/top_rates.h"
#include "analyze/top/top_spark.h"

#include <inttypes.h>
#include <stdlib.h>

/* Lines of the page beside frames, waits and places: heads, titles, "and N more". */
enum { FRAME_LINES = 15, FRAMES_LEAST = 2, ROWS_LEAST = 1 };

/* ---- what it does now */

static const struct live_thread *find_holder(const struct live_frame *frame,
					     const struct live_thread *thread)
{
	for (size_t i = 0; thread->holder_tid && i < frame->thread_rows; i++)
		if (frame->threads[i].tid == thread->holder_tid &&
		    frame->threads[i].pid == thread->pid)
			return &frame->threads[i];
	return NULL;
}

/* "sleep", "mutex queue_lock": the object's name may begin with its kind itself. */
static char *wait_of(const struct top_view *view, const struct live_frame *frame,
		     const struct live_thread *thread)
{
	struct top_view waits = {.width = view->width, .is_utf8 = view->is_utf8};
	const struct top_row row = {&waits, frame, thread, false};

	return top_column_text(TOP_OBJECT, &row);
}

static void print_holder(FILE *out, const struct top_view *view, const struct live_frame *frame,
			 const struct live_thread *thread)
{
	const struct live_thread *holder = find_holder(frame, thread);

	if (thread->is_holder_refused) {
		top_print_line(out, view,
			       "  held by   not known: the process's memory may not be read");
	} else if (holder) {
		char *wait = wait_of(view, frame, holder);

		top_print_line(out, view, "  held by   %s %" PRIu64 ", which is %s%s%s%s%s",
			       holder->name, holder->tid, top_state_name(holder->state),
			       *wait ? ": " : "", wait, holder->place ? " at " : "",
			       holder->place ? holder->place : "");
		free(wait);
	} else if (thread->holder_tid) {
		top_print_line(out, view, "  held by   %" PRIu64, thread->holder_tid);
	} else if (cause_is_lock(thread->cause)) {
		top_print_line(out, view,
			       "  held by   not known: nobody at that instant, or the row is "
			       "not of one lock alone");
	}
}

static void print_now(FILE *out, const struct top_view *view, const struct live_frame *frame,
		      const struct live_thread *thread)
{
	char *wait = wait_of(view, frame, thread);

	if (thread->waiting_ns)
		top_print_line(out, view, "  now       %s, in a wait for %s: %s%s%s",
			       top_state_name(thread->state),
			       quantity_seconds((double)thread->waiting_ns).text, wait,
			       thread->place ? " at " : "", thread->place ? thread->place : "");
	else
		top_print_line(out, view, "  now       %s, in no wait that is known",
			       top_state_name(thread->state));
	print_holder(out, view, frame, thread);
	free(wait);
}

static struct quantity share(const struct live_thread *thread, uint64_t ns)
{
	return quantity_percent(100 * (double)ns / (double)thread->interval_ns);
}

static void print_interval(FILE *out, const struct top_view *view, const struct live_thread *thread)
{
	if (!thread->is_known || !thread->interval_ns)
		top_print_line(out, view,
			       "  interval  n/a: neither the kernel nor the profile tells");
	else
		top_print_line(out, view, "  interval  %s: %s CPU, %s ready, %s blocked",
			       quantity_seconds((double)thread->interval_ns).text,
			       share(thread, thread->running_ns).text,
			       share(thread, thread->ready_ns).text,
			       share(thread, thread->blocked_ns).text);
}

static void print_rates(FILE *out, const struct top_view *view, const struct live_thread *thread)
{
	const struct live_counts *grown = &thread->grown;
	char *locks = top_rate(grown->locks, thread->grown_ns, true);
	char *waits = top_rate(grown->waits, thread->grown_ns, true);
	char *transfers = top_rate(grown->transfers, thread->grown_ns, thread->has_io);
	char *bytes = top_rate_of_bytes(grown->bytes, thread->grown_ns, thread->has_io);

	char *requests =
		thread->is_server ? top_rate(grown->requests, thread->grown_ns, true) : NULL;

	top_print_line(out, view,
		       "  a second  locks %s, waits %s, reads and writes %s, bytes %s%s%s", locks,
		       waits, transfers, bytes, requests ? ", requests " : "",
		       requests ? requests : "");
	free(requests);
	free(locks);
	free(waits);
	free(transfers);
	free(bytes);
}

static void print_minute(FILE *out, const struct top_view *view, const struct live_thread *thread)
{
	char *spark = top_spark(thread->cells, LIVE_CELLS, view->is_utf8);

	if (*spark)
		top_print_line(out, view,
			       "  minute    %s  share on a processor, 5 s each, now at the right",
			       spark);
	else
		top_print_line(out, view, "  minute    n/a: no interval has passed yet");
	free(spark);
}

static void print_head(FILE *out, const struct top_view *view, const struct live_frame *frame,
		       const struct live_thread *thread, const struct live_detail *detail)
{
	top_print_line(out, view, "thread %s%s%" PRIu64 " of process %" PRIu64,
		       thread ? thread->name : "", thread ? ", " : "", detail->tid, detail->pid);
	if (!thread) {
		top_print_line(out, view,
			       "  now       ended, or not among the threads that are shown");
		return;
	}
	print_now(out, view, frame, thread);
	print_interval(out, view, thread);
	print_rates(out, view, thread);
	print_minute(out, view, thread);
}

/* ---- where it is */

static const char *const paths[] = {
	[LIVE_PATH_NONE] = "not known: it is in no wait with a place, and no sample of it is there",
	[LIVE_PATH_WAIT] = "of the wait that it is in, innermost first",
	[LIVE_PATH_INTERVAL] = "most CPU time since the frame before, sampled; innermost first",
	[LIVE_PATH_LIFE] = "most CPU time since it began, sampled; innermost first",
};

static void print_path(FILE *out, const struct top_view *view, const struct live_detail *detail,
		       unsigned most)
{
	size_t shown = detail->frame_count;

	text_wrap_title(out, view->width, false, "call path", paths[detail->path]);
	if (shown > most)
		shown = most;
	for (size_t i = 0; i < shown; i++)
		top_print_line(out, view, "  %s", detail->frames[i]);
	if (shown < detail->frame_count)
		top_print_line(out, view, "  and %zu more", detail->frame_count - shown);
}

/* ---- what it waited for, and where it computed */

static const struct text_column wait_columns[] = {
	{"time", TEXT_RIGHT},  {"ended", TEXT_RIGHT},    {"longest", TEXT_RIGHT},
	{"cause", TEXT_LEFT},  {"operation", TEXT_LEFT}, {"object", TEXT_FLEXIBLE},
	{"at", TEXT_FLEXIBLE},
};

static void add_wait(struct text_table *table, const struct live_detail_wait *wait)
{
	text_table_add(table, text_seconds((double)wait->sum_ns));
	text_table_add(table, text_count(wait->count));
	text_table_add(table, text_seconds((double)wait->longest_ns));
	text_table_add(table, memory_copy_text(wait->cause));
	text_table_add(table, memory_copy_text(wait->operation));
	text_table_add(table, memory_copy_text(wait->object ? wait->object : ""));
	text_table_add(table, memory_copy_text(wait->place ? wait->place : "?"));
}

static void print_waits(FILE *out, const struct top_view *view, const struct live_detail *detail,
			unsigned most)
{
	struct text_table *table =
		text_table_create(wait_columns, sizeof wait_columns / sizeof *wait_columns);
	size_t shown = detail->wait_count < most ? detail->wait_count : most;

	text_wrap_title(out, view->width, false, "waits",
			"those that ended, since it began, the longest together first");
	for (size_t i = 0; i < shown; i++)
		add_wait(table, &detail->waits[i]);
	text_table_be_quiet(table);
	text_table_print(table, out, view->width, view->is_utf8);
	if (shown < detail->waits_in_all)
		top_print_line(out, view, "  and %zu more", detail->waits_in_all - shown);
}

static const struct text_column place_columns[] = {
	{"interval", TEXT_RIGHT}, {"in all", TEXT_RIGHT}, {"at", TEXT_FLEXIBLE}};

static void add_place(struct text_table *table, const struct live_detail *detail,
		      const struct live_detail_place *place)
{
	text_table_add(table, detail->has_before ? text_seconds((double)place->grown_ns)
						 : memory_copy_text("n/a"));
	text_table_add(table, text_seconds((double)place->cpu_ns));
	text_table_add(table, memory_copy_text(place->place ? place->place : "?"));
}

static void print_places(FILE *out, const struct top_view *view, const struct live_detail *detail,
			 unsigned most)
{
	struct text_table *table =
		text_table_create(place_columns, sizeof place_columns / sizeof *place_columns);
	size_t shown = detail->place_count < most ? detail->place_count : most;

	text_wrap_title(out, view->width, false, "samples",
			detail->has_timer
				? "CPU time by call path, in the interval and since it began"
				: "none: the thread is not sampled");
	for (size_t i = 0; i < shown; i++)
		add_place(table, detail, &detail->places[i]);
	text_table_be_quiet(table);
	text_table_print(table, out, view->width, view->is_utf8);
	if (shown < detail->places_in_all)
		top_print_line(out, view, "  and %zu more", detail->places_in_all - shown);
}

void top_print_detail(FILE *out, const struct top_view *view, const struct live_frame *frame,
		      const struct live_thread *thread, const struct live_detail *detail,
		      unsigned lines)
{
	unsigned spare = lines > FRAME_LINES ? lines - FRAME_LINES : 0;

	print_head(out, view, frame, thread, detail);
	if (!detail->is_there) {
		top_print_line(out, view, "  the profile has no such thread any more");
		return;
	}
	print_path(out, view, detail, spare / 2 > FRAMES_LEAST ? spare / 2 : FRAMES_LEAST);
	print_waits(out, view, detail, spare / 3 > ROWS_LEAST ? spare / 3 : ROWS_LEAST);
	print_places(out, view, detail, spare / 6 > ROWS_LEAST ? spare / 6 : ROWS_LEAST);
}

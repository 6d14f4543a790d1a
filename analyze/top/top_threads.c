/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/top/top_threads.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[] = {"running", "ready",   "waiting", "idle",
				     "blocked", "stopped", "ended",   "?"};

bool top_passes(const struct top_view *view, const char *const *texts, size_t count)
{
	if (!view->filter || !*view->filter)
		return true;
	for (size_t i = 0; i < count; i++)
		if (texts[i] && strcasestr(texts[i], view->filter))
			return true;
	return false;
}

void top_print_more(FILE *out, size_t count, size_t shown)
{
	if (count > shown)
		fprintf(out, "  and %zu more\n", count - shown);
}

/* ---- which rows, in which order */

static int by_number(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b); /* the largest first */
}

static int compare_cpu(const struct live_thread *a, const struct live_thread *b)
{
	return by_number(a->running_ns, b->running_ns);
}

static int compare_blocked(const struct live_thread *a, const struct live_thread *b)
{
	return by_number(a->blocked_ns, b->blocked_ns);
}

static int compare_wait(const struct live_thread *a, const struct live_thread *b)
{
	return by_number(a->waiting_ns, b->waiting_ns);
}

static int compare_name(const struct live_thread *a, const struct live_thread *b)
{
	return strcmp(a->name, b->name);
}

static const struct {
	const char *name;
	int (*compare)(const struct live_thread *, const struct live_thread *);
} orders[TOP_ORDERS] = {
	[TOP_BY_CPU] = {"CPU", compare_cpu},
	[TOP_BY_BLOCKED] = {"blocked", compare_blocked},
	[TOP_BY_WAIT] = {"wait", compare_wait},
	[TOP_BY_NAME] = {"name", compare_name},
};

const char *top_order_name(enum top_order order)
{
	return orders[order].name;
}

/* Threads that are alike keep their places from frame to frame. */
static int compare_threads(const void *left, const void *right, void *order)
{
	const struct live_thread *a = *(const struct live_thread *const *)left;
	const struct live_thread *b = *(const struct live_thread *const *)right;
	int by_order = orders[*(const enum top_order *)order].compare(a, b);

	if (by_order)
		return by_order;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static bool is_shown(const struct top_view *view, const struct live_thread *thread)
{
	char tid[24];
	const char *texts[] = {thread->name,
			       states[thread->state],
			       thread->object,
			       thread->place,
			       thread->cause ? vocabulary_cause(thread->cause) : NULL,
			       tid};

	snprintf(tid, sizeof tid, "%" PRIu64, thread->tid);
	return top_passes(view, texts, sizeof texts / sizeof *texts);
}

const struct live_thread **top_threads_of(const struct top_view *view,
					  const struct live_frame *frame, size_t *count)
{
	const struct live_thread **rows =
		memory_allocate(frame->thread_rows + 1, sizeof(struct live_thread *));
	enum top_order order = view->order;

	*count = 0;
	for (size_t i = 0; i < frame->thread_rows; i++)
		if (is_shown(view, &frame->threads[i]))
			rows[(*count)++] = &frame->threads[i];
	qsort_r(rows, *count, sizeof *rows, compare_threads, &order);
	return rows;
}

/* ---- the table */

static char *share_text(const struct live_thread *thread, uint64_t ns)
{
	if (!thread->is_known || !thread->interval_ns)
		return memory_copy_text("n/a");
	return text_percent(100 * (double)ns / (double)thread->interval_ns);
}

/* "mutex queue_lock"; the object's name may begin with its kind itself. */
static char *wait_text(const struct live_thread *thread)
{
	const char *cause = vocabulary_cause(thread->cause);

	if (!thread->waiting_ns)
		return memory_copy_text("");
	if (!thread->object)
		return memory_copy_text(cause);
	if (!strncmp(thread->object, cause, strlen(cause)))
		return memory_copy_text(thread->object);
	return memory_print("%s %s", cause, thread->object);
}

/* A usual terminal has no room for all columns beside that of holders: the holder is then a number,
 * whose name stands in its own row, and ready time is left out. */
#define CRAMPED 96

static bool is_cramped(const struct top_view *view, const struct live_thread *const *rows,
		       size_t count)
{
	for (size_t i = 0; i < count && view->width < CRAMPED; i++)
		if (rows[i]->holder_tid || rows[i]->is_holder_refused)
			return true;
	return false;
}

static char *holder_text(const struct live_frame *frame, const struct live_thread *thread,
			 bool is_cramped)
{
	if (thread->is_holder_refused)
		return memory_copy_text("n/a");
	if (!thread->holder_tid)
		return memory_copy_text("");
	for (size_t i = 0; i < frame->thread_rows && !is_cramped; i++)
		if (frame->threads[i].tid == thread->holder_tid &&
		    frame->threads[i].pid == thread->pid)
			return memory_print("%s %" PRIu64, frame->threads[i].name,
					    thread->holder_tid);
	return memory_print("%" PRIu64, thread->holder_tid);
}

/* Narrow terminals have room for the first columns only. */
#define NARROW 60

static const struct text_column columns[] = {
	{"thread", TEXT_FLEXIBLE},  {"tid", TEXT_RIGHT},   {"rank", TEXT_RIGHT},
	{"state", TEXT_LEFT},       {"CPU", TEXT_RIGHT},   {"ready", TEXT_RIGHT},
	{"blocked", TEXT_RIGHT},    {"for", TEXT_RIGHT},   {"waits for", TEXT_FLEXIBLE},
	{"held by", TEXT_FLEXIBLE}, {"at", TEXT_FLEXIBLE},
};

static void add_row(struct text_table *table, const struct top_view *view,
		    const struct live_frame *frame, const struct live_thread *thread, bool cramped)
{
	bool is_narrow = view->width < NARROW;

	text_table_add(table, memory_copy_text(thread->name));
	text_table_add(table, is_narrow ? memory_copy_text("") : text_count(thread->tid));
	text_table_add(table, text_rank(thread->rank));
	text_table_add(table, memory_copy_text(states[thread->state]));
	text_table_add(table, share_text(thread, thread->running_ns));
	text_table_add(table, is_narrow || cramped ? memory_copy_text("")
						   : share_text(thread, thread->ready_ns));
	text_table_add(table, share_text(thread, thread->blocked_ns));
	text_table_add(table, thread->waiting_ns ? text_seconds((double)thread->waiting_ns)
						 : memory_copy_text(""));
	text_table_add(table, wait_text(thread));
	text_table_add(table, holder_text(frame, thread, cramped));
	text_table_add(table, memory_copy_text(is_narrow || !thread->place ? "" : thread->place));
}

void top_print_threads(FILE *out, const struct top_view *view, const struct live_frame *frame)
{
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t count, most = view->rows[TOP_THREADS];
	const struct live_thread **rows = top_threads_of(view, frame, &count);
	bool is_filtered = view->filter && *view->filter;

	bool cramped = is_cramped(view, rows, count < most ? count : most);

	for (size_t i = 0; i < count && i < most; i++)
		add_row(table, view, frame, rows[i], cramped);
	text_table_be_quiet(table);
	text_table_print(table, out, view->width, view->is_utf8);
	/* of a process with very many threads the frame has not all */
	if (!is_filtered && frame->thread_count > count)
		count = frame->thread_count;
	top_print_more(out, count, count < most ? count : most);
	free(rows);
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/top/top_columns.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/text_format.h"
#include "analyze/top/top_rates.h"
#include "analyze/top/top_spark.h"

#include <inttypes.h>
#include <string.h>

/* Narrow terminals have room for the first columns only. From BOTH_WIDTH on there is room for rates
 * beside what is waited for. Where rates are alone, ready, blocked and waiting times are left out
 * below TIMES_WIDTH, and half of the last minute's cells below SHORT_WIDTH. */
enum { NARROW = 60, SHORT_WIDTH = 96, TIMES_WIDTH = 120, BOTH_WIDTH = 150 };

static const char *const states[] = {"running", "ready",   "waiting", "idle",
				     "blocked", "stopped", "ended",   "?"};

const char *top_state_name(enum live_state state)
{
	return states[state];
}

bool top_has_rates(const struct top_view *view)
{
	return view->has_rates && (view->is_rates || view->width >= BOTH_WIDTH);
}

bool top_has_waits(const struct top_view *view)
{
	return !view->is_rates || view->width >= BOTH_WIDTH;
}

static bool is_narrow(const struct top_row *row)
{
	return row->view->width < NARROW;
}

/* Rates need the room of the other times. */
static bool has_times(const struct top_row *row)
{
	return top_has_waits(row->view) || row->view->width >= TIMES_WIDTH;
}

static char *nothing(void)
{
	return memory_copy_text("");
}

/* ---- cells */

static char *name_text(const struct top_row *row)
{
	return memory_copy_text(row->thread->name);
}

static char *tid_text(const struct top_row *row)
{
	return is_narrow(row) ? nothing() : text_count(row->thread->tid);
}

static char *rank_text(const struct top_row *row)
{
	return text_rank(row->thread->rank);
}

static char *state_text(const struct top_row *row)
{
	return memory_copy_text(states[row->thread->state]);
}

static char *share_text(const struct live_thread *thread, uint64_t ns)
{
	if (!thread->is_known || !thread->interval_ns)
		return memory_copy_text("n/a");
	return text_percent(100 * (double)ns / (double)thread->interval_ns);
}

static char *cpu_text(const struct top_row *row)
{
	return share_text(row->thread, row->thread->running_ns);
}

static char *ready_text(const struct top_row *row)
{
	bool is_there = !is_narrow(row) && !row->is_cramped && has_times(row);

	return is_there ? share_text(row->thread, row->thread->ready_ns) : nothing();
}

static char *blocked_text(const struct top_row *row)
{
	return has_times(row) ? share_text(row->thread, row->thread->blocked_ns) : nothing();
}

static char *for_text(const struct top_row *row)
{
	return row->thread->waiting_ns && has_times(row)
		       ? text_seconds((double)row->thread->waiting_ns)
		       : nothing();
}

static char *rate_text(const struct top_row *row, uint64_t count, bool is_known)
{
	return top_has_rates(row->view) ? top_rate(count, row->thread->grown_ns, is_known)
					: nothing();
}

static char *locks_text(const struct top_row *row)
{
	return rate_text(row, row->thread->grown.locks, true);
}

static char *ended_text(const struct top_row *row)
{
	return rate_text(row, row->thread->grown.waits, true);
}

static char *transfers_text(const struct top_row *row)
{
	return rate_text(row, row->thread->grown.transfers, row->thread->has_io);
}

static char *bytes_text(const struct top_row *row)
{
	const struct live_thread *thread = row->thread;

	return top_has_rates(row->view)
		       ? top_rate_of_bytes(thread->grown.bytes, thread->grown_ns, thread->has_io)
		       : nothing();
}

/* Of servers only: a column that is empty is not shown. */
static char *requests_text(const struct top_row *row)
{
	return row->thread->is_server ? rate_text(row, row->thread->grown.requests, true)
				      : nothing();
}

static char *minute_text(const struct top_row *row)
{
	unsigned cells = row->view->width < SHORT_WIDTH ? LIVE_CELLS / 2 : LIVE_CELLS;

	return top_has_rates(row->view) ? top_spark(row->thread->cells, cells, row->view->is_utf8)
					: nothing();
}

/* "mutex queue_lock"; the object's name may begin with its kind itself. */
static char *object_text(const struct top_row *row)
{
	const struct live_thread *thread = row->thread;
	const char *cause = vocabulary_cause(thread->cause);

	if (!thread->waiting_ns || !top_has_waits(row->view))
		return nothing();
	if (!thread->object)
		return memory_copy_text(cause);
	if (!strncmp(thread->object, cause, strlen(cause)))
		return memory_copy_text(thread->object);
	return memory_print("%s %s", cause, thread->object);
}

static char *holder_text(const struct top_row *row)
{
	const struct live_thread *thread = row->thread;

	if (!top_has_waits(row->view))
		return nothing();
	if (thread->is_holder_refused)
		return memory_copy_text("n/a");
	if (!thread->holder_tid)
		return nothing();
	for (size_t i = 0; i < row->frame->thread_rows && !row->is_cramped; i++)
		if (row->frame->threads[i].tid == thread->holder_tid &&
		    row->frame->threads[i].pid == thread->pid)
			return memory_print("%s %" PRIu64, row->frame->threads[i].name,
					    thread->holder_tid);
	return text_count(thread->holder_tid);
}

static char *place_text(const struct top_row *row)
{
	bool is_there = top_has_waits(row->view) && !is_narrow(row) && row->thread->place;

	return memory_copy_text(is_there ? row->thread->place : "");
}

/* ---- orders */

static int falling(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int rising(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int texts(const char *a, const char *b)
{
	return !a || !b ? !a - !b : strcmp(a, b); /* what is not known comes last */
}

#define COMPARE(name, how, field)                                                                  \
	static int name(const struct live_thread *a, const struct live_thread *b)                  \
	{                                                                                          \
		return how(a->field, b->field);                                                    \
	}
COMPARE(by_name, texts, name)
COMPARE(by_tid, rising, tid)
COMPARE(by_rank, rising, rank)
COMPARE(by_state, rising, state)
COMPARE(by_cpu, falling, running_ns)
COMPARE(by_ready, falling, ready_ns)
COMPARE(by_blocked, falling, blocked_ns)
COMPARE(by_for, falling, waiting_ns)
COMPARE(by_locks, falling, grown.locks)
COMPARE(by_ended, falling, grown.waits)
COMPARE(by_transfers, falling, grown.transfers)
COMPARE(by_bytes, falling, grown.bytes)
COMPARE(by_requests, falling, grown.requests)
COMPARE(by_object, texts, object)
COMPARE(by_holder, falling, holder_tid)
COMPARE(by_place, texts, place)
#undef COMPARE

static const struct {
	const char *title, *said; /* said: of an order; NULL: its title */
	enum text_align align;
	char *(*text)(const struct top_row *);
	int (*compare)(const struct live_thread *, const struct live_thread *);
	bool is_falling;
} columns[TOP_COLUMNS] = {
	[TOP_NAME] = {"thread", "name", TEXT_FLEXIBLE, name_text, by_name, false},
	[TOP_TID] = {"tid", NULL, TEXT_RIGHT, tid_text, by_tid, false},
	[TOP_RANK] = {"rank", NULL, TEXT_RIGHT, rank_text, by_rank, false},
	[TOP_STATE] = {"state", NULL, TEXT_LEFT, state_text, by_state, false},
	[TOP_CPU] = {"CPU", NULL, TEXT_RIGHT, cpu_text, by_cpu, true},
	[TOP_READY] = {"ready", NULL, TEXT_RIGHT, ready_text, by_ready, true},
	[TOP_BLOCKED] = {"blocked", NULL, TEXT_RIGHT, blocked_text, by_blocked, true},
	[TOP_FOR] = {"for", "wait", TEXT_RIGHT, for_text, by_for, true},
	[TOP_LOCKS] = {"locks/s", NULL, TEXT_RIGHT, locks_text, by_locks, true},
	[TOP_ENDED] = {"waits/s", NULL, TEXT_RIGHT, ended_text, by_ended, true},
	[TOP_TRANSFERS] = {"io/s", NULL, TEXT_SPARE, transfers_text, by_transfers, true},
	[TOP_BYTES] = {"bytes/s", NULL, TEXT_SPARE, bytes_text, by_bytes, true},
	[TOP_REQUESTS] = {"req/s", NULL, TEXT_RIGHT, requests_text, by_requests, true},
	[TOP_MINUTE] = {"minute", NULL, TEXT_LEFT, minute_text, NULL, true},
	[TOP_OBJECT] = {"waits for", NULL, TEXT_FLEXIBLE, object_text, by_object, false},
	[TOP_HOLDER] = {"held by", "holder", TEXT_FLEXIBLE, holder_text, by_holder, true},
	[TOP_PLACE] = {"at", "place", TEXT_FLEXIBLE, place_text, by_place, false},
};

void top_columns_heads(struct text_column heads[TOP_COLUMNS])
{
	for (size_t i = 0; i < TOP_COLUMNS; i++)
		heads[i] = (struct text_column){columns[i].title, columns[i].align};
}

const char *top_column_title(enum top_column column)
{
	return columns[column].said ? columns[column].said : columns[column].title;
}

char *top_column_text(enum top_column column, const struct top_row *row)
{
	return columns[column].text(row);
}

int top_column_compare(enum top_column column, const struct live_thread *a,
		       const struct live_thread *b)
{
	return columns[column].compare ? columns[column].compare(a, b) : 0;
}

bool top_column_is_falling(enum top_column column)
{
	return columns[column].is_falling;
}

bool top_column_is_sortable(enum top_column column)
{
	return columns[column].compare;
}

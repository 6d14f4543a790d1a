/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/parallelism.h"

#include "preload/base/interrupted.h"
#include "preload/concurrency/timeline.h"
#include "preload/file/rows.h"
#include "preload/process/process_row.h"

#include <string.h>

enum {
	LEVELS = 256, /* the last row also holds all higher levels */
	KINDS = CONCURRENCY_WINDOWS_USEFUL + 1,
};

static struct {
	struct row_concurrency *rows[KINDS]; /* `count` each, by kind; NULL: no store */
	unsigned count;
	uint64_t start_ns, last_ns;
	uint64_t cpu_ns; /* that passed in parallelism_advance */
	enum parallelism_view view;
	uint32_t on; /* atomic: samples read it */
	uint32_t useful;
} parallelism;

static struct row_concurrency *add_rows(enum concurrency_kind kind, unsigned count)
{
	struct format_block *block = store_block(TABLE_concurrency, sizeof(struct row_concurrency),
						 FORMAT_NO_OWNER, 0, count);
	struct row_concurrency *rows = block ? store_rows(block) : NULL;

	for (unsigned i = 0; rows && i < count; i++) {
		rows[i].active = i;
		rows[i].kind = kind;
	}
	return rows;
}

static unsigned count_for(unsigned processors)
{
	return processors + 1 < LEVELS ? processors + 1 : LEVELS;
}

void parallelism_start(uint64_t start_ns, unsigned processors)
{
	memset(&parallelism, 0, sizeof parallelism);
	timeline_reset();
	parallelism.count = count_for(processors);
	parallelism.start_ns = parallelism.last_ns = start_ns;
	for (unsigned kind = CONCURRENCY_ON_PROCESSOR; kind < KINDS; kind++)
		parallelism.rows[kind] = add_rows(kind, parallelism.count);
}

/* Further rows with the same keys: readers add them up. */
void parallelism_widen(unsigned processors)
{
	struct row_concurrency *rows[KINDS] = {NULL};
	unsigned count = count_for(processors);

	if (count <= parallelism.count)
		return;
	for (unsigned kind = CONCURRENCY_ON_PROCESSOR; kind < KINDS; kind++)
		if (!(rows[kind] = add_rows(kind, count)))
			return;
	memcpy(parallelism.rows, rows, sizeof rows);
	parallelism.count = count;
}

void parallelism_update_single(uint64_t now_ns, uint64_t cpu_ns)
{
	struct row_concurrency *on = parallelism.rows[CONCURRENCY_ON_PROCESSOR],
			       *useful = parallelism.rows[CONCURRENCY_USEFUL];
	uint64_t elapsed = now_ns - parallelism.start_ns;

	if (!on || !useful)
		return;
	cpu_ns = cpu_ns < elapsed ? cpu_ns : elapsed;
	on[1].time_ns = useful[1].time_ns = cpu_ns;
	on[0].time_ns = useful[0].time_ns = elapsed - cpu_ns;
	parallelism.last_ns = now_ns;
	if (process_row) {
		process_row->accounted_ns = now_ns;
		process_row->switches_ns = elapsed; /* one thread's CPU time is as exact */
	}
}

void parallelism_leave_out(uint64_t ns)
{
	parallelism.start_ns += ns;
}

void parallelism_end_single(uint64_t now_ns, uint64_t cpu_ns)
{
	parallelism_update_single(now_ns, cpu_ns);
	timeline_add(TIMELINE_ON_PROCESSOR, parallelism.start_ns, now_ns, cpu_ns);
	timeline_add(TIMELINE_USEFUL, parallelism.start_ns, now_ns, cpu_ns);
}

void parallelism_set_view(enum parallelism_view view)
{
	parallelism.view = view;
}

bool parallelism_is_seen(void)
{
	return parallelism.view != PARALLELISM_UNSEEN;
}

bool parallelism_is_whole(void)
{
	return parallelism.view == PARALLELISM_SEEN;
}

void parallelism_set(uint32_t on, uint32_t useful)
{
	parallelism.useful = useful;
	__atomic_store_n(&parallelism.on, on, __ATOMIC_RELAXED);
}

static void add_time(enum concurrency_kind kind, uint32_t level, uint64_t ns)
{
	struct row_concurrency *rows = parallelism.rows[kind];

	if (rows)
		rows[level < parallelism.count ? level : parallelism.count - 1].time_ns += ns;
}

static void add_times(uint64_t ns)
{
	bool is_seen = parallelism_is_seen();

	add_time(is_seen ? CONCURRENCY_ON_PROCESSOR : CONCURRENCY_UNSEEN_ON_PROCESSOR,
		 parallelism.on, ns);
	add_time(is_seen ? CONCURRENCY_USEFUL : CONCURRENCY_UNSEEN_USEFUL, parallelism.useful, ns);
	if (parallelism.view == PARALLELISM_IN_WINDOW) {
		add_time(CONCURRENCY_WINDOWS_ON_PROCESSOR, parallelism.on, ns);
		add_time(CONCURRENCY_WINDOWS_USEFUL, parallelism.useful, ns);
	}
}

void parallelism_advance(uint64_t time_ns)
{
	if (time_ns <= parallelism.last_ns)
		return;
	uint64_t from_ns = parallelism.last_ns, ns = time_ns - from_ns;

	/* first: if cancellation ends the thread in the middle of this, the time is not counted
	 * twice; readers make up for what is missing */
	__atomic_store_n(&parallelism.last_ns, time_ns, __ATOMIC_RELAXED);
	interrupted_fence();
	add_times(ns);
	timeline_add(TIMELINE_ON_PROCESSOR, from_ns, time_ns, ns * parallelism.on);
	timeline_add(TIMELINE_USEFUL, from_ns, time_ns, ns * parallelism.useful);
	parallelism.cpu_ns += ns * parallelism.on;
	if (process_row) {
		process_row->accounted_ns = time_ns;
		if (parallelism_is_seen())
			process_row->switches_ns += ns;
	}
}

/* Returns what could not be moved: that level has had no more time. */
static uint64_t move_down(struct row_concurrency *rows, uint32_t level, uint64_t ns)
{
	uint64_t moved = ns < rows[level].time_ns ? ns : rows[level].time_ns;

	rows[level].time_ns -= moved;
	rows[level - 1].time_ns += moved;
	return ns - moved;
}

/* From the present level first, because most of it was spent there. */
static void move_all_down(enum concurrency_kind kind, uint64_t ns)
{
	struct row_concurrency *rows = parallelism.rows[kind];
	uint32_t level =
		parallelism.useful < parallelism.count ? parallelism.useful : parallelism.count - 1;

	if (!rows)
		return;
	if (level)
		ns = move_down(rows, level, ns);
	for (level = 1; ns && level < parallelism.count; level++)
		ns = move_down(rows, level, ns);
}

void parallelism_take_useful(uint64_t ns)
{
	move_all_down(parallelism_is_seen() ? CONCURRENCY_USEFUL : CONCURRENCY_UNSEEN_USEFUL, ns);
	if (parallelism.view == PARALLELISM_IN_WINDOW)
		move_all_down(CONCURRENCY_WINDOWS_USEFUL, ns);
	timeline_take(TIMELINE_USEFUL, parallelism.last_ns, ns);
}

uint64_t parallelism_last_ns(void)
{
	return parallelism.last_ns;
}

uint64_t parallelism_cpu_ns(void)
{
	return parallelism.cpu_ns;
}

const uint32_t *parallelism_on_word(void)
{
	return &parallelism.on;
}

uint32_t parallelism_on(void)
{
	return __atomic_load_n(&parallelism.on, __ATOMIC_RELAXED);
}

/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/levels.h"

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
	uint64_t cpu_ns; /* that passed in levels_advance */
	enum levels_view view;
	uint32_t on; /* atomic: samples read it */
	uint32_t useful;
} levels;

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

void levels_start(uint64_t start_ns, unsigned processors)
{
	memset(&levels, 0, sizeof levels);
	timeline_reset();
	levels.count = count_for(processors);
	levels.start_ns = levels.last_ns = start_ns;
	for (unsigned kind = CONCURRENCY_ON_PROCESSOR; kind < KINDS; kind++)
		levels.rows[kind] = add_rows(kind, levels.count);
}

/* Further rows with the same keys: readers add them up. */
void levels_widen(unsigned processors)
{
	struct row_concurrency *rows[KINDS] = {NULL};
	unsigned count = count_for(processors);

	if (count <= levels.count)
		return;
	for (unsigned kind = CONCURRENCY_ON_PROCESSOR; kind < KINDS; kind++)
		if (!(rows[kind] = add_rows(kind, count)))
			return;
	memcpy(levels.rows, rows, sizeof rows);
	levels.count = count;
}

void levels_update_single(uint64_t now_ns, uint64_t cpu_ns)
{
	struct row_concurrency *on = levels.rows[CONCURRENCY_ON_PROCESSOR],
			       *useful = levels.rows[CONCURRENCY_USEFUL];
	uint64_t elapsed = now_ns - levels.start_ns;

	if (!on || !useful)
		return;
	cpu_ns = cpu_ns < elapsed ? cpu_ns : elapsed;
	on[1].time_ns = useful[1].time_ns = cpu_ns;
	on[0].time_ns = useful[0].time_ns = elapsed - cpu_ns;
	levels.last_ns = now_ns;
	if (process_row) {
		process_row->accounted_ns = now_ns;
		process_row->switches_ns = elapsed; /* one thread's CPU time is as exact */
	}
}

void levels_leave_out(uint64_t ns)
{
	levels.start_ns += ns;
}

void levels_end_single(uint64_t now_ns, uint64_t cpu_ns)
{
	levels_update_single(now_ns, cpu_ns);
	timeline_add(TIMELINE_ON_PROCESSOR, levels.start_ns, now_ns, cpu_ns);
	timeline_add(TIMELINE_USEFUL, levels.start_ns, now_ns, cpu_ns);
}

void levels_set_view(enum levels_view view)
{
	levels.view = view;
}

bool levels_are_seen(void)
{
	return levels.view != LEVELS_UNSEEN;
}

bool levels_are_whole(void)
{
	return levels.view == LEVELS_SEEN;
}

void levels_set(uint32_t on, uint32_t useful)
{
	levels.useful = useful;
	__atomic_store_n(&levels.on, on, __ATOMIC_RELAXED);
}

static void add_time(enum concurrency_kind kind, uint32_t level, uint64_t ns)
{
	struct row_concurrency *rows = levels.rows[kind];

	if (rows)
		rows[level < levels.count ? level : levels.count - 1].time_ns += ns;
}

static void add_times(uint64_t ns)
{
	bool is_seen = levels_are_seen();

	add_time(is_seen ? CONCURRENCY_ON_PROCESSOR : CONCURRENCY_UNSEEN_ON_PROCESSOR, levels.on,
		 ns);
	add_time(is_seen ? CONCURRENCY_USEFUL : CONCURRENCY_UNSEEN_USEFUL, levels.useful, ns);
	if (levels.view == LEVELS_IN_WINDOW) {
		add_time(CONCURRENCY_WINDOWS_ON_PROCESSOR, levels.on, ns);
		add_time(CONCURRENCY_WINDOWS_USEFUL, levels.useful, ns);
	}
}

void levels_advance(uint64_t time_ns)
{
	if (time_ns <= levels.last_ns)
		return;
	uint64_t from_ns = levels.last_ns, ns = time_ns - from_ns;

	/* first: if cancellation ends the thread in the middle of this, the time is not counted
	 * twice; readers make up for what is missing */
	__atomic_store_n(&levels.last_ns, time_ns, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	add_times(ns);
	timeline_add(TIMELINE_ON_PROCESSOR, from_ns, time_ns, ns * levels.on);
	timeline_add(TIMELINE_USEFUL, from_ns, time_ns, ns * levels.useful);
	levels.cpu_ns += ns * levels.on;
	if (process_row) {
		process_row->accounted_ns = time_ns;
		if (levels_are_seen())
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
	struct row_concurrency *rows = levels.rows[kind];
	uint32_t level = levels.useful < levels.count ? levels.useful : levels.count - 1;

	if (!rows)
		return;
	if (level)
		ns = move_down(rows, level, ns);
	for (level = 1; ns && level < levels.count; level++)
		ns = move_down(rows, level, ns);
}

void levels_take_useful(uint64_t ns)
{
	move_all_down(levels_are_seen() ? CONCURRENCY_USEFUL : CONCURRENCY_UNSEEN_USEFUL, ns);
	if (levels.view == LEVELS_IN_WINDOW)
		move_all_down(CONCURRENCY_WINDOWS_USEFUL, ns);
	timeline_take(TIMELINE_USEFUL, levels.last_ns, ns);
}

uint64_t levels_last_ns(void)
{
	return levels.last_ns;
}

uint64_t levels_cpu_ns(void)
{
	return levels.cpu_ns;
}

uint32_t levels_on(void)
{
	return __atomic_load_n(&levels.on, __ATOMIC_RELAXED);
}

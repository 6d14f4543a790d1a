/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/parallelism.h"

#include "preload/base/interrupted.h"
#include "preload/base/likely.h"
#include "preload/concurrency/section_levels.h"
#include "preload/concurrency/timeline.h"
#include "preload/file/rows.h"
#include "preload/process/process_row.h"

#include <string.h>

static struct {
	struct level_account account;
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

/* False: there is no room for some. */
static bool add_all_rows(struct level_account *account, unsigned processors)
{
	bool has_all = true;

	*account = (struct level_account){
		.stride = sizeof(struct row_concurrency) / sizeof(uint64_t),
		.count = level_account_count(processors),
	};
	for (unsigned kind = CONCURRENCY_ON_PROCESSOR; kind < LEVEL_KINDS; kind++) {
		struct row_concurrency *rows = add_rows(kind, account->count);

		account->times[kind] = rows ? &rows->time_ns : NULL;
		has_all = has_all && rows;
	}
	return has_all;
}

void parallelism_start(uint64_t start_ns, unsigned processors)
{
	memset(&parallelism, 0, sizeof parallelism);
	timeline_reset();
	section_levels_start(start_ns, processors);
	parallelism.start_ns = parallelism.last_ns = start_ns;
	add_all_rows(&parallelism.account, processors);
}

/* Further rows with the same keys: readers add them up. */
void parallelism_widen(unsigned processors)
{
	struct level_account wider;

	if (level_account_count(processors) <= parallelism.account.count ||
	    !add_all_rows(&wider, processors))
		return;
	parallelism.account = wider;
	section_levels_widen(processors);
}

void parallelism_update_single(uint64_t now_ns, uint64_t cpu_ns)
{
	uint64_t elapsed = now_ns - parallelism.start_ns;

	level_account_set_single(&parallelism.account, elapsed, cpu_ns);
	parallelism.last_ns = now_ns;
	section_levels_update_single(now_ns, cpu_ns);
	if (process_row) {
		process_row->accounted_ns = now_ns;
		process_row->switches_ns = elapsed; /* one thread's CPU time is as exact */
	}
}

void parallelism_leave_out(uint64_t ns)
{
	parallelism.start_ns += ns;
	section_levels_leave_out(ns);
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

static struct levels_now levels_now(void)
{
	return (struct levels_now){parallelism.view, parallelism.on, parallelism.useful};
}

void parallelism_advance(uint64_t time_ns)
{
	if (time_ns <= parallelism.last_ns)
		return;
	uint64_t from_ns = parallelism.last_ns, ns = time_ns - from_ns;
	struct levels_now now = levels_now();

	/* first: if cancellation ends the thread in the middle of this, the time is not counted
	 * twice; readers make up for what is missing */
	__atomic_store_n(&parallelism.last_ns, time_ns, __ATOMIC_RELAXED);
	interrupted_fence();
	level_account_pass(&parallelism.account, &now, ns);
	if (unlikely(section_levels_any))
		section_levels_pass(&now, ns);
	timeline_add(TIMELINE_ON_PROCESSOR, from_ns, time_ns, ns * parallelism.on);
	timeline_add(TIMELINE_USEFUL, from_ns, time_ns, ns * parallelism.useful);
	parallelism.cpu_ns += ns * parallelism.on;
	if (process_row) {
		process_row->accounted_ns = time_ns;
		if (parallelism_is_seen())
			process_row->switches_ns += ns;
	}
}

void parallelism_take_useful(uint64_t ns)
{
	struct levels_now now = levels_now();

	level_account_take_useful(&parallelism.account, &now, ns);
	if (unlikely(section_levels_any))
		section_levels_take_useful(&now, ns);
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

static uint64_t read_level(enum concurrency_kind kind, unsigned level)
{
	const uint64_t *times = parallelism.account.times[kind];

	return times ? times[(size_t)level * parallelism.account.stride] : 0;
}

unsigned parallelism_read(uint64_t *levels, unsigned count)
{
	unsigned last = (count < parallelism.account.count ? count : parallelism.account.count) - 1;

	memset(levels, 0, count * sizeof *levels);
	for (unsigned i = 0; i < parallelism.account.count; i++)
		levels[i < last ? i : last] += read_level(CONCURRENCY_ON_PROCESSOR, i) +
					       read_level(CONCURRENCY_UNSEEN_ON_PROCESSOR, i);
	return last + 1;
}

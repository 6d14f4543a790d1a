/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_thread.h"

#include "preload/base/interrupted.h"
#include "preload/base/pages.h"
#include "preload/life/lifecycle.h"
#include "preload/openmp/omp_lock_filter.h"
#include "preload/openmp/omp_process.h"
#include "preload/process/module_map.h"
#include "preload/stacks/callpath.h"
#include "preload/waits/activity.h"
#include "preload/waits/stack_memo.h"

#include <string.h>

enum {
	/* first and most rows of a thread's tables */
	ROWS_FIRST = 16,
	ROWS_MOST = 4096,
};

/* The record that this thread made, or took over. */
static __thread struct omp_thread *latest;

/* Fork child: the row of the loop that its thread is in is in the parent's file. Forgotten here, so
 * that the millions of requests for pieces need not check for a fork. */
static void forget(void)
{
	if (latest)
		latest->loop = NULL;
}

static struct row_omp_threads *make_row(struct thread *thread)
{
	struct row_hash table;

	row_hash_prepare(&table, TABLE_omp_threads, sizeof(struct row_omp_threads), thread->number,
			 1, 2);
	return row_hash_find(&table, 1, 1);
}

static struct omp_thread *make(struct thread *thread)
{
	struct omp_thread *omp = pages_new(sizeof *omp);

	if (!omp)
		return NULL;
	lifecycle_call_in_child(forget);
	omp_process_begin();
	omp_region_other(); /* while there is room for it */
	omp->row = make_row(thread);
	if (!omp->row) {
		pages_free(omp, sizeof *omp);
		return NULL;
	}
	row_hash_prepare(&omp->executions, TABLE_omp_executions, sizeof(struct row_omp_executions),
			 thread->number, ROWS_FIRST, ROWS_MOST);
	row_hash_prepare(&omp->work, TABLE_omp_work, sizeof(struct row_omp_work), thread->number,
			 ROWS_FIRST, ROWS_MOST);
	row_hash_prepare(&omp->constructs, TABLE_omp_constructs, sizeof(struct row_omp_constructs),
			 thread->number, ROWS_FIRST, ROWS_MOST);
	row_hash_prepare(&omp->tasks, TABLE_omp_tasks, sizeof(struct row_omp_tasks), thread->number,
			 ROWS_FIRST, ROWS_MOST);
	omp->thread = thread;
	thread->omp_row = omp->row;
	thread->omp = omp;
	return omp;
}

struct omp_thread *omp_thread_make(struct thread *thread)
{
	struct omp_thread *omp = thread->omp;

	busy_begin(&thread->is_busy);
	if (!omp) {
		omp = make(thread);
	} else { /* of an earlier life of the record: only its rows are still valid */
		omp->member = NULL;
		omp->task = NULL;
		omp->loop = NULL;
		omp->late = NULL;
		omp->late_row = NULL;
		omp->old_teams = NULL;
		omp->making = 0;
		omp->region = omp->slots_used = 0;
		omp->is_lock_waited = false;
		omp->taskloop = 0;
		omp->open_teams = NULL;
		omp->is_in_league = omp->is_league_new = false;
		memset(&omp->wait, 0, sizeof omp->wait);
	}
	latest = omp;
	thread->is_omp_stale = !omp;
	busy_end(&thread->is_busy);
	return omp;
}

uint32_t omp_thread_region(struct omp_thread *omp, enum omp_region_kind kind, uint64_t place,
			   const struct site *site)
{
	struct omp_place *known = &omp->places[omp_hash(place)];

	if (likely(known->place == place && known->parent == omp->region && known->region))
		return known->region;
	uint32_t region = omp_region_known(kind, place, omp->region);
	if (!region) {
		struct stack_memo *memo = &omp->thread->memos[0];
		uint32_t caller = stack_memo_path(omp->thread, memo, site);
		region = omp_region_find(kind, place, omp->region, caller);
	}
	*known = (struct omp_place){place, omp->region, region};
	return region;
}

static struct omp_rows *rows_of(struct omp_thread *omp, uint32_t region)
{
	struct omp_rows *rows = &omp->rows[region % OMP_SITES];

	if (unlikely(rows->region != region))
		*rows = (struct omp_rows){.region = region};
	return rows;
}

struct row_omp_executions *omp_thread_executions(struct omp_thread *omp, uint32_t region,
						 uint32_t team)
{
	struct omp_rows *rows = rows_of(omp, region);

	if (unlikely(rows->team != team || !rows->executions)) {
		rows->executions = row_hash_find(&omp->executions, region | (uint64_t)team << 32,
						 (uint64_t)team << 32 | omp_region_other());
		rows->team = team;
	}
	return rows->executions;
}

struct row_omp_work *omp_thread_work(struct omp_thread *omp, uint32_t region, uint32_t number)
{
	struct omp_rows *rows = rows_of(omp, region);

	if (unlikely(rows->number != number || !rows->work)) {
		rows->work = row_hash_find(&omp->work, region | (uint64_t)number << 32,
					   (uint64_t)number << 32 | omp_region_other());
		rows->number = number;
	}
	return rows->work;
}

/* A body's last call may have been compiled to a jump: then it looks as if it came from us, but
 * belongs to the body. */
static uint32_t path_of(const struct omp_thread *omp, uint64_t caller)
{
	if (likely(!module_map_is_own(caller)))
		return callpath_place(caller);
	if (omp->task && omp->task->row)
		return omp->task->row->place;
	if (omp->member && omp->member->team->body)
		return callpath_place((uint64_t)omp->member->team->body | UNWIND_EXACT);
	return callpath_place(caller);
}

struct omp_site *omp_thread_site_slow(struct omp_thread *omp, struct omp_site *site,
				      enum omp_construct construct, uint64_t caller)
{
	uint64_t rest = (uint64_t)omp->region << 32 | (uint64_t)construct << 48;

	site->place = path_of(omp, caller);
	site->row = row_hash_find(&omp->constructs, site->place | rest,
				  callpath_mark(MARK_OTHER) | rest);
	site->caller = caller;
	site->region = omp->region;
	site->construct = construct;
	return site;
}

struct row_omp_tasks *omp_thread_untimed_tasks(struct omp_thread *omp, uint64_t place)
{
	uint64_t flags = OMP_TASKS_UNTIMED | (place & UNWIND_EXACT ? OMP_TASKS_AT_ENTRY : 0);
	uint64_t rest = (uint64_t)omp->region << 32 | flags << 48;

	return row_hash_find(&omp->tasks, callpath_place(place) | rest,
			     callpath_mark(MARK_OTHER) | rest);
}

struct omp_task_site *omp_thread_task_site_slow(struct omp_thread *omp, struct omp_task_site *site,
						uint64_t place)
{
	uint64_t flags = place & UNWIND_EXACT ? OMP_TASKS_AT_ENTRY : 0;
	uint64_t rest = (uint64_t)site->region << 32 | flags << 48;

	site->path = callpath_place(place);
	site->row = row_hash_find(&omp->tasks, site->path | rest, callpath_mark(MARK_OTHER) | rest);
	site->place = place;
	return site;
}

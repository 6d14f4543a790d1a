/* SPDX-License-Identifier: MIT */
#include "preload/counters/thread_events.h"

#include "preload/base/clock.h"
#include "preload/base/pages.h"
#include "preload/base/patience.h"
#include "preload/base/system.h"
#include "preload/counters/event_group.h"
#include "preload/counters/event_list.h"
#include "preload/counters/event_numbers.h"
#include "preload/counters/event_records.h"
#include "preload/file/note.h"
#include "preload/file/rows.h"
#include "preload/file/store.h"
#include "preload/process/settings.h"
#include "preload/stacks/callpath.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	COUNTS_FIRST = 8, /* rows of the tables: first and most */
	COUNTS_MOST = 2 * EVENTS_MOST,
	SAMPLES_FIRST = 64,
	SAMPLES_MOST = 4096, /* 96 KiB */
	LEVEL_MOST = 255,
	RECORDS = 64,            /* taken at once */
	ALLOWANCE_NS = 20000000, /* for opening events, whatever the process's CPU time is */
	PATIENCE_NS = 20000000,  /* a reading takes some microseconds */
};

struct event_set {
	struct event_set *next; /* in the list of all */
	int is_busy;            /* atomic: a thread reads or charges */
	uint32_t owner;
	uint32_t group_count, count;
	struct event_group groups[EVENTS_MOST];
	struct event_counter counters[EVENTS_MOST];
	uint64_t uncharged[EVENTS_MOST]; /* counted since the last sample */
	struct row_hash counts, samples;
};

static struct event_set *sets; /* atomic: all that were ever made in this process */
static int own_pid;            /* of the process that they are of */
static uint64_t opening_ns;    /* atomic: what opening events took, in all threads */

/* ---- the process ---- */

void thread_events_start(void)
{
	event_list_read(settings.events, settings.metrics);
}

void thread_events_open_profile(int pid)
{
	opening_ns = 0;
	own_pid = pid;
	if (event_list_count())
		event_list_write();
}

void thread_events_forget(void)
{
	event_numbers_forget();
	sets = NULL;
}

/* ---- one at a time ---- */

static bool try_take(struct event_set *set)
{
	return !__atomic_exchange_n(&set->is_busy, 1, __ATOMIC_ACQUIRE);
}

static void let_go(struct event_set *set)
{
	__atomic_store_n(&set->is_busy, 0, __ATOMIC_RELEASE);
}

/* For a while: whoever has it may have been left by a jump. */
static bool take(struct event_set *set)
{
	struct patience patience = {0};

	while (!try_take(set))
		if (!patience_left(&patience, PATIENCE_NS))
			return false;
	return true;
}

/* ---- begin ---- */

static bool is_affordable(void)
{
	uint64_t spent_ns = __atomic_load_n(&opening_ns, __ATOMIC_RELAXED);

	return spent_ns < ALLOWANCE_NS ||
	       spent_ns < clock_process_cpu_ns() / 100 * settings.budget_percent;
}

static void refuse_all(void)
{
	for (uint32_t i = 0; i < event_list_count(); i++) {
		struct row_events *row = event_list_row(i);
		if (!row)
			continue;
		__atomic_fetch_add(&row->refused, 1, __ATOMIC_RELAXED);
		if (!row->error)
			row->error = EDQUOT; /* the reader's word for it */
	}
	note_once(NOTE_EVENTS_COSTLY, 0);
}

static void open_groups(struct event_set *set)
{
	uint32_t end = event_list_count(), index = 0;

	while (index < end) {
		struct event_group *group = &set->groups[set->group_count];
		index = event_group_open(group, &set->counters[set->count], index, end);
		set->count += group->count;
		set->group_count += group->count > 0;
	}
}

static struct event_set *make(uint32_t owner)
{
	struct event_set *set = pages_new(sizeof *set);

	if (!set)
		return NULL;
	set->owner = owner;
	set->next = __atomic_load_n(&sets, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&sets, &set->next, set, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	row_hash_prepare(&set->counts, TABLE_event_counts, sizeof(struct row_event_counts), owner,
			 COUNTS_FIRST, COUNTS_MOST);
	row_hash_prepare(&set->samples, TABLE_event_samples, sizeof(struct row_event_samples),
			 owner, SAMPLES_FIRST, SAMPLES_MOST);
	return set;
}

void thread_events_begin(struct event_set **set, uint32_t owner)
{
	if (likely(!event_list_count()))
		return;
	if (!is_affordable()) {
		refuse_all();
		return;
	}
	/* CPU time, as the budget is: a thread may have to wait for a processor meanwhile */
	uint64_t since_ns = clock_thread_cpu_ns();
	if (!*set)
		*set = make(owner);
	if (!*set)
		return;
	(*set)->group_count = (*set)->count = 0;
	(*set)->is_busy = 0;
	open_groups(*set);
	__atomic_fetch_add(&opening_ns, clock_thread_cpu_ns() - since_ns, __ATOMIC_RELAXED);
}

/* ---- counts ---- */

/* A row is made at the first reading, even if nothing was counted: 0 is a figure, too. */
static void add_reading(struct event_set *set, uint32_t index, const struct event_reading *reading)
{
	struct event_counter *counter = &set->counters[index];
	uint64_t number = counter->wish->number, counted = reading->count - counter->last.count;
	struct row_event_counts *row = counter->sums;

	if (unlikely(!row))
		row = counter->sums = row_hash_find(&set->counts, number, number);
	if (!row)
		return;
	row->count += counted;
	row->enabled_ns += reading->enabled_ns - counter->last.enabled_ns;
	row->running_ns += reading->running_ns - counter->last.running_ns;
	set->uncharged[index] += counter->wish->period ? 0 : counted;
	counter->last = *reading;
}

static void read_groups(struct event_set *set, bool is_own)
{
	struct event_reading readings[EVENT_GROUP_MOST];

	for (uint32_t i = 0; i < set->group_count; i++) {
		const struct event_group *group = &set->groups[i];
		uint32_t first = (uint32_t)(group->counters - set->counters);
		if (!event_group_read(group, is_own, readings)) {
			note_once(NOTE_EVENTS_CLOSED, 0);
			continue;
		}
		for (uint32_t event = 0; event < group->count; event++)
			add_reading(set, first + event, &readings[event]);
	}
}

/* ---- call paths ---- */

static uint64_t key_of(uint32_t path, uint32_t event, uint32_t level, uint32_t cause)
{
	level = level < LEVEL_MOST ? level : LEVEL_MOST;
	return path | (uint64_t)event << 32 | (uint64_t)level << 48 | (uint64_t)cause << 56;
}

/* If there is no room: the innermost routine without callers, else [other]. walk: NULL: there is no
 * more than the path. */
__attribute__((noinline)) static struct row_event_samples *
find_or_add(struct event_set *set, uint64_t key, const struct unwind_path *walk)
{
	uint64_t rest = key & ~(uint64_t)UINT32_MAX, other = callpath_mark(MARK_OTHER) | rest;
	uint32_t routine = walk ? callpath_routine(walk) : 0;
	uint64_t keys[] = {key, routine ? routine | rest : other, other};

	return row_hash_find_first(&set->samples, keys, 3);
}

static void charge(struct event_set *set, uint64_t key, const struct unwind_path *walk,
		   uint64_t count)
{
	struct row_event_samples *row = row_hash_seek(&set->samples, key);

	if (unlikely(!row))
		row = find_or_add(set, key, walk);
	if (!row)
		return; /* it remains in event_counts, as [unsampled] */
	row->count += count;
	row->samples++;
}

/* The upper half of the addresses is the kernel's. */
static uint32_t path_of(uint64_t address)
{
	return address & UNWIND_EXACT ? callpath_mark(MARK_KERNEL)
				      : callpath_place(address | UNWIND_EXACT);
}

/* Records have an address alone: no callers, nobody knows how many threads ran, nor the wait. */
static void charge_records(struct event_set *set, const struct event_counter *counter)
{
	uint64_t addresses[RECORDS], lost = 0;
	uint32_t taken;

	do {
		taken = event_records_take(counter, addresses, RECORDS, &lost);
		for (uint32_t i = 0; i < taken; i++) {
			uint32_t path = path_of(addresses[i]);
			if (path)
				charge(set, key_of(path, counter->wish->number, 0, 0), NULL,
				       counter->wish->period);
		}
	} while (taken == RECORDS);
	if (lost)
		note_once(NOTE_EVENTS_LOST, (uint32_t)lost);
}

static void take_records(struct event_set *set)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (set->counters[i].wish->period)
			charge_records(set, &set->counters[i]);
}

static void read_all(struct event_set *set, bool is_own)
{
	take_records(set); /* first: what it does itself may have further ones */
	read_groups(set, is_own);
}

void thread_events_read(struct event_set *set)
{
	if (likely(!set) || !set->count || !try_take(set))
		return;
	read_all(set, true);
	let_go(set);
}

void thread_events_charge(struct event_set *set, const struct event_place *place)
{
	if (likely(!set) || !set->count || !try_take(set))
		return;
	for (uint32_t i = 0; i < set->count; i++) {
		uint32_t event = set->counters[i].wish->number;
		if (!set->uncharged[i] || !place->path)
			continue;
		charge(set, key_of(place->path, event, place->level, place->cause), place->walk,
		       set->uncharged[i]);
		set->uncharged[i] = 0;
	}
	let_go(set);
}

/* ---- the end ---- */

void thread_events_update(struct event_set *set, bool is_own)
{
	if (!set || !set->count || !take(set))
		return;
	read_all(set, is_own);
	let_go(set);
}

static bool has_number(const struct event_set *set, int number)
{
	for (uint32_t i = 0; i < set->group_count; i++)
		if (set->groups[i].number == number)
			return true;
	return false;
}

void thread_events_yield(int number)
{
	if (system_pid() != own_pid)
		return;
	for (struct event_set *set = __atomic_load_n(&sets, __ATOMIC_ACQUIRE); set; set = set->next)
		if (has_number(set, number))
			thread_events_update(set, false);
	event_numbers_yield(number);
}

void thread_events_end(struct event_set *set)
{
	if (!set)
		return;
	thread_events_update(set, true);
	for (uint32_t i = 0; i < set->group_count; i++)
		event_group_close(&set->groups[i]);
	set->group_count = set->count = 0;
	memset(set->uncharged, 0, sizeof set->uncharged);
}

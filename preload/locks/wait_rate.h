/* SPDX-License-Identifier: MIT */
/* Which waits for locks, conditions and semaphores are measured, if there are so many that
 * measuring each would slow the program down.
 *
 * A measured wait costs a microsecond: it is announced, releases of the lock are recorded, and the
 * holder is determined, partly while the lock is held. If a thread's waits cost it more than its
 * budget (settings.h), one in `every` of those at one place is measured, and the others are
 * only timed (quick_wait.h): their number and length are exact. Each of them is charged to a holder
 * that is drawn from those of the measured waits at that place, with a probability in proportion to
 * its time. The number of waits until the next measured one is random as well, so that no rhythm of
 * the program can be in step with it.
 *
 * A place is here an object, a return address and a stack pointer; where there are more than the
 * table holds, those that do not fit share one for each object and return address, and a measured
 * wait stands for those of all their call paths until the next. Context: own thread;
 * thread->is_busy is set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/file/schema.h"
#include "preload/file/vocabulary.h"

enum {
	/* of which waits may be left out */
	RATED_CAUSES = 1u << CAUSE_MUTEX | 1u << CAUSE_SPINLOCK | 1u << CAUSE_CONDITION |
		       1u << CAUSE_SEMAPHORE | 1u << CAUSE_OPENMP,
	RATE_SETS = 8, /* selected by the key's highest bits */
	RATE_WAYS = 4, /* places in each set, for one thread */
	RATE_HOLDERS = 6,
	RATE_EVERY_MOST = 512, /* at least one wait in so many is measured */
	UNLIKE_LEAST_NS = 50000,
};

/* A holder that was to blame, and its part of the measured time; fades. */
struct rated_holder {
	struct row_blame *blame; /* NULL: none */
	uint64_t ns;
};

/* The waits at one place. */
struct rated_wait {
	uint64_t key;          /* 0: none */
	struct row_waits *row; /* in which the latest measured one was counted */
	uint32_t left;         /* so many are not measured before the next one */
	uint32_t every;
	uint64_t holders_ns;
	struct rated_holder holders[RATE_HOLDERS]; /* the last: one of all others, at random */
	/* of waits for a condition: the measured time, and its part after the signal; these fade */
	uint64_t woken_ns, again_ns;
};

struct wait_rate {
	bool is_short;    /* some waits are not measured */
	uint64_t told_ns; /* end of the latest measured wait */
	int64_t debt_ns;  /* what was spent beyond the budget */
	uint64_t chance;
	/* of the wait that is being charged */
	unsigned charged;
	struct rated_holder charges[RATE_HOLDERS];
	struct rated_wait places[RATE_SETS][RATE_WAYS];
};

/* The place of that key; NULL: none. */
static inline struct rated_wait *wait_rate_find(struct wait_rate *rate, uint64_t key)
{
	struct rated_wait *set = rate->places[key >> 61];

	for (int i = 0; i < RATE_WAYS; i++)
		if (set[i].key == key)
			return &set[i];
	return NULL;
}

static inline bool wait_rate_has_room(const struct wait_rate *rate, uint64_t key)
{
	const struct rated_wait *set = rate->places[key >> 61];

	for (int i = 0; i < RATE_WAYS; i++)
		if (set[i].key == key || !set[i].key)
			return true;
	return false;
}

/* Of an object and the call's return address and stack pointer: if these are equal, the call path
 * is assumed to be the same. Without the stack pointer if there is no room for that. */
static inline uint64_t wait_rate_key(const struct wait_rate *rate, const void *object,
				     uint64_t caller, uint64_t sp)
{
	uint64_t shared = (uintptr_t)object * 0x9e3779b97f4a7c15u ^ caller * 0xc2b2ae3d27d4eb4fu;
	uint64_t own = (shared ^ sp * 0x165667b19e3779f9u) | 1;

	return wait_rate_has_room(rate, own) ? own : shared | 1;
}

/* A wait begins: its place, if it is not to be measured; NULL: it is. */
static inline struct rated_wait *wait_rate_leave_out(struct wait_rate *rate, uint64_t key)
{
	struct rated_wait *rated = wait_rate_find(rate, key);

	if (!rated || !rated->left)
		return NULL;
	rated->left--;
	return rated;
}

/* The row to charge it to; never NULL if waits at the place may be left out. */
struct row_blame *wait_rate_draw(struct wait_rate *rate, const struct rated_wait *rated);

/* A wait of more than eight times the average is unlike others: it is charged to no holder that was
 * drawn, and its own holder is not drawn for others. (Being long it is always measured, if the lock
 * has a time limit; by its time it would be drawn for most of those that are not.) */
static inline bool wait_rate_is_unlike(const struct row_waits *row, uint64_t ns)
{
	return ns > UNLIKE_LEAST_NS && row->count && ns / 8 > row->sum_ns / row->count;
}

/* Before a wait is charged: forgets earlier charges. */
static inline void wait_rate_settle(struct wait_rate *rate)
{
	rate->charged = 0;
}

/* Blame of the wait was added to that row. is_known: the holder was seen; rows of unknown holders
 * are drawn only if there was never a known one. */
void wait_rate_charged(struct wait_rate *rate, struct row_blame *blame, uint64_t ns, bool is_known);

/* A measured wait of that length that ended normally was counted in that row and charged, at
 * now_ns. words_ns: what recording the releases meanwhile cost their threads. */
void wait_rate_measured(struct wait_rate *rate, uint64_t key, struct row_waits *row, uint64_t ns,
			uint64_t now_ns, uint64_t words_ns);

/* After it, of a wait for a condition: again_ns of its time were after the signal, until it had the
 * mutex. */
void wait_rate_woken(struct wait_rate *rate, uint64_t key, uint64_t ns, uint64_t again_ns);

/* Of ns of waiting for a condition at that place, the part after the signal, estimated. */
static inline uint64_t wait_rate_again_ns(const struct rated_wait *rated, uint64_t ns)
{
	return rated->woken_ns
		       ? (uint64_t)((double)ns * (double)rated->again_ns / (double)rated->woken_ns)
		       : 0;
}

/* SPDX-License-Identifier: MIT */
/* Which waits for locks are measured, where they are so many that measuring each would slow the
 * program down.
 *
 * A measured wait costs a microsecond: it is announced, whoever releases the lock leaves word, and
 * the holder is looked for, partly while the lock is held. Where a thread's waits cost it more than
 * 1/RATE_SHARE of its time, one in `every` of those at one place is measured, and the others only
 * timed (quick_wait.h): their number and length are exact. Whom they are charged to is drawn, for
 * each by itself, from those that were to blame for measured ones at that place, each as likely as
 * its part of their time. The number of waits until the next one that is measured is drawn as well:
 * no rhythm of the program can fall in with it.
 *
 * Context: own thread, whose waits these are; thread->is_busy is set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/file/schema.h"

enum {
	RATE_SETS = 8, /* by the key's highest bits */
	RATE_WAYS = 4, /* places in each whose waits may be left unmeasured, of a thread */
	RATE_HOLDERS = 6,
	RATE_SHARE = 50,       /* 2 % */
	RATE_EVERY_MOST = 512, /* at least one in so many is measured */
};

/* Who was to blame, and for how much of the measured time; it fades. */
struct rated_holder {
	struct row_blame *blame; /* NULL: none */
	uint64_t ns;
};

/* Waits for one object at one place. */
struct rated_wait {
	uint64_t key;          /* 0: none */
	struct row_waits *row; /* that the latest measured one was counted in */
	uint32_t left;         /* so many are not measured from now on */
	uint32_t every;
	uint64_t holders_ns;
	struct rated_holder holders[RATE_HOLDERS]; /* the last one: drawn from all others */
};

struct wait_rate {
	bool is_short;    /* some are left out */
	uint64_t told_ns; /* end of the latest measured wait */
	int64_t debt_ns;  /* what was spent beyond the share */
	uint64_t chance;
	/* of the wait that is being settled */
	unsigned charged;
	struct rated_holder charges[RATE_HOLDERS];
	struct rated_wait places[RATE_SETS][RATE_WAYS];
};

/* Of an object, and a call of which the stack pointer and the return address are known: the call
 * path is taken to be the same where these are. */
static inline uint64_t wait_rate_key(const void *object, uint64_t caller, uint64_t sp)
{
	return ((uintptr_t)object * 0x9e3779b97f4a7c15u ^ caller * 0xc2b2ae3d27d4eb4fu ^
		sp * 0x165667b19e3779f9u) |
	       1;
}

/* The place of that key; NULL: none. */
static inline struct rated_wait *wait_rate_find(struct wait_rate *rate, uint64_t key)
{
	struct rated_wait *set = rate->places[key >> 61];

	for (int i = 0; i < RATE_WAYS; i++)
		if (set[i].key == key)
			return &set[i];
	return NULL;
}

/* A wait begins: how to count it without measuring; NULL: it is to be measured. */
static inline struct rated_wait *wait_rate_leave_out(struct wait_rate *rate, uint64_t key)
{
	struct rated_wait *rated = wait_rate_find(rate, key);

	if (!rated || !rated->left)
		return NULL;
	rated->left--;
	return rated;
}

/* Whom to charge it to; never NULL for one that may be left out. */
struct row_blame *wait_rate_draw(struct wait_rate *rate, const struct rated_wait *rated);

/* A wait is going to be settled: what was charged before was not of it. */
static inline void wait_rate_settle(struct wait_rate *rate)
{
	rate->charged = 0;
}

/* Blame of the wait goes to that row; is_known: of a holder that was seen. Others are drawn only
 * where no holder ever was: that a lock was given back between the try and the wait is not said. */
void wait_rate_charged(struct wait_rate *rate, struct row_blame *blame, uint64_t ns, bool is_known);

/* A wait that was measured, and ended as it should, was counted in that row, and settled, at
 * now_ns; words_ns: what it cost those who had the lock meanwhile. */
void wait_rate_measured(struct wait_rate *rate, uint64_t key, struct row_waits *row,
			uint64_t now_ns, uint64_t words_ns);

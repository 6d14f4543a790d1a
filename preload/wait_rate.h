/* SPDX-License-Identifier: MIT */
/* Which waits for locks are measured, where they are so many that measuring each would slow the
 * program down.
 *
 * A measured wait costs a microsecond: it is announced, whoever releases the lock leaves word, and
 * the holder is looked for, partly while the lock is held. Where a thread's waits cost it more than
 * 1/RATE_SHARE of its time, one in `every` of those at one place is measured, and the others only
 * timed (quick_wait.h): their number and length are exact, and the holder is taken to be that of
 * the latest measured one that had one. Where that one had several, one of them is drawn, each as
 * likely as its part of the time, and so is the number of waits until the next one that is
 * measured: no rhythm of the program can fall in with it.
 *
 * Context: own thread, whose waits these are; thread->is_busy is set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema.h"

enum {
	RATE_ROWS = 16,        /* places whose waits may be left unmeasured, of a thread; 4 bits */
	RATE_SHARE = 50,       /* 2 % */
	RATE_EVERY_MOST = 512, /* at least one in so many is measured */
};

/* Waits for one object at one place. */
struct rated_wait {
	uint64_t key;            /* 0: none */
	struct row_waits *row;   /* that the latest measured one was counted in */
	struct row_blame *blame; /* and whom it was due to */
	uint32_t left;           /* so many are not measured from now on */
	uint32_t every;
};

struct wait_rate {
	struct rated_wait rows[RATE_ROWS];
	bool is_short;           /* some are left out */
	uint64_t told_ns;        /* end of the latest measured wait */
	int64_t debt_ns;         /* what was spent beyond the share */
	uint64_t charged_ns;     /* of the wait that is being settled, to holders that were seen */
	struct row_blame *drawn; /* one of them */
	struct row_blame *unknown; /* the others */
	uint64_t chance;
};

/* Of an object, and a call of which the stack pointer and the return address are known: the call
 * path is taken to be the same where these are. */
static inline uint64_t wait_rate_key(const void *object, uint64_t caller, uint64_t sp)
{
	return ((uintptr_t)object * 0x9e3779b97f4a7c15u ^ caller * 0xc2b2ae3d27d4eb4fu ^
		sp * 0x165667b19e3779f9u) |
	       1;
}

/* A wait begins: how to charge it without measuring; NULL: it is to be measured. */
static inline struct rated_wait *wait_rate_leave_out(struct wait_rate *rate, uint64_t key)
{
	struct rated_wait *rated = &rate->rows[key >> 60];

	if (rated->key != key || !rated->left)
		return NULL;
	rated->left--;
	return rated;
}

/* Blame of a measured wait goes to that row; is_known: of a holder that was seen. */
void wait_rate_charged(struct wait_rate *rate, struct row_blame *blame, uint64_t ns, bool is_known);

/* A measured wait was counted in that row, and settled, at now_ns; words_ns: what it cost those who
 * had the lock meanwhile. */
void wait_rate_measured(struct wait_rate *rate, uint64_t key, struct row_waits *row,
			uint64_t now_ns, uint64_t words_ns);

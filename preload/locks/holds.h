/* SPDX-License-Identifier: MIT */
/* Who kept an object, and for how long in total: cumulative time by the call path that released it.
 *
 * Each release adds the time since the previous one to its path. A waiter reads the sums when its
 * wait begins and when it ends: the differences are what it waited for, however many releases and
 * waiters there were. Bounded: 64 paths; a further one replaces the one with the least time, and
 * time that is then ambiguous is nobody's (path 0).
 *
 * A release may tell for how long its thread waited while it held the object: that part of the time
 * is summed up beside it, and never more than what is certain. It waited for input and output, or
 * for other threads; of a path that did both, one kind counts: that of the longest. Context: any
 * thread, signal handlers; a writer that finds another one at work gives up after a microsecond, or
 * at once if that is the thread itself, which a handler has interrupted; a reader that is disturbed
 * again and again waits for half a millisecond at most (patience.h): what is missed is nobody's,
 * too. */
#pragma once

#include "preload/base/try_owner.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	HOLD_PATHS = 64,    /* paths that are distinguished */
	HOLD_FIRSTS = 64,   /* first releases after a look whose slot is remembered */
	HOLD_FIRST_IOS = 4, /* the same with their input and output */
};

struct hold {
	uint64_t tag; /* path; in the upper half how many paths have had this slot */
	uint64_t ns;  /* of all of them: never decreases */
};

/* Input and output, or other threads, that the holder waited for while it held the object. */
struct hold_io {
	uint64_t begin_ns; /* when the first of these waits began */
	uint64_t ns;       /* their length in total, at most what has passed since begin_ns */
	uint64_t what;     /* hold_what of the longest */
};

/* Call path of the wait, row of its object, operation. */
static inline uint64_t hold_what(uint32_t path, uint16_t object, uint8_t operation)
{
	return path | (uint64_t)object << 32 | (uint64_t)operation << 48;
}

/* A bit of it: the wait was for other threads. */
#define HOLD_FOR_THREADS (1ULL << 56)

static inline bool hold_is_other_kind(uint64_t what, uint64_t other)
{
	return (what ^ other) & HOLD_FOR_THREADS;
}

/* Of a path: the part of its time that it waited itself, and the longest of that. */
struct hold_io_sum {
	uint64_t ns, what;
};

/* The sums at an instant. */
struct hold_view {
	bool is_known; /* false: it could not be read */
	bool has_mark; /* the first release after it will be known */
	uint8_t used;
	uint8_t last;       /* slot of the latest release */
	uint32_t count;     /* releases so far, those that were taken back included */
	uint32_t undone;    /* those that were taken back */
	uint32_t firsts;    /* those of them that were the first after a look */
	uint64_t until_ns;  /* the latest release; 0: none yet */
	uint64_t last_ns;   /* what it added */
	uint64_t signal_ns; /* of a view that is kept: see holds_keep */
	struct hold holds[HOLD_PATHS];
	bool has_io; /* otherwise all of the following is 0, or not valid */
	struct hold_io_sum io[HOLD_PATHS];
	struct hold_io first_io[HOLD_FIRST_IOS];
	union {
		uint8_t first[HOLD_FIRSTS]; /* slots of the latest of those, by number */
		uint64_t first_words[HOLD_FIRSTS / 8];
	};
};

struct holds {
	struct try_owner writer;
	uint32_t sequence;              /* atomic: odd while it is written */
	uint32_t is_looked_at;          /* atomic: a waiter has looked since the latest release */
	uint32_t missed;                /* atomic: releases that found another one at work */
	uint32_t number;                /* its own, for the pool */
	uint32_t next;                  /* atomic: in the pool's list, the next one's number + 1 */
	bool is_free;                   /* atomic: nobody has taken it since the latest release */
	uint32_t later;                 /* holders that took it after the latest release */
	uint64_t weight_ns[HOLD_PATHS]; /* what each path has added; fades as further paths come */
	uint64_t longest_io_ns[HOLD_PATHS]; /* that each path has added at once */
	struct hold_view now;
};

/* The calling thread has left the writing of one by a jump, or ends. */
void holds_let_go(void);

/* Empties it; number and sequence stay. */
void holds_clear(struct holds *holds);

/* A release at time_ns. io: of its thread while it held the object; NULL: none is known. */
void holds_release(struct holds *holds, uint64_t time_ns, uint32_t path, const struct hold_io *io);

/* A release that may turn out to be none, since only the kernel knows whether a call wakes anybody.
 * It counts from the call on: who is woken may run before the call returns. holds_withdraw gives
 * what it added to the release that came next, or leaves it to the one that will. Waiters that
 * ended in between have been told of it: the time of a system call. */
struct hold_receipt {
	bool is_valid; /* false: nothing was added */
	bool was_first;
	uint8_t place, last; /* last, until_ns, last_ns: as they were before */
	uint32_t count;      /* with it */
	uint64_t tag, added_ns, until_ns, last_ns;
};
void holds_try_release(struct holds *holds, uint64_t time_ns, uint32_t path,
		       struct hold_receipt *receipt);
void holds_withdraw(struct holds *holds, const struct hold_receipt *receipt);

/* For objects with several holders at once. Waiters are kept out by those that have held it since
 * the latest recorded release; the last of these to release it is the one they waited for. Holders
 * that came later do not count before then.
 *
 * A release by one of them. since_ns: when it took the object (0: not known, before anybody
 * waited); others: how many still hold it. */
void holds_release_shared(struct holds *holds, uint64_t time_ns, uint32_t path, uint64_t since_ns,
			  uint32_t others, const struct hold_io *io);

/* One took it while others waited: if it was free until then, the wait for the last holder ended
 * here. */
void holds_take_shared(struct holds *holds, uint64_t time_ns);

/* The first wait begins: so it is not free, and its holders came before. */
void holds_begin(struct holds *holds);

/* Reads the sums; view->is_known tells whether that succeeded. */
void holds_look(const struct holds *holds, struct hold_view *view);

/* The same at the begin of a wait: the first release after it will be known. */
void holds_look_first(struct holds *holds, struct hold_view *view);

/* The same without a view; returns the number of that release, for holds_first_since. */
static inline uint32_t holds_mark(struct holds *holds)
{
	if (!__atomic_load_n(&holds->is_looked_at, __ATOMIC_RELAXED))
		__atomic_store_n(&holds->is_looked_at, 1, __ATOMIC_SEQ_CST);
	return __atomic_load_n(&holds->now.firsts, __ATOMIC_RELAXED);
}

/* Stores a view for others to read: that of the signal at view->signal_ns. */
void holds_keep(struct holds *holds, const struct hold_view *view);

/* Into parts[0 .. HOLD_PATHS]: the time of the releases between two views, by path, less the part
 * of the first that lies before start_ns; the last part is nobody's. Their sum is the time from
 * start_ns to the latest release in `to`. Returns the number of parts. */
struct hold_part {
	uint32_t path; /* 0: nobody */
	uint64_t ns;
	uint64_t io_ns; /* at least so much of it was input and output, the longest is to->io[i] */
};
unsigned holds_between(const struct hold_view *from, const struct hold_view *to, uint64_t start_ns,
		       struct hold_part parts[HOLD_PATHS + 1]);

/* Takes up to ns off a part, which may have been input and output; returns what is left to take. */
static inline uint64_t hold_part_shorten(struct hold_part *part, uint64_t ns)
{
	uint64_t taken = part->ns < ns ? part->ns : ns;

	part->ns -= taken;
	part->io_ns -= taken < part->io_ns ? taken : part->io_ns;
	return ns - taken;
}

/* The path of the first release after a view; 0: not known. */
uint32_t holds_first_after(const struct hold_view *from, const struct hold_view *to);

/* The same by its number. */
static inline uint32_t holds_first_since(const struct hold_view *view, uint32_t number)
{
	uint32_t count = view->firsts - number;
	uint8_t place = view->first[number % HOLD_FIRSTS];

	return count && count <= HOLD_FIRSTS && place < view->used
		       ? (uint32_t)view->holds[place].tag
		       : 0;
}

static inline uint32_t holds_last_path(const struct hold_view *view)
{
	return view->count ? (uint32_t)view->holds[view->last].tag : 0;
}

/* SPDX-License-Identifier: MIT */
/* Who kept an object, and for how long in all: cumulative time by the call path that let go of it.
 *
 * Each release adds the time since the one before it to its path. Whoever waits looks at the sums
 * when the wait begins and again when it ends: the differences are what it waited for, however many
 * releases and waiters there were. Bounded: 64 paths; a further one takes the place of the one that
 * has kept it least, and what then cannot be told apart is nobody's (path 0). Context: any
 * thread, signal handlers; a writer that finds another one at work, or a reader that is disturbed
 * again and again, gives up after some microseconds: what is missed becomes nobody's, too. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
	HOLD_PATHS = 64,  /* paths that are told apart */
	HOLD_FIRSTS = 64, /* releases whose place is remembered: the first ones after a look */
};

struct hold {
	uint64_t tag; /* path, and in the upper half how many paths have had this place */
	uint64_t ns;  /* of all of them: only ever grows */
};

/* The sums at an instant. */
struct hold_view {
	bool is_known; /* false: it could not be read */
	bool has_mark; /* it will be known who is the first to let go after it */
	uint8_t used;
	uint8_t last;       /* place of the latest release */
	uint32_t count;     /* releases so far */
	uint32_t firsts;    /* of these, the first ones after a look */
	uint64_t until_ns;  /* the latest release; 0: none yet */
	uint64_t last_ns;   /* what it added */
	uint64_t signal_ns; /* of a view that was kept: why */
	struct hold holds[HOLD_PATHS];
	union {
		uint8_t first[HOLD_FIRSTS]; /* places of the latest of them, by number */
		uint64_t first_words[HOLD_FIRSTS / 8];
	};
};

struct holds {
	uint32_t sequence;     /* atomic: odd while it is written */
	uint32_t is_looked_at; /* atomic: since the latest release */
	uint32_t missed;       /* atomic: releases that found another one at work */
	uint32_t number;       /* its own, for whom it was taken from */
	uint32_t next;  /* atomic: of one that is not in use, the next such one's number + 1 */
	bool is_free;   /* atomic: nobody has it since the latest release */
	uint32_t later; /* of those who have it: who took it after the latest release */
	uint64_t weight_ns[HOLD_PATHS]; /* what each path has added; fades as others come */
	struct hold_view now;
};

/* As new; its numbers stay. */
void holds_clear(struct holds *holds);

/* Somebody lets go at time_ns. */
void holds_release(struct holds *holds, uint64_t time_ns, uint32_t path);

/* Several may have it at once. Those who have had it ever since the latest release keep the others
 * out; the last of these to let go is whom they waited for. One who came later is not in the way
 * before then.
 *
 * One lets go; since_ns: when it took it (0: not known, before anybody waited); others: how many
 * still have it. */
void holds_release_shared(struct holds *holds, uint64_t time_ns, uint32_t path, uint64_t since_ns,
			  uint32_t others);

/* One took it while others waited: if it was free until then, this was the hand-over. */
void holds_take_shared(struct holds *holds, uint64_t time_ns);

/* Somebody waits, the first one for some time: so it is not free, and whoever has it came before.
 */
void holds_begin(struct holds *holds);

/* The sums at this instant; is_known tells. */
void holds_look(const struct holds *holds, struct hold_view *view);

/* The same where something begins: the first release after it will be known. */
void holds_look_first(struct holds *holds, struct hold_view *view);

/* Keeps a view for others to look at, as of the signal at view->signal_ns. */
void holds_keep(struct holds *holds, const struct hold_view *view);

/* Into parts[0 .. HOLD_PATHS]: what was let go of between two views, by path, less the beginning of
 * the first release that lay before start_ns; parts beyond the paths are nobody's. Their sum is
 * what lies between start_ns and the latest release of `to`. Returns their number. */
struct hold_part {
	uint32_t path; /* 0: nobody */
	uint64_t ns;
};
unsigned holds_between(const struct hold_view *from, const struct hold_view *to, uint64_t start_ns,
		       struct hold_part parts[HOLD_PATHS + 1]);

/* The first release after a view; 0: not known. */
uint32_t holds_first_after(const struct hold_view *from, const struct hold_view *to);

static inline uint32_t holds_last_path(const struct hold_view *view)
{
	return view->count ? (uint32_t)view->holds[view->last].tag : 0;
}

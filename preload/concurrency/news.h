/* SPDX-License-Identifier: MIT */
/* Which threads may have something to tell the drain: a bit for each, so that a drain looks at
 * those that did something since the last one, and not at the thousands that wait.
 *
 * A thread that tells something looks whether its bit is set, and sets it where it is not. Whoever
 * drains clears the bits of those that were quiet, and looks at these once more in the next drain:
 * all four accesses are sequentially consistent, so either the thread sees that its bit is cleared,
 * or that look sees what it told. A bit is set and cleared by one instruction, and what was cleared
 * stands in `unsure` before, so that a drain or a thread that is left anywhere in between by a jump
 * leaves nothing out.
 *
 * Context: news_push and news_keep by the thread itself; the rest by whoever holds the drain
 * (concurrency.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/concurrency/presence.h"

enum { NEWS_BITS = 64, NEWS_WORDS = PRESENCE_LIMIT / NEWS_BITS };

extern uint64_t news_listed[NEWS_WORDS]; /* atomic; for news_push */

static inline uint64_t news_bit(const struct presence *presence)
{
	return UINT64_C(1) << presence->index % NEWS_BITS;
}

static inline uint64_t *news_word(uint64_t *words, const struct presence *presence)
{
	return &words[presence->index % PRESENCE_LIMIT / NEWS_BITS];
}

void news_list(const struct presence *presence);

/* The thread tells an event; there must be room. In line, since every wait comes by here. */
static inline void news_push(struct presence *presence, uint64_t since_start_ns, unsigned what)
{
	presence->events[presence->head % PRESENCE_EVENTS] = since_start_ns << EVENT_BITS | what;
	/* release as well: the drain sees the event before it sees the head */
	__atomic_store_n(&presence->head, presence->head + 1, __ATOMIC_SEQ_CST);
	if (unlikely(!(__atomic_load_n(news_word(news_listed, presence), __ATOMIC_SEQ_CST) &
		       news_bit(presence))))
		news_list(presence);
}

/* Before a thread's first call that is told of by open_since_ns: it is looked at in each drain from
 * now on. Such calls are made a million times a second, by few threads: none of them pays for
 * order.
 */
void news_keep(struct presence *presence);

/* Its life is over, and its record not yet used again. */
void news_end(const struct presence *presence);

/* Once in a drain, first: threads that have been quiet since the last one are not looked at any
 * more. Returns how many were looked at. */
unsigned news_strike_off(void);

/* Those that have something to tell, `room` of them at most. Returns their number. */
unsigned news_find(struct presence *sources[], unsigned room);

/* Start-up and fork child: nobody. */
void news_forget_all(void);

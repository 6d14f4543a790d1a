/* SPDX-License-Identifier: MIT */
/* Which threads may have events for the drain: a bit for each, so that a drain reads the rings of
 * threads that did something since the last one, and not of thousands that wait.
 *
 * A thread that writes an event sets its bit if it is not set. The drain clears the bits of threads
 * that were quiet, and reads these once more in the next drain. All four accesses are sequentially
 * consistent, so either the thread sees that its bit is cleared, or that second reading sees its
 * event. A bit is set or cleared by one instruction, and cleared bits are entered in `unsure`
 * before, so that nothing is missed if a jump leaves a drain or a thread's call in between.
 *
 * Context: news_push and news_keep by the thread itself; the rest by the thread that holds the
 * drain (concurrency.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/concurrency/event_ring.h"

enum { NEWS_BITS = 64, NEWS_WORDS = EVENT_RING_LIMIT / NEWS_BITS };

extern uint64_t news_listed[NEWS_WORDS]; /* atomic; for news_push */

static inline uint64_t news_bit(const struct event_ring *event_ring)
{
	return UINT64_C(1) << event_ring->index % NEWS_BITS;
}

static inline uint64_t *news_word(uint64_t *words, const struct event_ring *event_ring)
{
	return &words[event_ring->index % EVENT_RING_LIMIT / NEWS_BITS];
}

void news_list(const struct event_ring *event_ring);

/* Writes an event of the thread; there must be room. Inline, because every wait calls it. */
static inline void news_push(struct event_ring *event_ring, uint64_t since_start_ns, unsigned what)
{
	event_ring->events[event_ring->head % EVENT_RING_EVENTS] =
		since_start_ns << EVENT_BITS | what;
	/* also release: a drain that sees the head sees the event */
	__atomic_store_n(&event_ring->head, event_ring->head + 1, __ATOMIC_SEQ_CST);
	if (unlikely(!(__atomic_load_n(news_word(news_listed, event_ring), __ATOMIC_SEQ_CST) &
		       news_bit(event_ring))))
		news_list(event_ring);
}

/* Before a thread's call that sets open_since_ns, unless it is kept already: every drain reads the
 * thread from now on. Such calls are made a million times a second: so they need no ordered
 * store. */
void news_keep(struct event_ring *event_ring);

/* The contrary, by the thread itself, in no such call and after news_push. If `news_is_crowded`: so
 * many are kept that drains take long, and those that wait for something else should not be. */
void news_drop(struct event_ring *event_ring);
extern bool news_is_crowded;

/* Around the drain's try to claim the thread's open call. Of a claimed one the drain sees the end
 * without reading the thread each time, since that is an event: it is kept no longer, and its
 * thread, which finds the call claimed when that ends, clears is_kept. */
void news_claim(const struct event_ring *event_ring);
void news_claim_failed(const struct event_ring *event_ring);

/* Its life is over, and its record not yet reused. */
void news_end(const struct event_ring *event_ring);

/* Once in a drain, at its begin: threads that have been quiet since the last one are no longer
 * read. Returns how many were read. */
unsigned news_strike_off(void);

/* The threads that have events, at most `room` of them. Returns their number. */
unsigned news_find(struct event_ring *sources[], unsigned room);

/* Start-up and fork child: nobody. */
void news_forget_all(void);

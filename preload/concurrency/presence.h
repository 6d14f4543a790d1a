/* SPDX-License-Identifier: MIT */
/* One thread as the account of concurrency sees it: the small ring in which it leaves what it does,
 * its account of time off the processor, and the list of all of them.
 *
 * Context: the thread itself writes its ring; everything else is done by whoever holds the drain
 * (concurrency.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/schema.h"

enum { PRESENCE_EVENTS = 128, PRESENCE_LIMIT = 8192 /* of them, in all */ };

/* What an event says, in its lowest bits: cause << WHAT_BITS | what; above, when, since the account
 * began. */
enum what { WHAT_LEAVE, WHAT_ENTER, WHAT_SHORT, WHAT_BORN, WHAT_DIED };
enum { EVENT_BITS = 8, WHAT_BITS = 3, WHAT_MASK = 7 };

/* In open_since_ns: the drain knows of the call; its thread is just telling of it. */
enum open_state { OPEN_NONE, OPEN_CLAIMED, OPEN_HELD, OPEN_STATES = 16 };

enum { CLAIM_NS = 1000000 }; /* a drain waits for calls that are younger than this */

/* Part of the thread's record, zeroed at its birth. */
struct presence {
	/* its ring: the thread writes events and head, the drain writes tail */
	uint64_t events[PRESENCE_EVENTS];
	uint32_t head;  /* atomic */
	uint32_t tail;  /* atomic */
	uint32_t lost;  /* depth of waits whose begin found no room */
	uint32_t index; /* among all; set before its life begins (news.h) */
	/* calls that wait and are made a million times a second (MPI): see concurrency_enter_call
	 */
	uint64_t open_since_ns; /* atomic: begin of the call under way; 0: none; below 16: enum
				   open_state */
	uint64_t short_ns, short_told_ns;        /* of short ones, and when that was last told */
	uint32_t short_amounts[PRESENCE_EVENTS]; /* beside `events` */
	/* the drain's own */
	uint32_t tid;
	uint8_t cause;      /* of the wait that it is in */
	uint8_t open_cause; /* of the call under way; written by the thread */
	bool is_kept;       /* it makes such calls: see news.h; written by the thread */
	uint16_t ring;      /* of the records that told last that it got onto a processor */
	bool is_alive;
	bool is_waiting;
	bool waits_always; /* it was born in its wait */
	bool is_preempted;
	uint64_t claimed_ns; /* begin of a call that was taken from open_since_ns, but is not yet in
				the account; 0: none */
	uint32_t claimed_head; /* `head` then */
	uint8_t claimed_cause;
	uint64_t off_since_ns;   /* 0: on a processor, or unknown */
	uint64_t cover_since_ns; /* records cover it since; 0: they do not */
	struct row_threads *row;
	uint32_t is_gone; /* atomic: its end has been drained: the record may be used again */
};

/* It got off a processor, onto one, and is not covered by records any more. */
void presence_go_off(struct presence *presence, uint64_t now_ns, bool is_preempted);
void presence_come_on(struct presence *presence, uint64_t now_ns);
void presence_end_cover(struct presence *presence, uint64_t now_ns);

/* Records have covered it up to now, whether there was one or not. */
void presence_cover(struct presence *presence, uint64_t now_ns);

/* What records would have told of the only thread, from its CPU clock and its waits. */
void presence_cover_single(struct presence *presence, uint64_t elapsed_ns, uint64_t cpu_ns,
			   const uint64_t waited_ns[CAUSE_COUNT]);

/* All threads' presences, NULL where there is none: by a function of the room that has the
 * records. */
typedef struct presence *presence_function(uint32_t index);
/* There are at least so many now. Any thread; never fewer until all are forgotten. */
void presence_set_all(presence_function *at_index, uint32_t count);
void presence_forget_all(void); /* start-up, fork child */
struct presence *presence_of(uint32_t index);
uint32_t presence_count(void);

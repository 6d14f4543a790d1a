/* SPDX-License-Identifier: MIT */
/* A thread's event ring, to which it writes its events, and what else this room keeps for a thread:
 * its time off the processor; and the list of all of them.
 *
 * Context: the thread itself writes its ring; everything else is done by the thread that holds the
 * drain (concurrency.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/schema.h"

enum { EVENT_RING_EVENTS = 128, EVENT_RING_LIMIT = 8192 /* of them, in all */ };

/* What an event is, in its lowest EVENT_BITS: cause << WHAT_BITS | what; above them the time since
 * the profile began. */
/* WHAT_SECTION has bits of enum section_event in place of a cause. */
enum what { WHAT_LEAVE, WHAT_ENTER, WHAT_SHORT, WHAT_BORN, WHAT_DIED, WHAT_SECTION };
enum { EVENT_BITS = 8, WHAT_BITS = 3, WHAT_MASK = 7 };

/* Values of open_since_ns. CLAIMED: the drain has made it an event; HELD: its thread is about
 * to. */
enum open_state { OPEN_NONE, OPEN_CLAIMED, OPEN_HELD, OPEN_STATES = 16 };

enum { CLAIM_NS = 1000000 }; /* a drain waits for calls that are younger than this */

/* Part of the thread's record, zeroed at its birth. */
struct event_ring {
	/* its ring: the thread writes events and head, the drain writes tail */
	uint64_t events[EVENT_RING_EVENTS];
	uint32_t head;  /* atomic */
	uint32_t tail;  /* atomic */
	uint32_t lost;  /* nested waits whose begin did not fit */
	uint32_t index; /* among all; set before its life begins (news.h) */
	/* waits that are made a million times a second (MPI): see concurrency_enter_call */
	uint64_t open_since_ns; /* atomic: begin of the call under way, or enum open_state */
	uint64_t short_ns, short_told_ns;    /* of short calls: their sum, its last event */
	uint32_t amounts[EVENT_RING_EVENTS]; /* beside `events`: of short calls, and sections */
	uint32_t sections_told;              /* events of sections so far */
	uint32_t sections_reserved;          /* room that is kept for their ends */
	/* the drain's own */
	uint32_t tid;
	uint8_t cause;      /* of the wait that it is in */
	uint8_t open_cause; /* of the call under way; written by the thread */
	bool is_kept;       /* it makes such calls (news_keep); written by the thread */
	uint16_t ring;      /* of the latest record that it got on a processor */
	bool is_alive;
	bool is_waiting;
	bool waits_always; /* it was born in its wait */
	bool is_preempted;
	uint8_t section_count; /* open sections that it has told */
	uint8_t sections[SECTION_LEVELS];
	uint32_t section_sequence; /* of its latest event of a section */
	uint64_t claimed_ns;       /* begin of a claimed call that is not applied yet; 0: none */
	uint32_t claimed_head;     /* `head` then */
	uint8_t claimed_cause;
	uint64_t off_since_ns;   /* 0: on a processor, or unknown */
	uint64_t switch_ns;      /* of its latest switch record */
	uint64_t cover_since_ns; /* records cover it since; 0: they do not */
	uint64_t covered_ns;     /* until when they did, if they no longer do */
	struct row_threads *row;
	uint32_t is_gone; /* atomic: its end has been drained, the record may be reused */
};

/* It got off a processor; it got on one; records no longer cover it. */
void event_ring_go_off(struct event_ring *event_ring, uint64_t now_ns, bool is_preempted);
void event_ring_come_on(struct event_ring *event_ring, uint64_t now_ns);
void event_ring_end_cover(struct event_ring *event_ring, uint64_t now_ns);

/* Records have covered it up to now, also if there was none of it. */
void event_ring_cover(struct event_ring *event_ring, uint64_t now_ns);

/* For the only thread: what records would have shown, from its CPU clock and its waits. */
void event_ring_cover_single(struct event_ring *event_ring, uint64_t elapsed_ns, uint64_t cpu_ns,
			     const uint64_t waited_ns[CAUSE_COUNT]);

/* All threads' event rings; NULL where there is none. The room that has the threads' records
 * provides the function. */
typedef struct event_ring *event_ring_function(uint32_t index);
/* There are at least so many now; never fewer until all are forgotten. Any thread. */
void event_ring_set_all(event_ring_function *at_index, uint32_t count);
void event_ring_forget_all(void); /* start-up, fork child */
struct event_ring *event_ring_of(uint32_t index);
uint32_t event_ring_count(void);

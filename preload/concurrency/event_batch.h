/* SPDX-License-Identifier: MIT */
/* Two streams merged by time: the kernel's context-switch records (switches.h), and the events in
 * threads' rings (event_ring.h). A batch is all of them up to an instant, the horizon, which is
 * lowered if a source has more than there is room for, or if a thread is in a call that is no event
 * yet.
 *
 * Context: the thread that holds the drain (concurrency.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/concurrency/event_ring.h"

struct event {
	uint64_t time_ns;
	uint64_t position;             /* in its source, behind it */
	struct event_ring *event_ring; /* whose event it is; NULL: it is a switch */
	uint32_t sequence;             /* keeps the order of one source */
	uint32_t tid;                  /* of a switch */
	uint32_t amount;               /* of WHAT_SHORT and WHAT_SECTION */
	uint16_t ring;                 /* of a switch */
	uint8_t what;  /* enum switch_kind, or the lowest bits of the thread's event */
	bool is_claim; /* a claimed call: it is in no ring */
};

/* Start-up and fork child. start_ns: threads' events count time from there. */
void event_batch_start(uint64_t start_ns);

/* For a further thread, before it is one: the batch has room for an event of each of so many. Any
 * thread. False: there is no memory for that. */
bool event_batch_have_room(uint32_t threads);

/* The next passes are the last of the profile; false: they were not. */
void event_batch_set_last(bool is_last);

/* Events up to *horizon_ns, ordered by time; lowers *horizon_ns if it had to stop before. They are
 * valid until the next call. The caller applies and consumes each, in this order. */
const struct event *event_batch_gather(uint64_t *horizon_ns, unsigned *count);
void event_batch_consume(const struct event *event);

/* SPDX-License-Identifier: MIT */
/* Two streams merged by time: the kernel's context-switch records (switches.h), and what threads
 * leave in their rings (presence.h). A batch is what all of them have up to an instant, the
 * horizon; the horizon is drawn in where a source has more than there is room for, or where a
 * thread has not yet told of a call that it is in.
 *
 * Context: whoever holds the drain (concurrency.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/concurrency/presence.h"

struct event {
	uint64_t time_ns;
	uint64_t position;         /* in its source */
	struct presence *presence; /* whose ring it stood in; NULL: it is a switch */
	uint32_t sequence;         /* keeps the order of one source */
	uint32_t tid;              /* of a switch */
	uint32_t amount;           /* of WHAT_SHORT */
	uint16_t ring;             /* of a switch */
	uint8_t what;              /* enum switch_kind, or the lowest bits of the thread's event */
	bool is_claim;             /* stands in no ring */
};

/* Start-up and fork child: the instant from which threads' events count their time. */
void event_batch_start(uint64_t start_ns);

/* The next passes are the last ones of the account; false: they were not. */
void event_batch_set_last(bool is_last);

/* Events up to *horizon_ns, in the order of time; lowers it to where it had to stop. They hold
 * until the next call. Each is to be dealt with and consumed, in this order. */
const struct event *event_batch_gather(uint64_t *horizon_ns, unsigned *count);
void event_batch_consume(const struct event *event);

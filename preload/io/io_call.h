/* SPDX-License-Identifier: MIT */
/* The form of a wrapped call on a descriptor, or of another one that may wait for input or output:
 *
 *     struct io_call call;
 *     bool is_seen = io_call_begin(&call, number, CAUSE_READ, OP_READ, SITE_HERE);
 *     ssize_t result = real.read(...);
 *     if (is_seen)
 *             io_call_end(&call, result, result);
 *
 * Every call is counted. One that took 5 us or more is a wait if the thread gave up the processor
 * and was off it for an eighth of the call; otherwise it was work in the kernel, as a copy from the
 * page cache is. That is not asked where the kernel has nothing to do but to wait: for events,
 * connections, file locks and messages, and for little to read from a pipe, a socket and the like.
 * Of the wait under way the profile shows the caller without its own callers, and the object if the
 * number was looked up before; one that ends has its whole call path.
 *
 * A call inside another wait is counted, not timed; one in a signal handler that interrupted this
 * tool is neither. Nor is one of a thread without a record: such a call adopts no thread, and wakes
 * no fork child, most of which read or write a little and exec. Context: own thread; never changes
 * errno. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/schema.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

struct io_call {
	struct thread *thread;
	struct row_io_calls *row; /* NULL: no room */
	const struct site *site;
	uint64_t start_ns;
	uint64_t cpu_ns; /* its CPU clock at the begin; 0: not read */
	uint64_t word;   /* of the descriptor */
	int number;      /* -1: there is none */
	uint8_t cause, operation;
	bool is_timed;
};

/* cause: CAUSE_OTHER: it does not wait. False: it is not to be measured, do not call io_call_end.
 */
bool io_call_begin(struct io_call *call, int number, enum cause cause, enum operation operation,
		   const struct site *site);

/* result: negative, and errno: it failed. bytes: that it transferred, if it did not. */
void io_call_end(struct io_call *call, int64_t result, uint64_t bytes);

/* Before io_call_end, of a call that waited for any of several: for this one, as it shows. */
void io_call_was_for(struct io_call *call, int number);

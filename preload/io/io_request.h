/* SPDX-License-Identifier: MIT */
/* Requests: bytes that were read from a socket that accept made, until the next write to it begins,
 * by whichever thread. Further reads before that are of the same request, further writes after it
 * of the same answer. Between io_call_begin and io_call_end of a call that reads or writes:
 *
 *     if (io_request_may_be(&call))
 *             io_request_pass(&call, cause, result);
 *
 * A descriptor has the instant at which its request was read; a row of `requests` has how many were
 * answered at a place, and how long that took. Of a number from 4096 on, of sockets that were
 * accepted before attaching, and of reads and writes that no wrapper sees (io_uring, stdio) nothing
 * is known. Context: own thread; never changes errno. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/io/io_call.h"

static inline __attribute__((always_inline)) bool io_request_may_be(const struct io_call *call)
{
	return unlikely(call->word & IO_ACCEPTED);
}

/* result: of the call; of one that failed, negative. */
void io_request_pass(const struct io_call *call, enum cause cause, int64_t result);

/* accept made the number. */
void io_request_forget(int number);

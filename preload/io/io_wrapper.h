/* SPDX-License-Identifier: MIT */
/* The wrapper of a call that may wait for input or output, as io_call.h has its form. `result` is
 * the real call's. The real call does the cancelling; no clean-up of ours is on the frame.
 *
 *   type, name, parameters, arguments   of the call
 *   number      the descriptor; -1: there is none
 *   cause       CAUSE_OTHER: it does not wait
 *   bytes       what it transferred, if it succeeded */
#pragma once

#include "preload/io/io_call.h"
#include "preload/io/io_request.h"
#include "preload/process/real.h"

#define IO_BODY(type, name, arguments, number, cause, operation, bytes)                            \
	IO_BODY_OF(type, result = real.name arguments, number, cause, operation, bytes)

/* make: a statement that makes the real call, and sets `result`. */
#define IO_BODY_OF(type, make, number, cause, operation, bytes)                                    \
	IO_BODY_FOR(type, make, number, cause, operation, bytes, cause)

/* request: what it is for a request (io_request.h): CAUSE_READ, CAUSE_WRITE; another: nothing. */
#define IO_BODY_FOR(type, make, number, cause, operation, bytes, request)                          \
	{                                                                                          \
		struct io_call call;                                                               \
                                                                                                   \
		real_need();                                                                       \
		bool is_seen = io_call_begin(&call, number, cause, operation, SITE_HERE);          \
		type result;                                                                       \
		make;                                                                              \
		if (((request) == CAUSE_READ || (request) == CAUSE_WRITE) && is_seen &&            \
		    io_request_may_be(&call))                                                      \
			io_request_pass(&call, request, (int64_t)result);                          \
		if (is_seen)                                                                       \
			io_call_end(&call, (int64_t)result, (uint64_t)(bytes));                    \
		return result;                                                                     \
	}

#define IO_CALL(type, name, parameters, arguments, number, cause, operation, bytes)                \
	EXPORTED type name parameters IO_BODY(type, name, arguments, number, cause, operation,     \
					      bytes)

/* The same for calls that allocators make while they start, when to resolve the originals would
 * call the allocator: they go to the kernel. */
#define IO_EARLY(type, name, parameters, arguments, system_call, number, cause, operation)         \
	EXPORTED type name parameters                                                              \
	{                                                                                          \
		if (unlikely(!real.is_ready))                                                      \
			return (type)kernel_call system_call;                                      \
		IO_BODY(type, name, arguments, number, cause, operation, result)                   \
	}

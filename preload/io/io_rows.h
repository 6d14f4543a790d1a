/* SPDX-License-Identifier: MIT */
/* What this room keeps for a thread: its rows of `io_calls`, found by (object, operation, caller),
 * those of `requests`, found by (object, caller), and its CPU clock as it was last read. A call on
 * a number that was not looked up yet counts in the row without object.
 *
 * Context: own thread, is_busy; counting in a row that was found, any time. */
#pragma once

#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/file/rows.h"
#include "preload/thread/thread.h"

struct io_thread {
	struct row_hash rows, requests;
	uint64_t was_long;          /* a bit for each row, modulo 64: its latest call was long */
	uint64_t cpu_ns, cpu_at_ns; /* its CPU clock when it was read last, and when that was */
	uint32_t watched;           /* short calls at places that are watched (io_call.c) */
	long voluntary;             /* how often it had given up its processor, likewise */
	/* the descriptor that was looked up or compared last, and when */
	uint64_t compared_word, compared_ns;
	int compared;
};

/* From its first call on; NULL: no memory. */
struct io_thread *io_thread_make(struct thread *thread);

static inline struct io_thread *io_thread_of(struct thread *thread)
{
	return likely(thread->io != NULL) ? thread->io : io_thread_make(thread);
}

/* The lower bits of a key distribute the rows. Callers that differ only above 2^43 do not exist:
 * code lies in few places. */
enum { IO_OPERATION_BITS = 8, IO_OBJECT_BITS = 13 };

static inline uint64_t io_rows_key(uint16_t object, enum operation operation, uint64_t caller)
{
	return caller << (IO_OBJECT_BITS + IO_OPERATION_BITS) |
	       (uint64_t)object << IO_OPERATION_BITS | operation;
}

/* Without room: of all callers and objects of the operation. NULL: no room for that either. */
struct row_io_calls *io_rows_find(struct io_thread *io, uint16_t object, enum operation operation,
				  uint64_t caller);

/* Of answers that are written to the object there. Without room: of all places and objects. */
struct row_requests *io_rows_find_requests(struct io_thread *io, uint16_t object,
					   enum operation operation, uint64_t caller);

static inline uint64_t io_rows_bit(const struct row_io_calls *row)
{
	return UINT64_C(1) << ((uint64_t)row / 16 % 64);
}

/* SPDX-License-Identifier: MIT */
#include "preload/io/io_rows.h"

#include "preload/base/clock.h"
#include "preload/base/pages.h"
#include "preload/locks/objects.h"
#include "preload/stacks/callpath.h"
#include "preload/thread/thread_life.h"

#include <string.h>

enum { ROWS_FIRST = 8, ROWS_MOST = 2048, REQUEST_ROWS_FIRST = 4, REQUEST_ROWS_MOST = 256 };

_Static_assert((int)OBJECT_ROW_LIMIT <= 1 << IO_OBJECT_BITS, "a key has room for every object");
_Static_assert((int)OP_COUNT <= 1 << IO_OPERATION_BITS, "and for every operation");

static void prepare(struct io_thread *io, const struct thread *thread)
{
	row_hash_prepare(&io->rows, TABLE_io_calls, sizeof(struct row_io_calls), thread->number,
			 ROWS_FIRST, ROWS_MOST);
	row_hash_prepare(&io->requests, TABLE_requests, sizeof(struct row_requests), thread->number,
			 REQUEST_ROWS_FIRST, REQUEST_ROWS_MOST);
}

/* By the thread that attaches. */
static void renew(struct thread *thread)
{
	struct io_thread *io = thread->io;

	memset(io, 0, sizeof *io);
	thread->may_have_slept = true;
	prepare(io, thread);
}

struct io_thread *io_thread_make(struct thread *thread)
{
	/* in a sandbox a system call could be fatal */
	struct io_thread *io = thread_is_final() ? NULL : pages_new(sizeof *io);

	if (!io)
		return NULL;
	prepare(io, thread);
	io->cpu_ns = clock_thread_cpu_ns();
	io->cpu_at_ns = clock_now_ns();
	thread->io = io;
	thread_renew_io = renew;
	return io;
}

/* Rows of both tables have the same head and are found by the same keys: of the call, or if there
 * is no room, of all calls of that operation. */
#define FIND(rows, kind)                                                                           \
	uint64_t keys[] = {io_rows_key(object, operation, caller), io_rows_key(0, operation, 0)};  \
	kind *row = row_hash_find_first(rows, keys, 2);                                            \
                                                                                                   \
	if (!row || row->operation)                                                                \
		return row;                                                                        \
	if (row->tag == keys[0]) {                                                                 \
		row->caller = caller;                                                              \
		row->object = object;                                                              \
		row->callpath = callpath_place(caller);                                            \
	}                                                                                          \
	row->operation = (uint16_t)operation;                                                      \
	return row

struct row_io_calls *io_rows_find(struct io_thread *io, uint16_t object, enum operation operation,
				  uint64_t caller)
{
	FIND(&io->rows, struct row_io_calls);
}

struct row_requests *io_rows_find_requests(struct io_thread *io, uint16_t object,
					   enum operation operation, uint64_t caller)
{
	FIND(&io->requests, struct row_requests);
}

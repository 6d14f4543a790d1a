/* SPDX-License-Identifier: MIT */
/* Calls of stdio that cannot be done in the stream's buffer: libc reads and writes inside them,
 * which nobody sees. One is a call on the stream's descriptor, and a wait as others are
 * (io_call.h):
 *
 *     struct io_stream stream;
 *     io_stream_begin(&stream, file, CAUSE_READ, OP_FREAD, SITE_HERE);
 *     size_t result = real.fread(...);
 *     io_stream_end(&stream, result);
 *
 * Its bytes are those that crossed the descriptor, by how much the buffer holds before and after.
 * What another thread does with the stream while this one waits for the stream's lock counts to
 * this call's bytes, too, and that wait is one for the stream. Streams without a descriptor (of
 * memory, of the program's own functions) and wide ones are not counted.
 *
 * Context: as io_call.h. The fields of FILE are those that the compiler inlines into programs. */
#pragma once

#include <stdio.h>

#include "preload/io/io_call.h"

struct io_stream {
	struct io_call call;
	const FILE *file;
	uint64_t held; /* bytes in the buffer at the begin */
	bool is_seen, had_failed, had_ended;
};

void io_stream_begin(struct io_stream *stream, const FILE *file, enum cause cause,
		     enum operation operation, const struct site *site);

/* moved: bytes that the program got from the stream, or gave it. If none crossed the descriptor, it
 * was no call on that: the stream had ended, or the buffer was only made. */
void io_stream_end(struct io_stream *stream, uint64_t moved);

/* Afterwards, of a call that was not expected to write; held: bytes in the buffer before it. It is
 * counted only. */
void io_stream_count(const FILE *file, uint64_t held, enum operation operation, uint64_t moved,
		     const struct site *site);

/* Around fclose, which writes what the buffer holds. result: its. */
void io_stream_begin_last(struct io_stream *stream, const FILE *file, const struct site *site);
void io_stream_end_last(struct io_stream *stream, int result);

/* Bytes that can be had without reading, and where they begin. Another thread may be at work on the
 * stream, so the two pointers may be of different buffers: then they say nothing. */
static inline uint64_t io_stream_ready_at(const FILE *file, const char **begin)
{
	const char *at = __atomic_load_n(&file->_IO_read_ptr, __ATOMIC_RELAXED);
	const char *end = __atomic_load_n(&file->_IO_read_end, __ATOMIC_RELAXED);
	uint64_t ready = (uint64_t)(end - at);

	*begin = at;
	return likely(ready <= (uint64_t)(file->_IO_buf_end - file->_IO_buf_base)) ? ready : 0;
}

static inline uint64_t io_stream_ready(const FILE *file)
{
	const char *begin;

	return io_stream_ready_at(file, &begin);
}

/* Bytes that can be written into the buffer; a buffer of lines has none. */
static inline uint64_t io_stream_room(const FILE *file)
{
	return file->_IO_write_end > file->_IO_write_ptr
		       ? (uint64_t)(file->_IO_write_end - file->_IO_write_ptr)
		       : 0;
}

/* SPDX-License-Identifier: MIT */
/* Calls of stdio that cannot be done in the stream's buffer: libc reads and writes inside them,
 * which nobody sees. One is a call on the stream's descriptor, and a wait as others are
 * (io_call.h):
 *
 *     struct io_stream stream;
 *     io_stream_begin(&stream, file, takes_lock, CAUSE_READ, OP_FREAD, SITE_HERE);
 *     size_t result = real.fread(...);
 *     io_stream_end(&stream, result);
 *
 * Its bytes are those that crossed the descriptor, by how much the buffer holds before and after.
 * With other threads, one of which may close the stream as soon as the call has taken effect, that
 * is read while its lock is held (stream_lock.h). What is written without a buffer is known without
 * that. Where the lock cannot be held the bytes are estimated. The wait for the lock, while another
 * thread has it, is one for the stream. Streams without a descriptor (of memory, of the program's
 * own functions) and wide ones are not counted.
 *
 * Context: as io_call.h. The fields of FILE are those that the compiler inlines into programs. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "preload/io/io_call.h"
#include "preload/io/stream_lock.h"
#include "preload/process/real.h"

struct io_stream {
	struct io_call call;
	struct stream_lock lock;
	const FILE *file;
	uint64_t held, room; /* bytes in the buffer at the begin; that go into it */
	bool is_seen, may_look, had_failed, had_ended;
};

/* Whether the call of that name takes the stream's lock. */
#define IO_STREAM_TAKES_LOCK(name) (!strstr(#name, "unlocked") && !strstr(#name, "flow"))

void io_stream_begin(struct io_stream *stream, FILE *file, bool takes_lock, enum cause cause,
		     enum operation operation, const struct site *site);

/* moved: bytes that the program got from the stream, or gave it. If none crossed the descriptor, it
 * was no call on that: the stream had ended, or the buffer was only made. */
void io_stream_end(struct io_stream *stream, uint64_t moved);

/* Afterwards, of a call that was not expected to write, when the stream may be gone: it wrote whole
 * buffers. number: of the stream (io_stream_number). held, room: bytes in the buffer before, and
 * that there was room for. It is counted only. */
void io_stream_count(int number, uint64_t held, uint64_t room, enum operation operation,
		     uint64_t moved, const struct site *site);

/* The functions of popen's streams; NULL: there was none yet. Any thread. */
extern const void *io_stream_of_command __attribute__((visibility("hidden")));

/* The table of a stream's functions lies behind it: of a file, or of something else. */
static inline const void *io_stream_functions(const FILE *file)
{
	return *(const void *const *)(file + 1);
}

/* Its descriptor; -1: it is none that is counted. */
static inline int io_stream_number(const FILE *file)
{
	const void *functions = io_stream_functions(file);
	bool is_file = functions == real_file_jumps ||
		       functions == __atomic_load_n(&io_stream_of_command, __ATOMIC_RELAXED);

	return is_file ? file->_fileno : -1;
}

/* Opened by popen: its end is that of a command. */
static inline bool io_stream_is_of_command(const FILE *file)
{
	return io_stream_functions(file) ==
	       __atomic_load_n(&io_stream_of_command, __ATOMIC_RELAXED);
}

/* What popen has returned: libc's table for such streams has no public name. */
void io_stream_is_opened_by_popen(const FILE *file);

/* Around fclose, which writes what the buffer holds. result: its. */
void io_stream_begin_last(struct io_stream *stream, FILE *file, const struct site *site);
void io_stream_end_last(struct io_stream *stream, int result);

/* The same where the call then waits for something else, in which this would not show: what the
 * buffer holds is counted. */
void io_stream_count_last(FILE *file, const struct site *site);

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

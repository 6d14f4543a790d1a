/* SPDX-License-Identifier: MIT */
#include "preload/io/io_stream.h"

#include "preload/process/real.h"

/* libc's flags, which have no public names. */
enum { STREAM_ENDED = 0x10, STREAM_FAILED = 0x20, STREAM_IN_BACKUP = 0x100 };

/* What was pushed back lies in a buffer of its own, and the other one is put by. */
static uint64_t held_for_reading(const FILE *file)
{
	uint64_t more = file->_flags & STREAM_IN_BACKUP
				? (uint64_t)(file->_IO_save_end - file->_IO_save_base)
				: 0;

	return (uint64_t)(file->_IO_read_end - file->_IO_read_ptr) + more;
}

static uint64_t held(const FILE *file, bool is_reading)
{
	if (is_reading)
		return held_for_reading(file);
	return file->_IO_write_ptr > file->_IO_write_base
		       ? (uint64_t)(file->_IO_write_ptr - file->_IO_write_base)
		       : 0;
}

/* The table of a stream's functions lies behind it: of a file, or of something else. */
static bool is_of_descriptor(const FILE *file)
{
	return file->_fileno >= 0 && *(const void *const *)(file + 1) == real_file_jumps;
}

void io_stream_begin(struct io_stream *stream, const FILE *file, enum cause cause,
		     enum operation operation, const struct site *site)
{
	stream->is_seen = file && is_of_descriptor(file) &&
			  io_call_begin(&stream->call, file->_fileno, cause, operation, site);
	if (!stream->is_seen)
		return;
	stream->file = file;
	stream->held = held(file, cause == CAUSE_READ);
	stream->had_failed = file->_flags & STREAM_FAILED;
	/* then libc reads no more, except blocks */
	stream->had_ended = file->_flags & STREAM_ENDED && operation != OP_FREAD;
}

void io_stream_end(struct io_stream *stream, uint64_t moved)
{
	if (!stream->is_seen)
		return;
	bool is_reading = stream->call.cause == CAUSE_READ;
	uint64_t now = held(stream->file, is_reading);
	int64_t bytes =
		(int64_t)(is_reading ? moved + now - stream->held : moved + stream->held - now);
	bool has_failed = !stream->had_failed && stream->file->_flags & STREAM_FAILED;

	/* a read that finds the end is a call, too; pushed-back characters are not read */
	bool found_end = is_reading && !stream->had_ended && stream->file->_flags & STREAM_ENDED;

	if (bytes <= 0 && !has_failed && !found_end) {
		io_call_forget(&stream->call);
		return;
	}
	io_call_end(&stream->call, has_failed ? -1 : 0, bytes > 0 ? (uint64_t)bytes : 0);
}

void io_stream_count(const FILE *file, uint64_t held_before, enum operation operation,
		     uint64_t moved, const struct site *site)
{
	struct io_call call;

	if (!is_of_descriptor(file) ||
	    !io_call_begin(&call, file->_fileno, CAUSE_OTHER, operation, site))
		return;
	io_call_end(&call, 0, moved + held_before - held(file, false));
}

void io_stream_begin_last(struct io_stream *stream, const FILE *file, const struct site *site)
{
	stream->is_seen = false;
	if (held(file, false))
		io_stream_begin(stream, file, CAUSE_WRITE, OP_FFLUSH, site);
}

/* The stream and its number are gone. */
void io_stream_end_last(struct io_stream *stream, int result)
{
	if (!stream->is_seen)
		return;
	stream->call.number = -1;
	stream->call.word |= IO_LOOKED_UP;
	io_call_end(&stream->call, result, stream->held);
}

/* SPDX-License-Identifier: MIT */
#include "preload/io/io_stream.h"

/* libc's flags, which have no public names. */
enum {
	STREAM_UNBUFFERED = 0x2,
	STREAM_ENDED = 0x10,
	STREAM_FAILED = 0x20,
	STREAM_IN_BACKUP = 0x100,
	STREAM_OF_LINES = 0x200,
};

const void *io_stream_of_command;

void io_stream_is_opened_by_popen(const FILE *file)
{
	__atomic_store_n(&io_stream_of_command, io_stream_functions(file), __ATOMIC_RELAXED);
}

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

/* Nothing need be looked at: what has no buffer is written by the call, or has failed. */
static bool has_no_buffer(const struct io_stream *stream)
{
	return stream->call.cause == CAUSE_WRITE && stream->file->_flags & STREAM_UNBUFFERED &&
	       !__libc_single_threaded;
}

void io_stream_begin(struct io_stream *stream, FILE *file, bool takes_lock, enum cause cause,
		     enum operation operation, const struct site *site)
{
	int number = file ? io_stream_number(file) : -1;

	stream->is_seen =
		number >= 0 && io_call_begin(&stream->call, number, cause, operation, site);
	if (!stream->is_seen)
		return;
	stream->file = file;
	stream->lock.file = NULL;
	stream->may_look =
		!has_no_buffer(stream) && stream_lock_take(&stream->lock, file, takes_lock);
	stream->held = held(file, cause == CAUSE_READ);
	stream->room = file->_flags & (STREAM_UNBUFFERED | STREAM_OF_LINES)
			       ? 1
			       : (uint64_t)(file->_IO_buf_end - file->_IO_buf_base);
	stream->had_failed = file->_flags & STREAM_FAILED;
	/* then libc reads no more, except blocks */
	stream->had_ended = file->_flags & STREAM_ENDED && operation != OP_FREAD;
}

/* Of whole buffers; one that was only made holds all. */
static uint64_t written(uint64_t bytes, uint64_t room)
{
	return room ? bytes / room * room : 0;
}

static uint64_t crossed(const struct io_stream *stream, uint64_t moved)
{
	if (stream->call.cause == CAUSE_READ)
		return moved > stream->held ? moved - stream->held : 0;
	if (stream->call.operation == OP_FFLUSH)
		return stream->held;
	return written(stream->held + moved, stream->room);
}

/* The stream may be gone: of what was read ahead nothing is known. */
static void end_unseen(struct io_stream *stream, uint64_t moved)
{
	uint64_t bytes = crossed(stream, moved);
	bool has_failed = stream->call.cause == CAUSE_WRITE && !bytes && !moved;

	if (!bytes && moved)
		io_call_forget(&stream->call);
	else
		io_call_end(&stream->call, has_failed ? -1 : 0, bytes);
}

void io_stream_end(struct io_stream *stream, uint64_t moved)
{
	if (!stream->is_seen)
		return;
	if (!stream->may_look) {
		end_unseen(stream, moved);
		return;
	}
	bool is_reading = stream->call.cause == CAUSE_READ;
	uint64_t now = held(stream->file, is_reading);
	int64_t bytes =
		(int64_t)(is_reading ? moved + now - stream->held : moved + stream->held - now);
	bool has_failed = !stream->had_failed && stream->file->_flags & STREAM_FAILED;

	/* a read that finds the end is a call, too; pushed-back characters are not read */
	bool found_end = is_reading && !stream->had_ended && stream->file->_flags & STREAM_ENDED;

	stream_lock_give(&stream->lock);
	if (bytes <= 0 && !has_failed && !found_end) {
		io_call_forget(&stream->call);
		return;
	}
	io_call_end(&stream->call, has_failed ? -1 : 0, bytes > 0 ? (uint64_t)bytes : 0);
}

void io_stream_count(int number, uint64_t held, uint64_t room, enum operation operation,
		     uint64_t moved, const struct site *site)
{
	struct io_call call;

	if (number < 0 || !io_call_begin(&call, number, CAUSE_OTHER, operation, site))
		return;
	io_call_end(&call, 0, written(held + moved, held + room));
}

/* Bytes that are to be written; who has written may still be about to empty the buffer. */
static uint64_t held_at_last(FILE *file)
{
	struct stream_lock lock;

	stream_lock_take(&lock, file, true);
	uint64_t bytes = held(file, false);
	stream_lock_give(&lock);
	return bytes;
}

void io_stream_count_last(FILE *file, const struct site *site)
{
	uint64_t bytes = held_at_last(file);

	if (bytes)
		io_stream_count(io_stream_number(file), bytes, 0, OP_FFLUSH, 0, site);
}

void io_stream_begin_last(struct io_stream *stream, FILE *file, const struct site *site)
{
	stream->is_seen = false;
	if (held_at_last(file))
		io_stream_begin(stream, file, false, CAUSE_WRITE, OP_FFLUSH, site);
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

/* SPDX-License-Identifier: MIT */
/* stdio's reading, where the buffer does not have what is asked for. What it has is passed on: a
 * comparison, and for lines a search of the buffer for their end. Not scanf, nor wide streams. */
#define __NO_INLINE__ 1 /* libc has inline copies of some: clang would hide our own with them */
#include "preload/base/likely.h"
#include "preload/io/io_stream.h"
#include "preload/process/real.h"

#include <string.h>

#undef fread_unlocked /* a macro of the header */

/* READING(type, name, parameters, arguments, file, is_enough, operation, moved): is_enough: the
 * buffer has it; moved: bytes that the program got. */
#define READING(type, name, parameters, arguments, file, is_enough, operation, moved)              \
	EXPORTED type name parameters                                                              \
	{                                                                                          \
		struct io_stream stream;                                                           \
                                                                                                   \
		real_need();                                                                       \
		if (likely(is_enough))                                                             \
			return real.name arguments;                                                \
		io_stream_begin(&stream, file, IO_STREAM_TAKES_LOCK(name), CAUSE_READ, operation,  \
				SITE_HERE);                                                        \
		type result = real.name arguments;                                                 \
		io_stream_end(&stream, moved);                                                     \
		return result;                                                                     \
	}

/* ---- characters ---- */

#define CHARACTER(name, parameters, arguments, file)                                               \
	READING(int, name, parameters, arguments, file, io_stream_ready(file), OP_GETC,            \
		result != EOF)

CHARACTER(getc, (FILE * file), (file), file)
CHARACTER(fgetc, (FILE * file), (file), file)
CHARACTER(getchar, (void), (), stdin)
CHARACTER(getc_unlocked, (FILE * file), (file), file)
CHARACTER(fgetc_unlocked, (FILE * file), (file), file)
CHARACTER(getchar_unlocked, (void), (), stdin)
/* What the macros call when the buffer is empty; the second one takes nothing out of it. */
CHARACTER(__uflow, (FILE * file), (file), file)
READING(int, __underflow, (FILE * file), (file), file, io_stream_ready(file), OP_GETC, 0)

/* ---- lines ---- */

static bool search(const FILE *file, int end, size_t most)
{
	const char *begin;
	size_t ready = io_stream_ready_at(file, &begin);

	return ready >= most || memchr(begin, end, ready);
}

/* Another thread may be opening the stream anew, which frees the buffer. False: also if it has the
 * stream's lock. */
static bool has_line(FILE *file, int end, size_t most, bool takes_lock)
{
	if (!stream_lock_is_needed(file, takes_lock))
		return search(file, end, most);
	if (!stream_lock_try(file))
		return false;
	bool has = search(file, end, most);
	stream_lock_leave(file);
	return has;
}

/* A line with zeros in it is longer than its text. If the buffer was filled once, that shows. */
static uint64_t length_of(const char *line)
{
	return line ? strlen(line) : 0;
}

#define LINE(name, parameters, arguments)                                                          \
	READING(char *, name, parameters, arguments, file,                                         \
		size <= 1 || has_line(file, '\n', (size_t)size - 1, IO_STREAM_TAKES_LOCK(name)),   \
		OP_GETLINE, length_of(result))

LINE(fgets, (char *restrict to, int size, FILE *restrict file), (to, size, file))
LINE(fgets_unlocked, (char *restrict to, int size, FILE *restrict file), (to, size, file))
LINE(__fgets_chk, (char *restrict to, size_t room, int size, FILE *restrict file),
     (to, room, size, file))
LINE(__fgets_unlocked_chk, (char *restrict to, size_t room, int size, FILE *restrict file),
     (to, room, size, file))

READING(ssize_t, getline, (char **restrict to, size_t *restrict room, FILE *restrict file),
	(to, room, file), file, has_line(file, '\n', SIZE_MAX, true), OP_GETLINE,
	result > 0 ? (uint64_t)result : 0)
READING(ssize_t, getdelim,
	(char **restrict to, size_t *restrict room, int end, FILE *restrict file),
	(to, room, end, file), file, has_line(file, end, SIZE_MAX, true), OP_GETLINE,
	result > 0 ? (uint64_t)result : 0)

/* ---- blocks ---- */

/* Asked for as bytes, so that of an item that was read in part these are known, too. libc
 * multiplies and divides in the same way. */
#define BLOCK(name, parameters, as_given, as_bytes)                                                \
	EXPORTED size_t name parameters                                                            \
	{                                                                                          \
		struct io_stream stream;                                                           \
		size_t wanted;                                                                     \
                                                                                                   \
		real_need();                                                                       \
		if (__builtin_mul_overflow(size, count, &wanted) || !wanted ||                     \
		    likely(wanted <= io_stream_ready(file)))                                       \
			return real.name as_given;                                                 \
		io_stream_begin(&stream, file, IO_STREAM_TAKES_LOCK(name), CAUSE_READ, OP_FREAD,   \
				SITE_HERE);                                                        \
		size_t got = real.name as_bytes;                                                   \
		io_stream_end(&stream, got);                                                       \
		return got == wanted ? count : got / size;                                         \
	}

BLOCK(fread, (void *restrict to, size_t size, size_t count, FILE *restrict file),
      (to, size, count, file), (to, 1, wanted, file))
BLOCK(fread_unlocked, (void *restrict to, size_t size, size_t count, FILE *restrict file),
      (to, size, count, file), (to, 1, wanted, file))
BLOCK(__fread_chk, (void *restrict to, size_t room, size_t size, size_t count, FILE *restrict file),
      (to, room, size, count, file), (to, room, 1, wanted, file))
BLOCK(__fread_unlocked_chk,
      (void *restrict to, size_t room, size_t size, size_t count, FILE *restrict file),
      (to, room, size, count, file), (to, room, 1, wanted, file))

ALIAS(_IO_getc, getc)
ALIAS(_IO_fgets, fgets)
ALIAS(_IO_fread, fread)
ALIAS(__getdelim, getdelim)

/* SPDX-License-Identifier: MIT */
/* stdio's writing, where the buffer has no room for what is written, or a line ends that goes out
 * at once; and flushing. What is only put into the buffer is passed on. Not printf: how much it
 * writes is known too late, and to find its arguments costs more than to count it. */
#define __NO_INLINE__ 1 /* libc has inline copies of some: clang would hide our own with them */
#include "preload/base/likely.h"
#include "preload/io/io_stream.h"
#include "preload/process/real.h"

#include <string.h>

#undef fwrite_unlocked /* a macro of the header */

enum { STREAM_OF_LINES = 0x200 }; /* libc's flag */

static bool holds_back(const FILE *file, const char *from, size_t size)
{
	return file->_flags & STREAM_OF_LINES && file->_IO_write_ptr &&
	       size < (size_t)(file->_IO_buf_end - file->_IO_write_ptr) &&
	       !memchr(from, '\n', size);
}

static inline bool has_room(const FILE *file, const char *from, size_t size)
{
	return !size || likely(size <= io_stream_room(file)) || holds_back(file, from, size);
}

/* WRITING(type, name, parameters, arguments, file, from, size, moved): moved: what it took. */
#define WRITING(type, name, parameters, arguments, file, from, size, moved)                        \
	EXPORTED type name parameters                                                              \
	{                                                                                          \
		struct io_stream stream;                                                           \
                                                                                                   \
		real_need();                                                                       \
		size_t given = size;                                                               \
		if (has_room(file, from, given))                                                   \
			return real.name arguments;                                                \
		io_stream_begin(&stream, file, IO_STREAM_TAKES_LOCK(name), CAUSE_WRITE, OP_FWRITE, \
				SITE_HERE);                                                        \
		type result = real.name arguments;                                                 \
		io_stream_end(&stream, moved);                                                     \
		return result;                                                                     \
	}

/* CHARACTER(name, parameters, arguments, file): one of the parameters is `value`. */
#define CHARACTER(name, parameters, arguments, file)                                               \
	WRITING(int, name, parameters, arguments, file, &(char){(char)value}, 1,                   \
		result == EOF ? 0 : given)

CHARACTER(putc, (int value, FILE *file), (value, file), file)
CHARACTER(fputc, (int value, FILE *file), (value, file), file)
CHARACTER(putchar, (int value), (value), stdout)
CHARACTER(putc_unlocked, (int value, FILE *file), (value, file), file)
CHARACTER(fputc_unlocked, (int value, FILE *file), (value, file), file)
CHARACTER(putchar_unlocked, (int value), (value), stdout)
CHARACTER(__overflow, (FILE * file, int value), (file, value), file)

/* A line's end is not part of the text. */
WRITING(int, puts, (const char *text), (text), stdout, "\n", strlen(text) + 1,
	result == EOF ? 0 : given)
WRITING(int, fputs, (const char *restrict text, FILE *restrict file), (text, file), file, text,
	strlen(text), result == EOF ? 0 : given)
WRITING(int, fputs_unlocked, (const char *restrict text, FILE *restrict file), (text, file), file,
	text, strlen(text), result == EOF ? 0 : given)
WRITING(size_t, fwrite, (const void *restrict from, size_t size, size_t count, FILE *restrict file),
	(from, size, count, file), file, from, size *count, size *result)
WRITING(size_t, fwrite_unlocked,
	(const void *restrict from, size_t size, size_t count, FILE *restrict file),
	(from, size, count, file), file, from, size *count, size *result)

/* ---- flushing ---- */

/* NULL: all streams. */
static bool has_nothing(const FILE *file)
{
	return file && file->_IO_write_ptr <= file->_IO_write_base;
}

static int flush_all(int (*flush)(FILE *), const struct site *site)
{
	struct io_call call;
	bool is_seen = io_call_begin(&call, -1, CAUSE_WRITE, OP_FFLUSH, site);
	int result = flush(NULL);

	if (is_seen)
		io_call_end(&call, result, 0);
	return result;
}

#define FLUSHING(name)                                                                             \
	EXPORTED int name(FILE *file)                                                              \
	{                                                                                          \
		struct io_stream stream;                                                           \
                                                                                                   \
		real_need();                                                                       \
		if (has_nothing(file))                                                             \
			return real.name(file);                                                    \
		if (!file)                                                                         \
			return flush_all(real.name, SITE_HERE);                                    \
		io_stream_begin(&stream, file, IO_STREAM_TAKES_LOCK(name), CAUSE_WRITE, OP_FFLUSH, \
				SITE_HERE);                                                        \
		int result = real.name(file);                                                      \
		io_stream_end(&stream, 0);                                                         \
		return result;                                                                     \
	}

FLUSHING(fflush)
FLUSHING(fflush_unlocked)

ALIAS(_IO_putc, putc)
ALIAS(_IO_puts, puts)
ALIAS(_IO_fputs, fputs)
ALIAS(_IO_fwrite, fwrite)
ALIAS(_IO_fflush, fflush)

/* SPDX-License-Identifier: MIT */
/* Calls that can free the numbers 0, 1 and 2, which the program's next open must get
 * (descriptors.h), that meet numbers by which events are counted (event_numbers.h), or after which
 * a number stands for something else (io_descriptors.h).
 * Async-signal-safe, a cancellation point, and allowed in a vfork child, as libc's close is. */
#include "preload/base/descriptors.h"
#include "preload/base/kernel_call.h"
#include "preload/base/likely.h"
#include "preload/counters/event_numbers.h"
#include "preload/counters/thread_events.h"
#include "preload/io/command_stream.h"
#include "preload/io/io_descriptors.h"
#include "preload/io/io_stream.h"
#include "preload/io/io_wrapper.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>

/* To the program, numbers of ours are not open: EBADF. -1 is not open, either. */
static int seen_by_program(int number)
{
	return event_numbers_have(number) ? -1 : number;
}

EXPORTED int close(int number)
{
	number = seen_by_program(number);
	io_descriptor_closes(number);
	/* Allocators close files while they start; to resolve the originals would call them. */
	int result =
		likely(real.is_ready) ? real.close(number) : (int)kernel_call(SYS_close, number);

	if (unlikely(number <= STDERR_FILENO))
		descriptors_settle();
	return result;
}

/* Closes what lies between numbers of ours, as close_range does; returns where the rest begins,
 * behind the last of ours. */
static unsigned close_between(unsigned first, unsigned last, int flags, int *result)
{
	int ours;

	while (unlikely(event_numbers_are_used) && first <= last &&
	       (ours = event_numbers_next(first, last)) >= 0) {
		if ((unsigned)ours > first)
			*result |= real.close_range(first, (unsigned)ours - 1, flags);
		first = (unsigned)ours + 1;
	}
	return first;
}

EXPORTED int close_range(unsigned first, unsigned last, int flags)
{
	real_need();
	int result = 0;
	if (!(flags & ~CLOSE_RANGE_UNSHARE)) /* others close nothing, or fail */
		io_descriptors_close(first, last);
	unsigned rest = close_between(first, last, flags, &result);
	if (rest <= last || rest == first) /* none of ours: an error is the program's, too */
		result |= real.close_range(rest, last, flags);
	if (first <= STDERR_FILENO)
		descriptors_settle();
	return result;
}

EXPORTED void closefrom(int first)
{
	int result = 0;

	real_need();
	io_descriptors_close(first < 0 ? 0 : (unsigned)first, UINT_MAX);
	unsigned rest = close_between(first < 0 ? 0 : (unsigned)first, INT_MAX, 0, &result);
	real.closefrom((int)rest);
	if (first <= STDERR_FILENO)
		descriptors_settle();
}

/* dup2 and dup3 close what has the number, if nothing else is wrong with their arguments. */
static void make_way(int from, int to, int flags)
{
	int saved = errno;

	if (event_numbers_have(to) && from != to && !(flags & ~O_CLOEXEC) &&
	    kernel_call(SYS_fcntl, from, F_GETFD) >= 0)
		thread_events_yield(to);
	errno = saved;
}

EXPORTED int dup(int number)
{
	real_need();
	uint64_t word = io_descriptor_word(number);
	int result = real.dup(seen_by_program(number));
	io_descriptor_copied(word, result);
	return result;
}

EXPORTED int dup2(int from, int to)
{
	real_need();
	from = seen_by_program(from);
	make_way(from, to, 0);
	uint64_t before = io_descriptor_word(to), word = io_descriptor_word(from);
	if (from != to)
		io_descriptor_closes(to);
	int result = real.dup2(from, to);
	io_descriptor_copied(result < 0 ? before : word, to);
	return result;
}

EXPORTED int dup3(int from, int to, int flags)
{
	real_need();
	from = from == to ? from : seen_by_program(from); /* equal: EINVAL, open or not */
	make_way(from, to, flags);
	uint64_t before = io_descriptor_word(to), word = io_descriptor_word(from);
	io_descriptor_closes(to);
	int result = real.dup3(from, to, flags);
	io_descriptor_copied(result < 0 ? before : word, to);
	return result;
}

/* Shells ask by it whether a number is free, and save what has it. */
#define CONTROL(name)                                                                              \
	EXPORTED int name(int number, int command, ...)                                            \
	{                                                                                          \
		va_list arguments;                                                                 \
                                                                                                   \
		va_start(arguments, command);                                                      \
		void *argument = va_arg(arguments, void *);                                        \
		va_end(arguments);                                                                 \
		if (unlikely(!real.is_ready)) /* as with close */                                  \
			return (int)kernel_call(SYS_fcntl, number, command, argument);             \
		number = seen_by_program(number);                                                  \
		if (likely(command != F_SETLKW && command != F_OFD_SETLKW))                        \
			return real.name(number, command, argument);                               \
		IO_BODY(int, name, (number, command, argument), number, CAUSE_FILE_LOCK,           \
			OP_FCNTL_LOCK, 0)                                                          \
	}

CONTROL(fcntl)
CONTROL(fcntl64)

EXPORTED int fclose(FILE *stream)
{
	bool is_standard = stream == stdin || stream == stdout || stream == stderr;
	struct io_stream flushed;

	real_need();
	if (unlikely(io_stream_is_of_command(stream)))
		return command_stream_close(sync_thread(), stream, real.fclose, SITE_HERE);
	io_stream_begin_last(&flushed, stream, SITE_HERE);
	io_descriptor_closes(stream->_fileno);
	int result = real.fclose(stream);
	io_stream_end_last(&flushed, result);
	if (is_standard)
		descriptors_settle();
	return result;
}

/* libc opens and closes inside these: the number is new. */
#define STREAM_OPENING(name, parameters, arguments)                                                \
	EXPORTED FILE *name parameters                                                             \
	{                                                                                          \
		real_need();                                                                       \
		FILE *result = real.name arguments;                                                \
		if (result)                                                                        \
			io_descriptor_opens(result->_fileno);                                      \
		return result;                                                                     \
	}

STREAM_OPENING(fopen, (const char *restrict path, const char *restrict mode), (path, mode))
STREAM_OPENING(fopen64, (const char *restrict path, const char *restrict mode), (path, mode))

/* The number stays, as libc duplicates the new one to it, except where the stream had none. It is
 * read before, since afterwards another thread may close the stream. */
#define STREAM_REOPENING(name)                                                                     \
	EXPORTED FILE *name(const char *restrict path, const char *restrict mode,                  \
			    FILE *restrict stream)                                                 \
	{                                                                                          \
		int number = stream->_fileno;                                                      \
                                                                                                   \
		real_need();                                                                       \
		FILE *result = real.name(path, mode, stream);                                      \
		if (result)                                                                        \
			io_descriptor_opens(number);                                               \
		return result;                                                                     \
	}

STREAM_REOPENING(freopen)
STREAM_REOPENING(freopen64)

EXPORTED int mq_close(mqd_t number)
{
	real_need();
	io_descriptor_closes(number);
	return real.mq_close(number);
}

ALIAS(_IO_fopen, fopen)
ALIAS(__close, close)
ALIAS(__dup2, dup2)
ALIAS(__fcntl, fcntl)
ALIAS(_IO_fclose, fclose)

/* SPDX-License-Identifier: MIT */
/* Opening: a FIFO waits for its other end, a file for the disk; both are waits of cause OPEN, and
 * the object tells which. What the number stands for is looked up after a wait only: programs open
 * a million files. Async-signal-safe and a cancellation point, as libc's calls are; allocators open
 * files while they start, when these go to the kernel. fopen calls libc's open inside, unseen. */
#include "preload/base/kernel_call.h"
#include "preload/io/io_wrapper.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>

/* Whether the call has a mode. */
static bool has_mode(int flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

#define OPEN_BODY(name, arguments)                                                                 \
	struct io_call call;                                                                       \
	bool is_seen = io_call_begin(&call, -1, CAUSE_OPEN, OP_OPEN, SITE_HERE);                   \
	int result = real.name arguments;                                                          \
	if (result >= 0)                                                                           \
		io_descriptor_opens(result);                                                       \
	if (is_seen) {                                                                             \
		io_call_is_on(&call, result);                                                      \
		io_call_end(&call, result, 0);                                                     \
	}                                                                                          \
	return result;

/* OPENING(name, parameters, arguments, at, path, flags): with a mode or without */
#define OPENING(name, parameters, arguments, at, path, flags)                                      \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		mode_t mode = 0;                                                                   \
                                                                                                   \
		if (has_mode(flags)) {                                                             \
			va_list more;                                                              \
			va_start(more, flags);                                                     \
			mode = va_arg(more, mode_t);                                               \
			va_end(more);                                                              \
		}                                                                                  \
		if (unlikely(!real.is_ready))                                                      \
			return (int)kernel_call(SYS_openat, at, path, flags, mode);                \
		OPEN_BODY(name, arguments)                                                         \
	}

/* OPENING_PLAIN(name, parameters, arguments) */
#define OPENING_PLAIN(name, parameters, arguments)                                                 \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		real_need();                                                                       \
		OPEN_BODY(name, arguments)                                                         \
	}

OPENING(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD, path, flags)
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD, path, flags)
OPENING(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode), at, path,
	flags)
OPENING(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode), at, path,
	flags)

OPENING_PLAIN(creat, (const char *path, mode_t mode), (path, mode))
OPENING_PLAIN(creat64, (const char *path, mode_t mode), (path, mode))
OPENING_PLAIN(__open_2, (const char *path, int flags), (path, flags))
OPENING_PLAIN(__open64_2, (const char *path, int flags), (path, flags))
OPENING_PLAIN(__openat_2, (int at, const char *path, int flags), (at, path, flags))
OPENING_PLAIN(__openat64_2, (int at, const char *path, int flags), (at, path, flags))

ALIAS(__open, open)
ALIAS(__open64, open64)

/* SPDX-License-Identifier: MIT */
/* System calls of the profiler's own work that libc has under names which others may stand in for
 * (direct.h), by the names that both architectures have. As libc's: -1 and errno where they fail.
 * No cancellation points. Context: any. */
#pragma once

#include "preload/base/direct.h"
#include "preload/base/kernel_call.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int system_pid(void)
{
	return (int)kernel_call(SYS_getpid);
}

static inline int system_parent_pid(void)
{
	return (int)kernel_call(SYS_getppid);
}

/* Of the calling thread; unchanged in a sealed process. errno stays. */
static inline void system_usage(struct rusage *usage)
{
	if (!kernel_is_sealed)
		kernel_call(SYS_getrusage, RUSAGE_THREAD, usage);
}

static inline int system_limit(int resource, struct rlimit *limit)
{
	return (int)kernel_call(SYS_prlimit64, 0, resource, NULL, limit);
}

/* The processor that the caller runs on; negative: not known. */
static inline int system_processor(void)
{
	unsigned processor;

	return direct.getcpu(&processor, NULL, NULL) ? -1 : (int)processor;
}

/* ---- files ---- */

static inline int system_status(int number, struct stat *status)
{
	return (int)kernel_call(SYS_fstat, number, status);
}

/* flags: AT_SYMLINK_NOFOLLOW or 0. */
static inline int system_status_of(const char *path, struct stat *status, int flags)
{
	return (int)kernel_call(SYS_newfstatat, AT_FDCWD, path, status, flags);
}

static inline int system_truncate(int number, uint64_t bytes)
{
	return (int)kernel_call(SYS_ftruncate, number, bytes);
}

static inline int system_make_directory(const char *path, mode_t mode)
{
	return (int)kernel_call(SYS_mkdirat, AT_FDCWD, path, mode);
}

static inline int system_unlink(const char *path)
{
	return (int)kernel_call(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* The link's text, which is cut where it does not fit and always terminated; returns its length, 0
 * if it cannot be read. */
static inline size_t system_read_link(const char *path, char *text, size_t capacity)
{
	long length = kernel_call(SYS_readlinkat, AT_FDCWD, path, text, capacity - 1);

	text[length > 0 ? length : 0] = '\0';
	return length > 0 ? (size_t)length : 0;
}

/* Terminated. False: it is too long, or lies outside of the root directory. */
static inline bool system_working_directory(char *path, size_t capacity)
{
	return kernel_call(SYS_getcwd, path, capacity) > 0 && path[0] == '/';
}

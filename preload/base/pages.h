/* SPDX-License-Identifier: MIT */
/* Memory from the kernel, without libc.
 *
 * MPI libraries (UCX's memory hooks, for one) overwrite libc's mmap, munmap and madvise with jumps
 * to functions of their own, which take locks that we wrap. A call of ours would re-enter the
 * profiler in the middle of whatever it was made for. Context: any, signal handlers included; errno
 * stays as it was. */
#pragma once

#include "preload/base/kernel_call.h"
#include "preload/base/likely.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As mmap; NULL if it fails, and then *error (if not NULL) says why. */
void *pages_map(void *place, size_t bytes, int protection, int flags, int fd, off_t offset,
		int *error);

/* Zeroed memory, which the kernel provides at the first touch; NULL if there is none. Under limits
 * each mapping costs the program what it could have had itself (RLIMIT_AS, RLIMIT_DATA, and with
 * mlockall RLIMIT_MEMLOCK, whether it is touched or not): so tables are mapped in parts, each when
 * it is needed (pages_have). */
void *pages_new(size_t bytes);

/* What the program locked of ours together with its own memory, and will lock (mlockall with
 * MCL_FUTURE), is unlocked again, so that its limit is left to the program. pages_unlock: what is
 * there; pages_keep_unlocked: from now on what is mapped here. */
void pages_unlock(void *place, size_t bytes);
void pages_keep_unlocked(void);

static inline void pages_free(void *place, size_t bytes)
{
	int saved = errno;

	kernel_call(SYS_munmap, place, bytes);
	errno = saved;
}

/* As madvise; a failure does not matter. */
static inline void pages_advise(void *place, size_t bytes, int advice)
{
	int saved = errno;

	kernel_call(SYS_madvise, place, bytes, advice);
	errno = saved;
}

/* Zeroes pages of pages_new in place; costs only as much as were touched. Not by MADV_DONTNEED,
 * which fails on memory that the program has locked (mlockall). */
static inline void pages_clear(void *place, size_t bytes)
{
	if (!pages_map(place, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0, NULL))
		memset(place, 0, bytes);
}

/* A part of a table, mapped by whichever thread needs it first; it stays. NULL: there is no
 * memory. */
static inline void *pages_have(void **part, size_t bytes)
{
	void *have = __atomic_load_n(part, __ATOMIC_ACQUIRE), *made;

	if (likely(have != NULL) || !(made = pages_new(bytes)))
		return have;
	if (__atomic_compare_exchange_n(part, &have, made, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return made;
	pages_free(made, bytes);
	return have;
}

/* The part if it is there, else NULL. */
static inline void *pages_had(void *const *part)
{
	return __atomic_load_n(part, __ATOMIC_ACQUIRE);
}

/* Start-up and fork child: zeroes the parts in place. A signal handler may have forked in the
 * middle of a call that goes on in the child, and must find them where they were. */
static inline void pages_clear_parts(void *const *parts, unsigned count, size_t bytes)
{
	for (unsigned i = 0; i < count; i++)
		if (parts[i])
			pages_clear(parts[i], bytes);
}

/* What the kernel says; until direct.c has asked, the most that it may say. */
extern uint64_t pages_bytes __attribute__((visibility("hidden")));

/* Pages have 4 KiB on x86-64, and 4, 16 or 64 KiB on AArch64, as the kernel was built. */
static inline uint64_t pages_size(void)
{
	return pages_bytes;
}

/* So many bytes, less what does not fill a page. */
static inline uint64_t pages_whole(uint64_t bytes)
{
	return bytes & ~(pages_size() - 1);
}

/* SPDX-License-Identifier: MIT */
/* Memory from the kernel, without libc.
 *
 * MPI libraries (UCX's memory hooks, for one) overwrite libc's mmap, munmap and madvise with jumps
 * to functions of their own, which take locks that we wrap. A call of ours would re-enter the
 * profiler in the middle of whatever it was made for. Context: any, signal handlers included; errno
 * stays as it was. */
#pragma once

#include "preload/base/kernel_call.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As mmap; NULL if it fails, and then *error (if not NULL) says why. */
static inline void *pages_map(void *place, size_t bytes, int protection, int flags, int fd,
			      off_t offset, int *error)
{
	int saved = errno;
	long got = kernel_call(SYS_mmap, place, bytes, protection, flags, fd, offset);

	if (error)
		*error = got == -1 ? errno : 0;
	errno = saved;
	return got == -1 ? NULL : (void *)got;
}

/* Zeroed memory, which the kernel provides at the first touch; NULL if there is none. */
static inline void *pages_new(size_t bytes)
{
	return pages_map(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0, NULL);
}

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

/* Pages have 4 KiB on x86-64, and 4, 16 or 64 KiB on AArch64, as the kernel was built. */
static inline uint64_t pages_size(void)
{
	return getauxval(AT_PAGESZ);
}

/* So many bytes, less what does not fill a page. */
static inline uint64_t pages_whole(uint64_t bytes)
{
	return bytes & ~(pages_size() - 1);
}

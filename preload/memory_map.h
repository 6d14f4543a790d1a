/* SPDX-License-Identifier: MIT */
/* Memory for ourselves, by the kernel's calls and not libc's functions: other libraries put hooks
 * into these. UCX (libucm 1.13, below MPICH and Open MPI) rewrites mmap, munmap and madvise, and
 * its hooks take a lock. A sampling signal, or a wrapper of that very lock, that came to need
 * memory waited for its own thread for ever (MPICH 4.0.2, after MPI_Win_create). UCX has to hear
 * only of memory that it may have registered with a device, and ours is never that.
 *
 * Arguments, results and errno as those of mmap, munmap and madvise. Context: any. */
#pragma once

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static inline void *memory_map(void *address, size_t bytes, int protection, int flags, int fd,
			       off_t offset)
{
	return (void *)syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

static inline int memory_unmap(void *address, size_t bytes)
{
	return (int)syscall(SYS_munmap, address, bytes);
}

static inline int memory_advise(void *address, size_t bytes, int advice)
{
	return (int)syscall(SYS_madvise, address, bytes, advice);
}

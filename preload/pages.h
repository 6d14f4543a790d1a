/* SPDX-License-Identifier: MIT */
/* Memory of the profiler's own, by system calls alone: the C library's mmap may have been patched
 * (UCX, below MPICH and Open MPI, does so to know which memory is registered), and what then runs
 * takes locks. A sample, or a wrapped lock, that makes the profile grow may come while the same
 * thread holds them: it would wait for itself.
 *
 * Arguments, results and errno as of mmap(2) and munmap(2). Any context. */
#pragma once

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void *pages_map(void *place, size_t bytes, int protection, int flags, int fd,
			      off_t offset)
{
	return (void *)syscall(SYS_mmap, place, bytes, protection, flags, fd, offset);
}

static inline void pages_unmap(void *place, size_t bytes)
{
	syscall(SYS_munmap, place, bytes);
}

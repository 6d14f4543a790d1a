/* SPDX-License-Identifier: MIT */
/* What others cannot stand in for.
 *
 * A library that is preloaded beside this one may define any name of libc's (libfaketime defines
 * clock_gettime, fstat and a hundred more) and take a lock in it, or fail once its own end has
 * come. Work of the profiler's is done in signal handlers, while the program holds that lock, and
 * after that end; and it wants the kernel's clock, not one that somebody moved. So such work makes
 * system calls (kernel_call.h, system.h), or calls these: the kernel's own functions in the vDSO,
 * and libc's, both found in the objects' own symbol tables. Calls on behalf of the program go on to
 * whoever stands behind us (process/real.h).
 *
 * scripts/check-imports lists which names the library still takes from others, and why.
 *
 * Found by a constructor that runs before all others of ours; until then, and where there is no
 * vDSO, the clock is a system call. Context: any. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct direct {
	/* 0 or a negative errno, and errno stays */
	int (*clock_gettime)(clockid_t id, struct timespec *time);
	long (*getcpu)(unsigned *processor, unsigned *node, void *unused);
	/* libc's; NULL: not found */
	int (*sigaction)(int number, const struct sigaction *set, struct sigaction *old);
	unsigned long (*getauxval)(unsigned long type);
	void (*flockfile)(FILE *file);
	int (*ftrylockfile)(FILE *file);
	void (*funlockfile)(FILE *file);
	/* the list of clean-ups that cancellation and longjmp go through */
	void (*cleanup_push)(struct _pthread_cleanup_buffer *one, void (*routine)(void *),
			     void *argument);
	void (*cleanup_pop)(struct _pthread_cleanup_buffer *one, int runs);
	uint64_t libc_start, libc_end; /* where libc lies */
};

extern struct direct direct __attribute__((visibility("hidden")));

/* Whether a function is libc's own. */
static inline bool direct_is_libcs(const void *function)
{
	return (uint64_t)function - direct.libc_start < direct.libc_end - direct.libc_start;
}

/* A value that the kernel gave the process (AT_MINSIGSTKSZ, ...); 0: not known. */
static inline uint64_t direct_auxiliary(unsigned long type)
{
	return direct.getauxval ? direct.getauxval(type) : 0;
}

/* SPDX-License-Identifier: MIT */
/* What others cannot stand in for.
 *
 * A library that is preloaded beside this one may define any name of libc's (libfaketime defines
 * clock_gettime, fstat and a hundred more) and take a lock in it, or fail once its own end has come.
 * Work of the profiler's is done in signal handlers, while the program holds that lock, and after
 * that end; and it wants the kernel's clock, not one that somebody moved. So such work makes system
 * calls (kernel_call.h, system.h), or calls these: the kernel's own functions in the vDSO, and
 * libc's, both found in the objects' own symbol tables. Calls on behalf of the program go on to
 * whoever stands behind us (process/real.h).
 *
 * scripts/check-imports lists which names the library still takes from others, and why.
 *
 * Found by a constructor that runs before all others of ours; until then, and where there is no
 * vDSO, the clock is a system call. Context: any. */
#pragma once

#include <signal.h>
#include <stdint.h>
#include <time.h>

struct direct {
	/* 0 or a negative errno, and errno stays */
	int (*clock_gettime)(clockid_t id, struct timespec *time);
	long (*getcpu)(unsigned *processor, unsigned *node, void *unused);
	/* libc's; NULL: not found */
	int (*sigaction)(int number, const struct sigaction *set, struct sigaction *old);
	unsigned long (*getauxval)(unsigned long type);
};

extern struct direct direct __attribute__((visibility("hidden")));

/* A value that the kernel gave the process (AT_MINSIGSTKSZ, ...); 0: not known. */
static inline uint64_t direct_auxiliary(unsigned long type)
{
	return direct.getauxval ? direct.getauxval(type) : 0;
}

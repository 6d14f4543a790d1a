/* SPDX-License-Identifier: MIT */
/* What others cannot stand in for.
 *
 * A program of ISO C may have functions of its own by most names of libc's (on_exit, dlsym,
 * pthread_self), and a name is bound to the program's before it is to libc's. A library that is
 * preloaded beside this one may define any name of libc's (libfaketime defines clock_gettime, fstat
 * and a hundred more) and take a lock in it, or fail once its own end has come. Work of the
 * profiler's is done in signal handlers, while the program holds that lock, and after that end; and
 * it wants the kernel's clock, not one that somebody moved. So such work makes system calls
 * (kernel_call.h, system.h), or calls these: the kernel's own functions in the vDSO, and libc's,
 * both found in the objects' own symbol tables. Calls on behalf of the program go on to whoever
 * stands behind us (process/real.h).
 *
 * scripts/check-imports lists which names the library still takes from others, and why.
 *
 * Found by a constructor that runs before all others of ours, or by what needs it earlier
 * (direct_need); until then, and where there is no vDSO, the clock is a system call. Context:
 * any. */
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <time.h>

struct direct {
	/* 0 or a negative errno, and errno stays */
	int (*clock_gettime)(clockid_t id, struct timespec *time);
	long (*getcpu)(unsigned *processor, unsigned *node, void *unused);
	/* libc's; NULL: not looked for yet, or not found */
#define DIRECT(symbol) __typeof__(symbol) *symbol;
#include "preload/base/direct.def"
#undef DIRECT
	/* the list of clean-ups that cancellation and longjmp go through */
	void (*cleanup_push)(struct _pthread_cleanup_buffer *one, void (*routine)(void *),
			     void *argument);
	void (*cleanup_pop)(struct _pthread_cleanup_buffer *one, int runs);
	uint64_t libc_start, libc_end; /* where libc lies */
};

extern struct direct direct __attribute__((visibility("hidden")));

/* Looks for all of it, again or for the first time. */
void direct_find(void);

/* A function of libc's by its name and version (NULL: whatever is the default); NULL: there is
 * none. */
void *direct_of_libc(const char *name, const char *version);

/* For wrappers that run before the constructor. */
static inline void direct_need(void)
{
	if (__builtin_expect(!direct.libc_start, 0))
		direct_find();
}

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

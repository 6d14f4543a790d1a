/* SPDX-License-Identifier: MIT */
/* Stretches that no signal interrupts: nothing jumps out of them, and no cancellation (a signal of
 * libc's) ends the thread in the middle. Costs two system calls, so it is for work that makes some
 * itself. Context: any thread, signal handlers. errno is never changed. */
#pragma once

#include "preload/base/kernel_call.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void signals_restore(uint64_t mask)
{
	int saved = errno;

	kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
	errno = saved;
}

/* Returns the mask to restore. */
static inline uint64_t signals_block(void)
{
	const uint64_t all = ~UINT64_C(0); /* also the two that libc reserves */
	uint64_t before = 0;
	int saved = errno;

	kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof before);
	errno = saved;
	return before;
}

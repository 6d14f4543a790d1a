/* SPDX-License-Identifier: MIT */
/* Stretches that no handler of the program interrupts: nothing jumps out of them, and no
 * cancellation (a signal of libc's) ends the thread in the middle. The signal of samples stays open
 * for libc, and its samples do nothing (quiet.h). Costs two system calls, so it is for work that
 * makes some itself, or is seldom; one within another costs nothing. Context: any thread, signal
 * handlers. errno is never changed. */
#pragma once

#include "preload/base/kernel_call.h"
#include "preload/base/quiet.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Stretches of the calling thread, one within the other. Initial-exec: a plain load. */
extern __thread uint32_t signals_blocked __attribute__((visibility("hidden")));

static inline void signals_restore(uint64_t mask)
{
	int saved = errno;

	quiet_end();
	/* before the last call, which delivers what came meanwhile, and may not return */
	if (--signals_blocked)
		return;
	kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
	errno = saved;
}

/* Returns the mask to restore. */
static inline uint64_t signals_block(void)
{
	/* also the one that libc reserves for cancellation */
	const uint64_t most = ~(UINT64_C(1) << (SAMPLE_SIGNAL - 1));
	uint64_t before = 0;
	int saved = errno;

	/* added to the mask: in the handler of samples that signal is blocked, and stays so */
	if (!signals_blocked)
		kernel_call(SYS_rt_sigprocmask, SIG_BLOCK, &most, &before, sizeof before);
	/* after it: a handler that comes before is in no stretch, and may jump */
	signals_blocked++;
	quiet_begin();
	errno = saved;
	return before;
}

/* Work that one thread at a time does for all, with signals blocked: so the thread that does it is
 * never one that a handler has interrupted, which would wait for itself, and never left it by a
 * jump. One byte, 0: nobody does it. */
struct sole_work {
	uint64_t mask;
	bool is_blocked;
};

/* False: another thread does it; or, in a sandbox, where signals are not blocked, perhaps this
 * one. */
static inline bool sole_work_begin(struct sole_work *work, uint8_t *busy)
{
	work->is_blocked = !kernel_is_sealed;
	work->mask = work->is_blocked ? signals_block() : 0;
	if (!__atomic_test_and_set(busy, __ATOMIC_ACQUIRE))
		return true;
	if (work->is_blocked)
		signals_restore(work->mask);
	return false;
}

static inline void sole_work_end(const struct sole_work *work, uint8_t *busy)
{
	__atomic_clear(busy, __ATOMIC_RELEASE);
	if (work->is_blocked)
		signals_restore(work->mask);
}

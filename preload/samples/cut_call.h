/* SPDX-License-Identifier: MIT */
/* A signal of the program's ends a system call, and a sample is due as well: the kernel delivers
 * the sample first, since it is the thread's own and not the process's. Then it is the sample's
 * handler by which the kernel has decided how the call goes on:
 *
 *   - A call that a handler without SA_RESTART is to end (read, with alarm) would be made again,
 *     after that handler, and perhaps wait for ever. Here its end is put right.
 *   - A call with a mask for its time (sigsuspend, ppoll) has ended, and the mask is the old one
 *     again, in which the program's signal may be blocked: it ends with EINTR, and no handler has
 *     run. Its wrapper makes it again, and the signal that is pending ends it at once.
 *
 * Context: the handler of samples; wrappers. No allocation, no lock, errno stays. */
#pragma once

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "preload/thread/thread.h"

/* In the handler of samples: it has interrupted that. thread may be NULL. */
void cut_call_see(struct thread *thread, ucontext_t *context);

/* Calls of the thread that samples have ended so far. */
static inline uint32_t cut_call_count(void)
{
	return thread_self ? thread_self->cut_calls : 0;
}

/* A call with that mask has ended with EINTR: is a signal pending that should have ended it? */
bool cut_call_is_unanswered(const sigset_t *mask);

/* RESULT: of CALL, an expression, whose time has that MASK; NULL: none. */
#define CUT_CALL_MADE_AGAIN(result, call, mask)                                                    \
	do {                                                                                       \
		uint32_t before_ = cut_call_count();                                               \
		(result) = call;                                                                   \
		if ((result) != -1 || errno != EINTR || cut_call_count() == before_ ||             \
		    !cut_call_is_unanswered(mask))                                                 \
			break;                                                                     \
	} while (true)

/* SPDX-License-Identifier: MIT */
/* The system call in which a thread was stopped, and how it goes on with it as if nobody had
 * looked.
 *
 * If nothing was done to the thread, the kernel goes on with the call by what is in the registers.
 * Otherwise the thread makes the call again, and is left in it. No handler can run in between: a
 * mask that the call has for its time (ppoll, sigsuspend) is in force before any signal is looked
 * for, and a signal that has come ends the call as it would have ended it. */
#pragma once

#include "candidates.h"
#include "registers.h"
#include "tracee.h"

#include <stdbool.h>
#include <stdint.h>

struct interrupted_call {
	const struct waiting_call *waiting; /* NULL: none in which a thread may be stopped */
	long number;
	bool is_again;  /* it has to be made again if anything is done to the thread */
	bool is_broken; /* the stop itself has ended it with EINTR */
	const uint64_t *first_argument; /* NULL: not known from before the stop */
	registers_general again;        /* before the call, or as they were */
};

/* candidate: in which call it was seen before it was stopped; it outlives the call. */
void interrupted_call_read(struct interrupted_call *call, const struct tracee *tracee,
			   const struct candidate *candidate, const registers_general *general);

/* The thread stands where it was stopped first. */
void interrupted_call_leave(const struct interrupted_call *call, const struct tracee *tracee);

/* The registers are those of `again`. It stands in the call, with that mask. 0 or -ESRCH. */
int interrupted_call_enter(const struct interrupted_call *call, struct tracee *tracee,
			   uint64_t mask);

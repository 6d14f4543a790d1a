/* SPDX-License-Identifier: MIT */
/* System calls that move data piece by piece, and go on until all of it is moved: recv with
 * MSG_WAITALL, a read of a socket with SO_RCVLOWAT or of a terminal with VMIN, write, send,
 * io_getevents. A stop makes the kernel end them with the part that they have moved, as a signal
 * would, and nothing in the registers says that there was more to come.
 *
 * So a thread that waits in such a call is left alone, and for one that ran, which may be in any
 * call by the time that it stops, the call is finished: the thread makes it again for the rest, and
 * finds the sum as its result. */
#pragma once

#include "registers.h"
#include "tracee.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Of a thread that waits in that call. is_timed: set if it has a time-out that would begin anew, of
 * which the call itself says nothing. */
bool moving_call_may_hold(pid_t process, pid_t thread, long number, const uint64_t arguments[6],
			  bool *is_timed);

/* Of a stopped thread that will make its call again. Let go within it, it would find a signal
 * pending, and the call would end with the part that is there. */
bool moving_call_is_again(const struct tracee *tracee, const registers_general *general,
			  const uint64_t *first_argument);

/* The thread was stopped, with these registers. If the stop has cut a call, they are those at its
 * end after this, which may take as long as the call takes, with a message. first_argument: NULL if
 * it is not known from before. Returns 1 if a call was finished, 0 if there was none, or -ESRCH. */
int moving_call_finish(struct tracee *tracee, registers_general *general,
		       const uint64_t *first_argument);

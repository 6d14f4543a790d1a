/* SPDX-License-Identifier: MIT */
/* A thread's timer stands still: no sample comes, and the signal need not be blocked for that.
 *
 * While the thread runs a handler of the program on its alternate stack (handler_relay.h), and
 * while it forks: a fork that takes longer than a period would be begun again for ever. The CPU
 * time meanwhile belongs to the next sample. Context: the thread itself, its signal handlers. errno
 * is never changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/thread/thread.h"

/* When the timer that is about to be set expires at the earliest, if a sample would harm here. Of
 * the thread's CPU time, of which some is the kernel's interrupts. */
enum { SAMPLE_PAUSE_LEAST_NS = 50000 };

/* Does nothing to a thread that is not sampled, or pauses already: then false. */
bool sample_pause_begin(struct thread *thread);

/* The timer goes on from where it was, and expires after least_ns at the earliest. */
void sample_pause_end(struct thread *thread, uint64_t least_ns);

/* What sample_pause_end would make of the timer: it expires soon. */
bool sample_pause_is_short(const struct thread *thread);

/* The thread, which pauses, is about to leave its frames, for those at that stack pointer. */
void sample_pause_jump(struct thread *thread, uint64_t sp);

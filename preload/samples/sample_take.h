/* SPDX-License-Identifier: MIT */
/* One sample: where the thread is, by the context in which its signal's handler runs, and what is
 * charged to that place: CPU time, counters, the wait of who joins it. In the handler. */
#pragma once

#include <ucontext.h>

#include "preload/thread/thread.h"

/* Needs 3 KiB of stack. */
void sample_take(struct thread *thread, const ucontext_t *context);

/* If the program's own handler has left little of the stack: of the innermost place only. A walk
 * that has to read unwind information needs 1.2 KiB. */
void sample_take_cramped(struct thread *thread, const ucontext_t *context);

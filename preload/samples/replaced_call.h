/* SPDX-License-Identifier: MIT */
/* Wrappers that do what libc's call does instead of calling it (REPLACES; free mutexes): of the
 * samples in one of them the program would have had most natively, in libc's routine.
 *
 * So those that libc's call would have had are given to it, the others are the profiler's: each
 * thread's samples in turn, in proportion to what both took at start-up (overhead.h). */
#pragma once

#include <stdint.h>

#include "preload/thread/thread.h"

/* Context: the handler of samples. The place of a sample in the thread: itself, or the begin of the
 * routine of libc's that the code at it stands for. */
uint64_t replaced_call_place(struct thread *thread, uint64_t place);

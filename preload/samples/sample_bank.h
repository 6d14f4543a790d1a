/* SPDX-License-Identifier: MIT */
/* CPU time of threads that have ended, which no sample claimed. A later sample of a thread with the
 * same start routine claims it, so that thousands of short threads are sampled like one long
 * thread.
 *
 * A sample comes at a tick of the kernel, and such a thread has little CPU time of its own. So if a
 * thread's first tick is a sample (sampler.c), that sample stands for the thread's own time so far,
 * and for what others have left here since the last such sample, up to a limit. Nothing is claimed
 * twice: samples + what is left here + what living threads have not claimed yet + what they used
 * before their timers were set = CPU time.
 *
 * Context: any thread, signal handlers; no lock. Start routines share 64 sums by hash. */
#pragma once

#include <stdint.h>

void sample_bank_give(const void *routine, uint64_t ns);
/* Takes at most most_ns; returns how much. */
uint64_t sample_bank_take(const void *routine, uint64_t most_ns);
/* Fork child. */
void sample_bank_reset(void);

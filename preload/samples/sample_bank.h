/* SPDX-License-Identifier: MIT */
/* CPU time of threads that have ended, which no sample claimed: a later sample of a thread that starts
 * at the same routine claims it, so that thousands of short threads are sampled as one long one is.
 *
 * A sample comes at a tick of the kernel, and meets one of many short threads as often as they run,
 * but stands for little of that one's time. Of each thread whose first tick is a sample (sampler.c),
 * that sample stands for the whole distance between two samples: its own time so far, and for the
 * rest what others have left here. What a thread leaves after its last sample pays for what is
 * before the first one of another. Nothing is claimed twice: samples + what is left + what threads
 * that live have not claimed yet = CPU time.
 *
 * Context: any thread, signal handlers; no lock. Start routines share places by hash. */
#pragma once

#include <stdint.h>

void sample_bank_give(const void *routine, uint64_t ns);
/* At most so much; returns how much it is. */
uint64_t sample_bank_take(const void *routine, uint64_t most_ns);
/* In a fork child. */
void sample_bank_reset(void);

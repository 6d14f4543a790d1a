/* SPDX-License-Identifier: MIT */
/* Stretches of the calling thread in which samples do nothing: their CPU time is the next one's.
 *
 * The signal of samples is libc's as well, which uses it when a process changes its user: the
 * thread that does so waits until every other one has taken the signal. So a stretch of ours that
 * no sample may interrupt does not block the signal, but says here that the sample is to return at
 * once, and libc's share of the signals goes on. Costs no system call. Context: any; nests. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* See process/sample_signal.h. */
enum { SAMPLE_SIGNAL = 33 };

/* By its own thread and that thread's signal handlers only. Initial-exec: a plain load. */
extern __thread uint32_t quiet_stretches __attribute__((visibility("hidden")));

static inline void quiet_begin(void)
{
	quiet_stretches++;
	__asm__ volatile("" ::: "memory"); /* before what is not to be interrupted */
}

static inline void quiet_end(void)
{
	__asm__ volatile("" ::: "memory");
	quiet_stretches--;
}

static inline bool quiet_is_now(void)
{
	return quiet_stretches != 0;
}

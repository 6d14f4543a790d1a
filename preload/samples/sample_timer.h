/* SPDX-License-Identifier: MIT */
/* The timer by which a thread is sampled: on its CPU clock, at which period. Timers on CPU clocks
 * expire at ticks. Any thread, signal handlers; may change errno. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Start-up, if there are samples at all. */
void sample_timer_start(void);

/* On the CPU clock of that thread, to which it sends the signal of samples. Returns errno or 0. */
int sample_timer_make(int32_t tid, int *timer);

/* After first_ns, then every period; the other one: every period, from now on. 0: never. */
void sample_timer_set_from(int timer, uint64_t first_ns, uint64_t period_ns);
void sample_timer_set(int timer, uint64_t period_ns);

/* -1: there is none. */
void sample_timer_delete(int timer);

/* CPU time after a thread's last sample is unsampled. To keep that below 2 % from 0.2 s of CPU time
 * on, a young thread is sampled at every tick of a kernel with 250 ticks a second. */
enum { SAMPLE_YOUTH_NS = 500000000 };

/* Whether the period is such that threads are young at first. */
bool sample_timer_has_youth(void);

/* Of such a thread, or of another one. */
uint64_t sample_timer_period_ns(bool is_young);

/* CPU time between two samples of a new thread, in whole ticks, and how many. */
struct sample_distance {
	uint64_t ns;
	uint32_t ticks;
};
struct sample_distance sample_timer_distance(void);

/* SPDX-License-Identifier: MIT */
/* What wrapped calls that do not wait take beyond what libc's own would have taken: the difference
 * of the same calls by a wrapper and natively, both measured at start-up on objects of our own.
 *
 * A wrapper that replaces libc's call (a free mutex is taken by its word) costs the few
 * instructions that count it; all the rest is what the program would have used anyway. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* All in picoseconds. */
struct call_prices {
	uint64_t call_ps; /* counting a call, and passing it on */
	uint64_t lock_ps; /* the same where libc's call is an atomic instruction, which it overlaps
			   */
	/* locking and unlocking a free mutex; [true]: in a process with one thread */
	uint64_t pair_ps[2];
	uint64_t native_pair_ps[2]; /* what the two take in libc; 0: not known */
};

/* Of one act, as the least of some measurements, at most most_ps: one that was interrupted is too
 * long. `times`: acts in one measurement. Context: start-up, any thread. */
uint64_t call_price_of(void (*act)(void), unsigned times, uint64_t most_ps);

/* Start-up, when it is known whether mutexes are taken by their words, in the thread of that number.
 * Some ten microseconds. */
void call_price_measure(struct call_prices *prices, int32_t tid);

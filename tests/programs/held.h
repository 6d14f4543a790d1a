/* SPDX-License-Identifier: MIT */
/* What the programs of held locks have in common: a clock, work, and for how much of a wait of the
 * holder another thread was waiting for the lock. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

static atomic_uint_fast64_t wait_since_ns; /* the other thread's; 0: it does not wait */
static uint64_t waited_ns, held_ns;        /* held_ns: written under the lock */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void work(unsigned us)
{
	uint64_t end_ns = now_ns() + us * 1000ULL;

	while (now_ns() < end_ns)
		;
}

/* How long the other thread had been waiting at the end, of the time since begin_ns. */
static void add_held(uint64_t begin_ns)
{
	uint64_t since_ns = wait_since_ns, end_ns = now_ns();

	if (since_ns)
		held_ns += end_ns - (since_ns > begin_ns ? since_ns : begin_ns);
}

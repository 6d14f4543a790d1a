/* SPDX-License-Identifier: MIT */
/* Signals that have come to this process or the calling thread and are blocked. Also in a process
 * without stdio. */
#pragma once

#include <signal.h>
#include <stdint.h>

/* Bit NUMBER - 1 is set for each. glibc's sigisemptyset, up to 2.36 at least, does not look at
 * those from 33 on. */
static inline uint64_t pending_signals(void)
{
	sigset_t pending;
	uint64_t numbers = 0;

	if (sigpending(&pending))
		return 0;
	for (int number = 1; number <= 64; number++)
		if (sigismember(&pending, number) == 1)
			numbers |= UINT64_C(1) << (number - 1);
	return numbers;
}

/* SPDX-License-Identifier: MIT */
/* Who holds a lock of a running process: glibc writes the thread's number into the lock.
 *
 * Read from the process's memory without stopping it, so the answer is of an instant that may be
 * over. Context: one system call; needs the permission to trace the process (ptrace(2)). */
#pragma once

#include <stdint.h>

enum live_holder_state {
	LIVE_HOLDER_NONE, /* what is waited for is held by nobody, now or ever */
	LIVE_HOLDER_KNOWN,
	LIVE_HOLDER_REFUSED, /* the process's memory may not be read */
};

struct live_holder {
	enum live_holder_state state;
	uint32_t tid;
};

/* kind: enum object_kind; only mutexes and rwlocks (their writer) have a holder here. */
struct live_holder live_holder_read(uint64_t pid, uint64_t kind, uint64_t address);

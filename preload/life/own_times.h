/* SPDX-License-Identifier: MIT */
/* A thread's times as it reads them itself (ptrace_times of ptrace.h, whose struct this is). */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

enum { OWN_TIMES_LEVELS = 64 };

/* All of the calling thread since its birth, in ns; T_i of the process. */
struct own_times {
	uint64_t bytes; /* of this struct, as the program knows it */
	uint64_t elapsed_ns, user_ns, system_ns, ready_ns, blocked_ns;
	uint64_t wait_ns[CAUSE_LIMIT]; /* in waits that have ended, by cause */
	uint64_t levels; /* of level_ns, as many as can have time; the last: or more */
	uint64_t level_ns[OWN_TIMES_LEVELS];
};

/* Fills as much as times->bytes says. 0; or -1: the thread is not observed, and nothing is filled.
 * About 10 us. Not in signal handlers. */
int own_times_read(struct own_times *times);

/* SPDX-License-Identifier: MIT */
/* The threads of a process in the order in which they are asked to load the library. */
#pragma once

#include "waiting_call.h"

#include <stdint.h>
#include <sys/types.h>

enum { CANDIDATES_MAX = 64 }; /* at once; a thread that waits is among the first of thousands */

struct candidate {
	pid_t thread;
	const struct waiting_call *call; /* in which it waits; NULL: it computes */
	uint64_t first_argument;         /* of the call */
};

/* Those in a call that the kernel restarts, then those in one that is made again, then those that
 * compute. Returns their number. */
int candidates_find(pid_t process, struct candidate list[CANDIDATES_MAX]);

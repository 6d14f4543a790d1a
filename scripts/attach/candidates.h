/* SPDX-License-Identifier: MIT */
/* The threads of a process in the order in which they are asked to load the library. Left out are
 * those that a stop, or a call put upon them, would harm. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The system calls in which a thread waits and may be stopped without harm: waiting_calls.def. */
struct waiting_call {
	long number;
	const char *name;
	bool is_restarted; /* by the kernel, after a stop without a signal */
	bool has_rest;     /* a time-out goes on where it was */
};

/* NULL: in that call no thread is stopped for long. */
const struct waiting_call *waiting_call_find(long number);

enum { CANDIDATES_MAX = 64 }; /* at once; a thread that waits is among the first of thousands */

struct candidate {
	pid_t thread;
	const struct waiting_call *call; /* in which it waits; NULL: it computes */
	uint64_t arguments[6];           /* of the call */
	bool is_timed; /* the call has a time-out that begins anew, of which it says nothing */
};

struct candidates {
	struct candidate list[CANDIDATES_MAX];
	int count;
	char left_out[200]; /* why one of the threads is none; "" if there is no such */
};

/* Those in a call that the kernel restarts, then those in one that is made again, then those that
 * compute. is_forced: also threads that filter their system calls. */
void candidates_find(struct candidates *candidates, pid_t process, bool is_forced);

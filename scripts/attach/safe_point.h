/* SPDX-License-Identifier: MIT */
/* May a stopped thread call dlopen where it stands? It may if it holds nothing that dlopen, malloc
 * or the constructors of a library need: no frame of the dynamic linker, of an allocator, of what
 * loads libraries, makes processes or threads, or ends the program, and no signal handler, which
 * may have interrupted any of these. A thread that computes must besides be outside of libc
 * altogether: its inner routines have no names.
 *
 * Another thread that is in one of these runs, and lets go; but for one that waits for this thread
 * meanwhile (loader_locks). */
#pragma once

#include "stack_view.h"

#include <stddef.h>

struct safe_point {
	char reason[200]; /* why not: where the thread is */
	uint64_t way_out; /* where it comes when it leaves that; 0: not known */
};

/* is_waiting: in one of waiting_calls.def. False: `point` says why. */
bool safe_point_is(struct stack_view *view, pid_t thread, bool is_waiting,
		   struct safe_point *point);

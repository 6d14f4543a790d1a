/* SPDX-License-Identifier: MIT */
/* Calls of the C library that take a lock of its own, which no wrapper sees, and how to do without.
 * Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct run;

struct finding_libc_call {
	const char *title;
	const char *advice;
	const char *const *names; /* without the prefixes of the C library */
	size_t count;             /* of names */
};

extern const struct finding_libc_call finding_libc_calls[];
extern const size_t finding_libc_call_count;

struct finding_libc_path {
	const struct finding_libc_call *call; /* NULL: the path does not end in one */
	size_t user;                          /* the node that called it */
	bool is_waiting;                      /* in the routines that wait for a lock */
};

struct finding_libc_path finding_libc_path(const struct run *run, size_t node);
/* Is the routine of a node in the C library? */
bool finding_is_libc(const struct run *run, size_t node);
/* A routine of the C library that waits for one of its locks, or wakes who does. */
bool finding_is_libc_wait(const char *name);

/* SPDX-License-Identifier: MIT */
/* The frames that are missing in a call stack because their routines ended in a jump.
 *
 * `void hog(void) { ...; pthread_mutex_unlock(&lock); }` is compiled to a jump into
 * pthread_mutex_unlock, which then returns to hog's caller. The caller's debugging information says
 * that hog was called there; hog was not found on the stack: so it jumped, directly or through
 * others, to what was found. Where there is only one way, its routines are told; where there are
 * several, and where anything is not known, none is. Context: the analyzer, one thread. */
#pragma once

#include "analyze/symbols/symbolize.h"
#include "analyze/symbols/tail_routines.h"

struct tail_frame {
	struct symbol_place place; /* of the jump; line 0: of several, in different lines */
	const char *path;          /* of the object */
};

struct tail_frames {
	struct tail_frame *list; /* innermost first */
	size_t count, capacity;
};

struct tail_calls;

struct tail_calls *tail_calls_create(const struct tail_rules *rules);
void tail_calls_destroy(struct tail_calls *calls);

/* The objects of the process that the next questions are about. */
void tail_calls_use(struct tail_calls *calls, struct symbol_module *const *modules, size_t count);

/* Between the caller's instruction in front of a return address and the routine with code at an
 * address of the callee; callee NULL: any call that the profiler records. Never NULL; lives as long
 * as the calls. */
const struct tail_frames *tail_calls_between(struct tail_calls *calls, struct symbol_module *caller,
					     uint64_t return_address, struct symbol_module *callee,
					     uint64_t address);

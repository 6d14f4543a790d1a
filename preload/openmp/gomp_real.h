/* SPDX-License-Identifier: MIT */
/* libgomp's own functions, found at the first call from a place: the process may have no OpenMP at
 * all, a plugin may load it later, and packages of Python bring copies of their own, of which each
 * serves those that were linked with it. A call goes on to the library that it would have reached
 * without us: the one that the whole process sees, if there is one, else the caller's own.
 *
 * What answers to libgomp's names may be another runtime (LLVM's libomp stands in for it). That one
 * has the tools interface (OMPT) and is measured by it: then nothing is measured here, or it would
 * count twice. Context: any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "likely.h"

/* Asks for the next piece of a loop: loc, thread, pointers to last, lower, upper, stride; int, 0:
 * there is none. */
#define KMPC_CALLS(CALL)                                                                           \
	CALL(__kmpc_dispatch_next_4)                                                               \
	CALL(__kmpc_dispatch_next_4u)                                                              \
	CALL(__kmpc_dispatch_next_8)                                                               \
	CALL(__kmpc_dispatch_next_8u)

/* Numbers of calls: GOMP_NUMBER_GOMP_parallel, ... */
enum gomp_number {
#define GOMP_CALL(name, ...)  GOMP_NUMBER_##name,
#define GOMP_TEAM(name, ...)  GOMP_NUMBER_##name,
#define GOMP_TASKS(name, ...) GOMP_NUMBER_##name,
#define GOMP_LOCK(name, ...)  GOMP_NUMBER_##name,
#define GOMP_LEFT(name, why)
#include "gomp_calls.def"
#undef GOMP_CALL
#undef GOMP_TEAM
#undef GOMP_TASKS
#undef GOMP_LOCK
#undef GOMP_LEFT
/* of LLVM's runtime: what OMPT does not tell of */
#define KMPC_CALL(name) GOMP_NUMBER_##name,
	KMPC_CALLS(KMPC_CALL) KMPC_CALL(__kmpc_doacross_wait)
#undef KMPC_CALL
		GOMP_NUMBER_COUNT,
};

struct gomp_library {
	const void *base; /* where it is loaded */
	struct gomp_library *following;
	unsigned number; /* from 1 */
	bool is_measured;
	bool is_kept; /* it cannot be unloaded any more */
	/* of the team that the calling thread is in; never NULL */
	int (*get_num_threads)(void);
	int (*get_thread_num)(void);
	int (*get_max_threads)(void);
	void *next[GOMP_NUMBER_COUNT]; /* NULL: it has not this one */
};

/* The one that the whole process sees; NULL: there is none, or nobody has called yet. */
extern struct gomp_library *gomp_of_all __attribute__((visibility("hidden"))); /* atomic */

/* The place of the latest call that was passed on to a runtime with the tools interface, for which
 * it comes from here: the caller, or (UNWIND_EXACT) the entry of the body. */
extern __thread uint64_t gomp_passed_on_from __attribute__((visibility("hidden")));

/* The library that runs the body that the thread is in: a body whose last call is a jump looks as
 * if we had made that call. */
extern __thread const struct gomp_library *gomp_running __attribute__((visibility("hidden")));

const struct gomp_library *gomp_real_find(const void *caller);

/* caller: an address in the code that calls. NULL: there is none. */
static inline const struct gomp_library *gomp_real(uint64_t caller)
{
	const struct gomp_library *library = __atomic_load_n(&gomp_of_all, __ATOMIC_ACQUIRE);

	return likely(library != NULL) ? library : gomp_real_find((const void *)caller);
}

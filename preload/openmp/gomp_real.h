/* SPDX-License-Identifier: MIT */
/* libgomp's own functions, found at the first call of one: the process may have no OpenMP at all,
 * or a plugin loads it later.
 *
 * What answers to libgomp's names may be another runtime (LLVM's libomp stands in for it). That one
 * has the tools interface (OMPT) and is measured by it: then nothing is measured here, or it would
 * count twice. Context: any thread; resolved by whoever comes first, all at once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "likely.h"

/* Numbers of calls: GOMP_NUMBER_GOMP_parallel, ... */
enum gomp_number {
#define GOMP_CALL(name, ...) GOMP_NUMBER_##name,
#define GOMP_LOCK(name, ...) GOMP_NUMBER_##name,
#define GOMP_TEAM(name, ...) GOMP_NUMBER_##name,
#define GOMP_TASKS(name, ...) GOMP_NUMBER_##name,
#define GOMP_LEFT(name, why)
#include "gomp_calls.def"
#undef GOMP_CALL
#undef GOMP_LOCK
#undef GOMP_TEAM
#undef GOMP_TASKS
#undef GOMP_LEFT
	GOMP_NUMBER_COUNT,
};

enum gomp_state {
	GOMP_UNKNOWN,
	GOMP_MEASURED,
	GOMP_PASSED_ON, /* not libgomp, or not to be measured */
};

extern void *gomp_next[GOMP_NUMBER_COUNT] __attribute__((visibility("hidden")));
extern int gomp_state __attribute__((visibility("hidden"))); /* atomic: enum gomp_state */

/* Of the team that the calling thread is in; never NULL. */
extern int (*gomp_get_num_threads)(void) __attribute__((visibility("hidden")));
extern int (*gomp_get_thread_num)(void) __attribute__((visibility("hidden")));
extern int (*gomp_get_max_threads)(void) __attribute__((visibility("hidden")));

/* caller: an address in the code that calls. */
enum gomp_state gomp_real_resolve(const void *caller);

/* Whether calls are to be measured. */
static inline bool gomp_real_need(const void *caller)
{
	int state = __atomic_load_n(&gomp_state, __ATOMIC_ACQUIRE);

	if (unlikely(state == GOMP_UNKNOWN))
		state = (int)gomp_real_resolve(caller);
	return state == GOMP_MEASURED;
}

/* A function of the same library in its oldest version. NULL: it has none. */
void *gomp_real_old(const char *name, const char *version);

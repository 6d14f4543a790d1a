/* SPDX-License-Identifier: MIT */
/* The OpenMP runtimes' own functions, found at the first call from an object: the process may have
 * no OpenMP, a plugin may load it later, and Python packages bring copies of libgomp, each for the
 * objects that were linked with it. A call is passed on to the library that it would have reached
 * without us: the one that was there for the whole process from the start, or else the one that the
 * caller's object was linked with.
 *
 * A library with only some of the names is a stand-in for programs without threads (Intel's
 * libiompstubs5 has the routines and no constructs): it is called, and not measured.
 *
 * libgomp's names may be provided by another runtime (LLVM's libomp does so). That one has the
 * tools interface (OMPT) and is measured by it; nothing is measured here, or it would count twice.
 * Context: any thread. After the first call no lock of the loader is taken, because a team's
 * workers may run while another thread holds it, in a constructor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/likely.h"

/* Calls for the next piece of a loop. Arguments: loc, thread, pointers to last, lower, upper,
 * stride; result int, 0: there is none. */
#define KMPC_DISPATCH(CALL)                                                                        \
	CALL(__kmpc_dispatch_next_4)                                                               \
	CALL(__kmpc_dispatch_next_4u)                                                              \
	CALL(__kmpc_dispatch_next_8)                                                               \
	CALL(__kmpc_dispatch_next_8u)

/* Calls of LLVM's runtime that OMPT does not report. */
#define KMPC_CALLS(CALL)                                                                           \
	KMPC_DISPATCH(CALL)                                                                        \
	CALL(__kmpc_doacross_wait)                                                                 \
	CALL(__kmpc_omp_wait_deps)                                                                 \
	CALL(__kmpc_omp_taskwait_deps_51)

/* Numbers of calls: GOMP_NUMBER_GOMP_parallel, ... */
enum gomp_number {
#define GOMP_CALL(name, ...)  GOMP_NUMBER_##name,
#define GOMP_TEAM(name, ...)  GOMP_NUMBER_##name,
#define GOMP_TASKS(name, ...) GOMP_NUMBER_##name,
#define GOMP_LOCK(name, ...)  GOMP_NUMBER_##name,
#define GOMP_LEFT(name, why)
#include "preload/openmp/gomp_calls.def"
#undef GOMP_CALL
#undef GOMP_TEAM
#undef GOMP_TASKS
#undef GOMP_LOCK
#undef GOMP_LEFT
#define KMPC_CALL(name) GOMP_NUMBER_##name,
	KMPC_CALLS(KMPC_CALL)
#undef KMPC_CALL
		GOMP_NUMBER_COUNT,
};

/* Which names a call has: a process may have a runtime for each. */
enum gomp_names { GOMP_NAMES, KMPC_NAMES, GOMP_NAMES_COUNT };

/* What is known of the word of a lock of libgomp's. */
enum gomp_word { WORD_NOT_KNOWN, WORD_IS_LOCK, WORD_IS_OTHER };

/* The lock of all sections without a name, or of all `atomic`s. */
struct gomp_hidden_lock {
	uint32_t *word;      /* NULL: not found */
	enum gomp_word kind; /* atomic */
};

struct gomp_library {
	const void *base; /* where it is loaded */
	struct gomp_library *following;
	enum gomp_names names;
	bool is_measured;
	/* for the team that the calling thread is in; never NULL */
	int (*get_num_threads)(void);
	int (*get_thread_num)(void);
	int (*get_max_threads)(void);
	struct gomp_hidden_lock *critical, *atomic;
	void *next[GOMP_NUMBER_COUNT]; /* NULL: it does not define this one */
};

/* Those that have been visible to the whole process from its start; NULL: there is none, or none
 * was called yet. */
extern struct gomp_library *gomp_of_all[GOMP_NAMES_COUNT]
	__attribute__((visibility("hidden"))); /* atomic */

/* The place of the latest call that was passed on to a runtime with the tools interface, which sees
 * our address as the caller: the caller's, or (UNWIND_EXACT) the entry of the body. */
extern __thread uint64_t gomp_passed_on_from __attribute__((visibility("hidden")));

/* The library that runs the body that the thread is in. If a body's last call is a jump, it looks
 * as if we had made the call. */
extern __thread const struct gomp_library *gomp_running __attribute__((visibility("hidden")));

const struct gomp_library *gomp_real_find(enum gomp_names names, enum gomp_number number,
					  uint64_t caller);

/* A library that has that call, which is stored in *next; NULL: there is none. caller: an address
 * in the calling code. */
static inline const struct gomp_library *
gomp_real_next(enum gomp_names names, enum gomp_number number, uint64_t caller, void **next)
{
	const struct gomp_library *library = __atomic_load_n(&gomp_of_all[names], __ATOMIC_ACQUIRE);

	*next = likely(library != NULL) ? library->next[number] : NULL;
	if (likely(*next != NULL))
		return library;
	library = gomp_real_find(names, number, caller);
	*next = library ? library->next[number] : NULL;
	return library;
}

static inline const struct gomp_library *gomp_real_of(enum gomp_names names,
						      enum gomp_number number, uint64_t caller)
{
	void *next;

	return gomp_real_next(names, number, caller, &next);
}

/* The same by the name of a call of libgomp. */
#define gomp_real(name, caller) gomp_real_of(GOMP_NAMES, GOMP_NUMBER_##name, caller)

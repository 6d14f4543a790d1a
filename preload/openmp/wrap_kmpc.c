/* SPDX-License-Identifier: MIT */
/* What LLVM's runtime does not report by OMPT: the pieces of loops that it hands out, waits for
 * iterations by number, and waits for tasks by their dependences. The region is known from OMPT;
 * without it these calls are only passed on. */
#include "preload/base/call_args.h"
#include "preload/openmp/gomp_real.h"
#include "preload/openmp/omp_loop.h"
#include "preload/process/real.h"

#define DISPATCH_NEXT(name)                                                                        \
	EXPORTED int name(WORDS_6);                                                                \
	EXPORTED int name(WORDS_6)                                                                 \
	{                                                                                          \
		void *original;                                                                    \
		const struct gomp_library *library =                                               \
			gomp_real_next(KMPC_NAMES, GOMP_NUMBER_##name, CALLER_HERE, &original);    \
		struct thread *thread = thread_current();                                          \
		struct omp_thread *omp = likely(thread) ? thread->omp : NULL;                      \
                                                                                                   \
		if (unlikely(!library))                                                            \
			return 0;                                                                  \
		int (*next)(WORDS_6) = (int (*)(WORDS_6))original;                                 \
		if (unlikely(!omp || !omp->loop || thread->is_busy))                               \
			return next(VALUES_6);                                                     \
		uint64_t start_ns = omp_piece_begin(omp);                                          \
		struct row_omp_constructs *loop = omp->loop;                                       \
		int result = next(VALUES_6);                                                       \
		if (unlikely(!omp_is_current(omp)))                                                \
			return result;                                                             \
		omp->loop = loop; /* after the last piece OMPT has reported the loop's end */      \
		omp_piece_end(omp, start_ns, result);                                              \
		if (!result)                                                                       \
			omp->loop = NULL;                                                          \
		return result;                                                                     \
	}
KMPC_DISPATCH(DISPATCH_NEXT)

/* Waits that OMPT does not report: ordered depend(sink: ...), and those for tasks on which a
 * taskwait, or a task that runs at once, depends. */
#define WAITING(name, arity, construct)                                                            \
	EXPORTED int name(WORDS_##arity);                                                          \
	EXPORTED int name(WORDS_##arity)                                                           \
	{                                                                                          \
		const struct gomp_library *library =                                               \
			gomp_real_of(KMPC_NAMES, GOMP_NUMBER_##name, CALLER_HERE);                 \
		struct thread *thread = thread_current();                                          \
		bool is_seen = thread && thread->omp && thread->omp->member;                       \
                                                                                                   \
		if (unlikely(!library))                                                            \
			return 0;                                                                  \
		int (*next)(WORDS_##arity) =                                                       \
			(int (*)(WORDS_##arity))library->next[GOMP_NUMBER_##name];                 \
		struct omp_thread *omp =                                                           \
			is_seen ? omp_wait_begin(OMP_CONSTRUCT_##construct, SITE_HERE) : NULL;     \
		int result = next(VALUES_##arity);                                                 \
		if (likely(omp != NULL))                                                           \
			omp_wait_end(omp);                                                         \
		return result;                                                                     \
	}
WAITING(__kmpc_doacross_wait, 3, DOACROSS)
WAITING(__kmpc_omp_wait_deps, 6, TASKWAIT)
WAITING(__kmpc_omp_taskwait_deps_51, 7, TASKWAIT)

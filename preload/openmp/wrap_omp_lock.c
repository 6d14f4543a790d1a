/* SPDX-License-Identifier: MIT */
/* omp_*_lock and omp_*_nest_lock, of C and of Fortran: tried first, and timed only when that fails.
 *
 * Nest locks come in two versions: today's, and that of programs of gcc before 4.4, whose locks are
 * smaller. The old ones are passed on to where they belong, unmeasured. */
#include "gomp_real.h"
#include "omp_lock.h"
#include "real.h"

typedef void lock_function(void *);
typedef int test_function(void *);

static inline struct thread *locking_thread(const void *caller)
{
	return gomp_real_need(caller) ? thread_or_adopt() : NULL;
}

#define NEXT(name) ((lock_function *)gomp_next[GOMP_NUMBER_##name])
#define TRY(name)  ((test_function *)gomp_next[GOMP_NUMBER_##name])

/* (linkage, name of the function here, name in libgomp) */
#define SET(linkage, name, original, try)                                                          \
	linkage void name(void *lock);                                                             \
	linkage void name(void *lock)                                                              \
	{                                                                                          \
		struct thread *thread = locking_thread((const void *)CALLER_HERE);                 \
                                                                                                   \
		if (likely(thread && TRY(try)(lock))) {                                            \
			activity_count(thread, lock, OP_OMP_SET_LOCK, CALLER_HERE);                \
			return;                                                                    \
		}                                                                                  \
		bool is_measured =                                                                 \
			thread && omp_lock_wait_begin(thread, OP_OMP_SET_LOCK, lock, SITE_HERE);   \
		if (likely(NEXT(original) != NULL))                                                \
			NEXT(original)(lock);                                                      \
		if (is_measured)                                                                   \
			omp_lock_wait_end(thread, OMP_CONSTRUCT_OMP_LOCK, CALLER_HERE);            \
	}

#define TEST(linkage, name, original)                                                              \
	linkage int name(void *lock);                                                              \
	linkage int name(void *lock)                                                               \
	{                                                                                          \
		struct thread *thread = locking_thread((const void *)CALLER_HERE);                 \
                                                                                                   \
		if (likely(thread != NULL))                                                        \
			activity_count(thread, lock, OP_OMP_TEST_LOCK, CALLER_HERE);               \
		return TRY(original) ? TRY(original)(lock) : 0;                                    \
	}

#define UNSET(linkage, name, original)                                                             \
	linkage void name(void *lock);                                                             \
	linkage void name(void *lock)                                                              \
	{                                                                                          \
		struct thread *thread = locking_thread((const void *)CALLER_HERE);                 \
                                                                                                   \
		if (thread && activity_is_awaited(lock))                                           \
			activity_release(thread, lock, OBJECT_OMP_LOCK, SITE_HERE);                \
		if (likely(NEXT(original) != NULL))                                                \
			NEXT(original)(lock);                                                      \
	}

static void remember(struct thread *thread, const void *lock, bool is_new, uint64_t caller)
{
	if (!thread)
		return;
	if (is_new)
		object_initialised(lock, OBJECT_OMP_LOCK, caller);
	else
		object_destroyed(lock, OBJECT_OMP_LOCK);
	tally_forget(&thread->tally, lock);
}

#define LIFE(linkage, name, original, is_new)                                                      \
	linkage void name(void *lock);                                                             \
	linkage void name(void *lock)                                                              \
	{                                                                                          \
		remember(locking_thread((const void *)CALLER_HERE), lock, is_new, CALLER_HERE);    \
		if (likely(NEXT(original) != NULL))                                                \
			NEXT(original)(lock);                                                      \
	}

#define SIMPLE(ending)                                                                             \
	SET(EXPORTED, omp_set_lock##ending, omp_set_lock##ending, omp_test_lock##ending)           \
	TEST(EXPORTED, omp_test_lock##ending, omp_test_lock##ending)                               \
	UNSET(EXPORTED, omp_unset_lock##ending, omp_unset_lock##ending)                            \
	LIFE(EXPORTED, omp_init_lock##ending, omp_init_lock##ending, true)                         \
	LIFE(EXPORTED, omp_destroy_lock##ending, omp_destroy_lock##ending, false)

SIMPLE()
SIMPLE(_)

/* ---- nest locks ---- */

#define VERSION(function, symbol, version) __asm__(".symver " #function "," #symbol version)
#define TODAY(name)                        VERSION(today_##name, name, "@@OMP_3.0");

#define NEST(ending)                                                                               \
	SET(EXPORTED, today_omp_set_nest_lock##ending, omp_set_nest_lock##ending,                  \
	    omp_test_nest_lock##ending)                                                            \
	TEST(EXPORTED, today_omp_test_nest_lock##ending, omp_test_nest_lock##ending)               \
	UNSET(EXPORTED, today_omp_unset_nest_lock##ending, omp_unset_nest_lock##ending)            \
	LIFE(EXPORTED, today_omp_init_nest_lock##ending, omp_init_nest_lock##ending, true)         \
	LIFE(EXPORTED, today_omp_destroy_nest_lock##ending, omp_destroy_nest_lock##ending, false)  \
	TODAY(omp_set_nest_lock##ending)                                                           \
	TODAY(omp_test_nest_lock##ending)                                                          \
	TODAY(omp_unset_nest_lock##ending)                                                         \
	TODAY(omp_init_nest_lock##ending)                                                          \
	TODAY(omp_destroy_nest_lock##ending)

NEST()
NEST(_)

#define OLD(result, name)                                                                  \
	EXPORTED result old_##name(void *lock);                                                    \
	EXPORTED result old_##name(void *lock)                                                     \
	{                                                                                          \
		static result (*next)(void *);                                                     \
                                                                                                   \
		gomp_real_need((const void *)CALLER_HERE);                                         \
		if (!next)                                                                         \
			next = (result(*)(void *))gomp_real_old(#name, "OMP_1.0");                 \
		return next(lock);                                                                 \
	}                                                                                          \
	VERSION(old_##name, name, "@OMP_1.0");

#define OLD_NEST(ending)                                                                           \
	OLD(void, omp_set_nest_lock##ending)                                                     \
	OLD(int, omp_test_nest_lock##ending)                                               \
	OLD(void, omp_unset_nest_lock##ending)                                                   \
	OLD(void, omp_init_nest_lock##ending)                                                    \
	OLD(void, omp_destroy_nest_lock##ending)

OLD_NEST()
OLD_NEST(_)

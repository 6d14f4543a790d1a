/* SPDX-License-Identifier: MIT */
/* omp_*_lock and omp_*_nest_lock of libgomp, of C and of Fortran: tried first, and timed only if
 * that fails.
 *
 * A release needs no wrapper, because the waiter publishes it (omp_lock.h). All wrappers have the
 * version that programs of gcc are bound to. Other programs do not reach them: those of gcc before
 * 4.4, whose nest locks are smaller, and those that were linked with LLVM's runtime, which may be
 * in the same process and makes locks that libgomp does not understand. */
#include "preload/openmp/gomp_real.h"
#include "preload/openmp/omp_lock.h"
#include "preload/process/real.h"
#include "preload/waits/activity.h"

typedef void lock_function(void *);
typedef int test_function(void *);

#define AS_OF_TODAY(name) __asm__(".symver wrap_" #name "," #name "@@OMP_3.0");

#define NEXT(name) ((lock_function *)library->next[GOMP_NUMBER_##name])
#define TRY(name)  ((test_function *)library->next[GOMP_NUMBER_##name])

/* The beginning of each wrapper: library, thread (NULL: not measured). */
#define FIND(name, missing)                                                                        \
	const struct gomp_library *library = gomp_real(name, CALLER_HERE);                         \
	if (unlikely(!library))                                                                    \
		return missing;                                                                    \
	struct thread *thread = library->is_measured ? thread_or_adopt() : NULL;                   \
	if (unlikely(!library->is_measured))                                                       \
	gomp_passed_on_from = CALLER_HERE

/* After the call: if the process was forked in it, the earlier record is gone. */
static inline void count(const void *lock, enum operation operation, uint64_t caller)
{
	struct thread *thread = thread_current();

	if (likely(thread != NULL))
		activity_count(thread, lock, operation, caller);
}

/* A try took the lock. With a nest lock, the holder may be the thread itself: then it is charged
 * for its time in two parts, which does no harm. */
static inline void taken(const void *lock, uint64_t caller)
{
	struct thread *thread = thread_current();

	if (omp_lock_is_awaited(lock) && likely(thread != NULL))
		omp_lock_overtaken(thread, lock);
	omp_lock_taken(lock, caller);
}

#define SET(name, try)                                                                             \
	EXPORTED void wrap_##name(void *lock);                                                     \
	EXPORTED void wrap_##name(void *lock)                                                      \
	{                                                                                          \
		FIND(name, );                                                                      \
		if (unlikely(!thread || !TRY(try))) {                                              \
			NEXT(name)(lock);                                                          \
			return;                                                                    \
		}                                                                                  \
		if (likely(TRY(try)(lock))) {                                                      \
			count(lock, OP_OMP_SET_LOCK, CALLER_HERE);                                 \
			taken(lock, CALLER_HERE);                                                  \
			return;                                                                    \
		}                                                                                  \
		struct omp_thread *waits = omp_lock_wait_begin(                                    \
			OMP_CONSTRUCT_OMP_LOCK, OP_OMP_SET_LOCK, lock, true, SITE_HERE);           \
		NEXT(name)(lock);                                                                  \
		if (likely(waits != NULL))                                                         \
			omp_lock_wait_end(waits, CALLER_HERE);                                     \
		else                                                                               \
			count(lock, OP_OMP_SET_LOCK, CALLER_HERE);                                 \
		omp_lock_taken(lock, CALLER_HERE);                                                 \
	}                                                                                          \
	AS_OF_TODAY(name)

#define TEST(name)                                                                                 \
	EXPORTED int wrap_##name(void *lock);                                                      \
	EXPORTED int wrap_##name(void *lock)                                                       \
	{                                                                                          \
		FIND(name, 0);                                                                     \
		int result = TRY(name)(lock);                                                      \
		if (unlikely(!thread))                                                             \
			return result;                                                             \
		count(lock, OP_OMP_TEST_LOCK, CALLER_HERE);                                        \
		if (result)                                                                        \
			taken(lock, CALLER_HERE);                                                  \
		return result;                                                                     \
	}                                                                                          \
	AS_OF_TODAY(name)

static void remember(struct thread *thread, const void *lock, bool is_new, uint64_t caller)
{
	if (is_new)
		activity_object_begins(thread, lock, OBJECT_OMP_LOCK, caller);
	else
		activity_object_ends(thread, lock, OBJECT_OMP_LOCK);
}

#define LIFE(name, is_new)                                                                         \
	EXPORTED void wrap_##name(void *lock);                                                     \
	EXPORTED void wrap_##name(void *lock)                                                      \
	{                                                                                          \
		FIND(name, );                                                                      \
		remember(thread, lock, is_new, CALLER_HERE);                                       \
		NEXT(name)(lock);                                                                  \
	}                                                                                          \
	AS_OF_TODAY(name)

#define KIND_OF_LOCK(kind, ending)                                                                 \
	SET(omp_set_##kind##ending, omp_test_##kind##ending)                                       \
	TEST(omp_test_##kind##ending)                                                              \
	LIFE(omp_init_##kind##ending, true)                                                        \
	LIFE(omp_destroy_##kind##ending, false)

KIND_OF_LOCK(lock, )
KIND_OF_LOCK(lock, _)
KIND_OF_LOCK(nest_lock, )
KIND_OF_LOCK(nest_lock, _)

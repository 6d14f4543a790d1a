/* SPDX-License-Identifier: MIT */
/* Critical sections, atomic: what is done before and after their calls. Used only by wrap_gomp.c.
 *
 * libgomp's mutex is a word that is 0 if it is free and 1 if it is taken: for a critical section
 * with a name the program's variable, for the others one of its own, which the code of its
 * functions tells. (This is so since libgomp has used futexes; the first section that is entered
 * shows it. If it is not so, the counters of omp_lock_filter.h are used.) A free one is taken here
 * as libgomp would take it: another call, and reading the word before it, would be time in which
 * other threads want the cache line. */
#pragma once

#include "preload/openmp/gomp_call.h"
#include "preload/openmp/gomp_real.h"
#include "preload/openmp/omp_lock.h"
#include "preload/waits/activity.h"

extern enum gomp_word gomp_named_word __attribute__((visibility("hidden"))); /* atomic */

/* object: what identifies the section. */
struct gomp_lock {
	const void *object;
	uint32_t *word;
	enum gomp_word *kind;
};

static inline struct gomp_lock gomp_named_lock(const void *name)
{
	return (struct gomp_lock){name, (uint32_t *)name, &gomp_named_word};
}

static inline struct gomp_lock gomp_hidden_lock(const void *object, struct gomp_hidden_lock *lock)
{
	return (struct gomp_lock){object, lock->word, &lock->kind};
}

static inline bool is_word(struct gomp_lock lock)
{
	return likely(__atomic_load_n(lock.kind, __ATOMIC_RELAXED) == WORD_IS_LOCK);
}

static inline bool take_word(uint32_t *word)
{
	uint32_t expected = 0;

	return __atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* The section was entered before it was known what the word is. */
void gomp_critical_has(struct gomp_lock lock);

static inline void leaves_critical(struct gomp_lock lock)
{
	if (unlikely(!is_word(lock)))
		omp_lock_leaves(lock.object);
}

static inline void left_critical(struct gomp_lock lock)
{
	if (unlikely(!is_word(lock)))
		omp_lock_left(lock.object);
}

/* A fork child's first use of OpenMP may be a critical section. */
void gomp_count_first(enum operation operation, const void *address, uint64_t caller);

static inline void count_critical(enum operation operation, const void *address, uint64_t caller)
{
	struct thread *thread = thread_current();

	if (likely(thread != NULL))
		activity_count(thread, address, operation, caller);
	else
		gomp_count_first(operation, address, caller);
}

/* waits: the thread, if its wait is measured; NULL: it had none, or it is not measured. */
static inline void begun_critical(struct omp_thread *waits, const void *address, uint64_t caller)
{
	if (unlikely(waits != NULL))
		omp_lock_wait_end(waits, caller);
	omp_lock_taken(address, caller);
}

/* What is known of a lock when a thread wants it. */
struct arrival {
	bool is_taken;   /* at once, by this thread */
	bool may_wait;   /* another thread may be in the way */
	bool is_sure;    /* another thread is in the way */
	bool is_counted; /* among those that want it (omp_lock_want) */
};

static inline struct arrival count_arrival(const void *object)
{
	bool is_held = omp_lock_is_held(object);

	return (struct arrival){
		.may_wait = omp_lock_want(object), .is_sure = is_held, .is_counted = true};
}

static inline struct arrival come_to(struct gomp_lock lock)
{
	if (unlikely(!is_word(lock)))
		return count_arrival(lock.object);
	bool is_taken = take_word(lock.word);

	return (struct arrival){.is_taken = is_taken, .may_wait = !is_taken, .is_sure = true};
}

/* True: the lock is taken, and there is nothing to call. A call that does not wait is counted
 * before it is made: after it the lock is held, and others would wait for the counting. */
static inline __attribute__((always_inline)) bool
begin_critical(struct gomp_call *call, struct arrival *arrival, enum omp_construct construct,
	       enum operation operation, const void *object, const struct site *site)
{
	if (unlikely(arrival->may_wait))
		call->omp =
			omp_lock_wait_begin(construct, operation, object, arrival->is_sure, site);
	if (likely(!call->omp))
		count_critical(operation, object, call->caller);
	if (arrival->is_taken)
		omp_lock_taken(object, call->caller);
	return arrival->is_taken;
}

/* is_counted: among those that want the lock. */
static inline void end_critical(const struct gomp_call *call, struct gomp_lock lock,
				bool is_counted)
{
	if (unlikely(!call->is_seen))
		return;
	begun_critical(call->omp, lock.object, call->caller);
	if (is_counted)
		gomp_critical_has(lock);
}

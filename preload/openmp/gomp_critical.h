/* SPDX-License-Identifier: MIT */
/* Critical sections, atomic: what is done before and after their calls. Used only by wrap_gomp.c.
 *
 * libgomp's mutex is a word that is 0 if it is free and 1 if it is taken, and for a critical
 * section with a name it is the program's variable. (This is so since libgomp has used futexes; the
 * first section that is entered shows it. If it is not so, the counters of omp_lock_filter.h are
 * used.) A free one is taken here as libgomp would take it: another call, and reading the word
 * before it, would be time in which other threads want the cache line. */
#pragma once

#include "preload/openmp/gomp_call.h"
#include "preload/openmp/omp_lock.h"
#include "preload/waits/activity.h"

enum gomp_word { WORD_NOT_KNOWN, WORD_IS_LOCK, WORD_IS_OTHER };

extern enum gomp_word gomp_named_word __attribute__((visibility("hidden"))); /* atomic */

static inline bool is_named_word(void)
{
	return likely(__atomic_load_n(&gomp_named_word, __ATOMIC_RELAXED) == WORD_IS_LOCK);
}

static inline bool take_named(const void *address)
{
	uint32_t *word = (uint32_t *)address, expected = 0;

	return __atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* The section was entered before it was known what the word is. */
void gomp_critical_has(const void *address);

static inline void leaves_named(const void *address)
{
	if (unlikely(!is_named_word()))
		omp_lock_leaves(address);
}

static inline void left_named(const void *address)
{
	if (unlikely(!is_named_word()))
		omp_lock_left(address);
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

static inline struct arrival come_to(const void *address)
{
	bool is_held = omp_lock_is_held(address);

	return (struct arrival){
		.may_wait = omp_lock_want(address), .is_sure = is_held, .is_counted = true};
}

static inline struct arrival come_to_named(const void *address)
{
	if (unlikely(!is_named_word()))
		return come_to(address);
	bool is_taken = take_named(address);

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
static inline void end_critical(const struct gomp_call *call, const void *object, bool is_counted,
				void (*has)(const void *object))
{
	if (unlikely(!call->is_seen))
		return;
	begun_critical(call->omp, object, call->caller);
	if (is_counted)
		has(object);
}

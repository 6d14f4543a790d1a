/* SPDX-License-Identifier: MIT */
#include "preload/openmp/gomp_critical.h"

enum gomp_word gomp_named_word;

/* Looks at the word of the first section that is entered, while the thread holds it. */
static void learn(struct gomp_lock lock)
{
	uint32_t word = __atomic_load_n(lock.word, __ATOMIC_RELAXED);
	bool is_lock = word == 1 || word == UINT32_MAX; /* taken; taken and awaited */

	__atomic_store_n(lock.kind, is_lock ? WORD_IS_LOCK : WORD_IS_OTHER, __ATOMIC_RELAXED);
}

void gomp_critical_has(struct gomp_lock lock)
{
	if (__atomic_load_n(lock.kind, __ATOMIC_RELAXED) == WORD_NOT_KNOWN)
		learn(lock);
	if (is_word(lock))
		omp_lock_left(lock.object);
	else
		omp_lock_has(lock.object);
}

void gomp_count_first(enum operation operation, const void *address, uint64_t caller)
{
	struct thread *thread = thread_or_adopt();

	if (thread)
		activity_count(thread, address, operation, caller);
}

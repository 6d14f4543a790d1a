/* SPDX-License-Identifier: MIT */
#include "preload/locks/hold_pool.h"

#include "preload/base/pages.h"

#include <stdint.h>

enum {
	CHUNK = 16,
	CHUNKS = 1024,
	CHUNK_BYTES = CHUNK * sizeof(struct holds),
};

static struct {
	void *chunks[CHUNKS]; /* mapped as they are needed */
	uint32_t next;        /* atomic: number of the first that was never used */
	uint64_t free; /* atomic: first one given back, its number + 1; above: a count of changes */
	bool is_full;
} pool;

void hold_pool_reset(void)
{
	pages_clear_parts(pool.chunks, (pool.next + CHUNK - 1) / CHUNK, CHUNK_BYTES);
	pool.next = 0;
	pool.free = 0;
	pool.is_full = false;
}

bool hold_pool_is_full(void)
{
	return pool.is_full;
}

static struct holds *holds_at(uint32_t number)
{
	struct holds *chunk = pages_have(&pool.chunks[number / CHUNK], CHUNK_BYTES);

	return chunk ? &chunk[number % CHUNK] : NULL;
}

/* One that was given back, or a new one. */
static struct holds *take_holds(void)
{
	uint64_t free = __atomic_load_n(&pool.free, __ATOMIC_ACQUIRE), next;

	while ((uint32_t)free) {
		struct holds *holds = holds_at((uint32_t)free - 1);
		next = ((free >> 32) + 1) << 32 | __atomic_load_n(&holds->next, __ATOMIC_RELAXED);
		if (__atomic_compare_exchange_n(&pool.free, &free, next, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return holds;
	}
	uint32_t number = __atomic_fetch_add(&pool.next, 1, __ATOMIC_RELAXED);
	if (number >= CHUNK * CHUNKS) {
		__atomic_store_n(&pool.next, CHUNK * CHUNKS, __ATOMIC_RELAXED);
		pool.is_full = true;
		return NULL;
	}
	struct holds *holds = holds_at(number);
	if (holds)
		holds->number = number;
	return holds;
}

void hold_pool_give_back(struct holds **where)
{
	struct holds *holds = __atomic_exchange_n(where, NULL, __ATOMIC_ACQ_REL);
	uint64_t free = __atomic_load_n(&pool.free, __ATOMIC_RELAXED), next;

	if (!holds)
		return;
	holds_clear(holds);
	do {
		__atomic_store_n(&holds->next, (uint32_t)free, __ATOMIC_RELAXED);
		next = ((free >> 32) + 1) << 32 | (holds->number + 1);
	} while (!__atomic_compare_exchange_n(&pool.free, &free, next, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
}

struct holds *hold_pool_fill(struct holds **where)
{
	struct holds *seen = NULL, *taken = take_holds();

	if (taken && !__atomic_compare_exchange_n(where, &seen, taken, false, __ATOMIC_ACQ_REL,
						  __ATOMIC_ACQUIRE)) {
		hold_pool_give_back(&taken);
		return seen;
	}
	return taken;
}

/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_request.h"

#include "preload/base/hash.h"
#include "preload/base/pages.h"
#include "preload/mpi/mpi_process.h"

#include <string.h>

enum {
	WAYS = 8,
	TABLES = 3,         /* a further one for what had no room, 8 times as large */
	BUCKETS_FIRST = 64, /* 512 requests at once; with all tables 37,376 */
	BUCKETS_SHIFT = 3,
	BUCKETS_ALL = BUCKETS_FIRST * (1 + 8 + 64),
	TRIES = 8,   /* buckets that are searched */
	CLAIMED = 1, /* no request has this handle: being written */
};

typedef struct mpi_request bucket[WAYS];

static struct {
	void *tables[TABLES]; /* mapped as they are needed */
	uint32_t newest;      /* atomic: the table that requests are added to; only grows */
	/* How many buckets further on a request of this bucket may be. Atomic: only grows, and
	 * before such a request is published. */
	uint8_t reach[BUCKETS_ALL];
} requests;

static unsigned buckets_in(unsigned table)
{
	return BUCKETS_FIRST << BUCKETS_SHIFT * table;
}

/* Of the table's first bucket. */
static uint8_t *reach_of(unsigned table)
{
	return &requests.reach[(buckets_in(table) - BUCKETS_FIRST) / ((1 << BUCKETS_SHIFT) - 1)];
}

static bool claim(struct mpi_request *slot)
{
	uint64_t free_handle = 0;

	return !__atomic_load_n(&slot->handle, __ATOMIC_RELAXED) &&
	       __atomic_compare_exchange_n(&slot->handle, &free_handle, CLAIMED, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void extend_reach(uint8_t *reach, unsigned distance)
{
	uint8_t old = __atomic_load_n(reach, __ATOMIC_RELAXED);

	while (old < distance && !__atomic_compare_exchange_n(reach, &old, (uint8_t)distance, false,
							      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* False: there is no room. */
static bool add_to(unsigned table, mpi_word handle, const struct mpi_request *request)
{
	unsigned count = buckets_in(table), first = hash_slot(handle, count);
	bucket *buckets = pages_have(&requests.tables[table], count * sizeof *buckets);

	for (unsigned try = 0; buckets && try < TRIES; try++)
		for (unsigned way = 0; way < WAYS; way++) {
			struct mpi_request *slot = &buckets[(first + try) % count][way];
			if (!claim(slot))
				continue;
			memcpy(&slot->key, &request->key, sizeof *slot - sizeof slot->handle);
			mpi_comm_hold(request->comm);
			extend_reach(&reach_of(table)[first], try);
			__atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
			return true;
		}
	return false;
}

void mpi_request_add(mpi_word handle, const struct mpi_request *request)
{
	uint32_t table = __atomic_load_n(&requests.newest, __ATOMIC_RELAXED);

	while (!add_to(table, handle, request)) {
		if (++table == TABLES) {
			mpi_process_lost_request();
			return;
		}
		uint32_t before = table - 1;
		__atomic_compare_exchange_n(&requests.newest, &before, table, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
}

static struct mpi_request *find_in(unsigned table, mpi_word handle)
{
	unsigned count = buckets_in(table), first = hash_slot(handle, count);
	bucket *buckets = pages_had(&requests.tables[table]);
	unsigned furthest = __atomic_load_n(&reach_of(table)[first], __ATOMIC_ACQUIRE);

	for (unsigned try = 0; buckets && try <= furthest; try++)
		for (unsigned way = 0; way < WAYS; way++) {
			struct mpi_request *slot = &buckets[(first + try) % count][way];
			if (__atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE) == handle)
				return slot;
		}
	return NULL;
}

struct mpi_request *mpi_request_find(mpi_word handle)
{
	struct mpi_request *found = NULL;

	if (handle <= CLAIMED)
		return NULL;
	for (unsigned i = __atomic_load_n(&requests.newest, __ATOMIC_ACQUIRE) + 1; !found && i;)
		found = find_in(--i, handle);
	return found;
}

/* Another thread may be completing an equal handle: then this thread takes the next one. */
static struct mpi_request *find_and_claim(mpi_word handle)
{
	for (;;) {
		struct mpi_request *slot = mpi_request_find(handle);
		uint64_t expected = handle;
		if (!slot || __atomic_compare_exchange_n(&slot->handle, &expected, CLAIMED, false,
							 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return slot;
	}
}

bool mpi_request_take(mpi_word handle, struct mpi_request *copy)
{
	struct mpi_request *slot = find_and_claim(handle);

	if (!slot)
		return false;
	memcpy(&copy->key, &slot->key, sizeof *copy - sizeof copy->handle);
	copy->handle = handle;
	slot->is_active = false;
	__atomic_store_n(&slot->handle, copy->is_persistent ? handle : 0, __ATOMIC_RELEASE);
	return true;
}

void mpi_request_forget(mpi_word handle)
{
	struct mpi_request *slot = find_and_claim(handle);

	if (!slot)
		return;
	mpi_comm_release(slot->comm);
	__atomic_store_n(&slot->handle, 0, __ATOMIC_RELEASE);
}

void mpi_request_reset(void)
{
	for (unsigned table = 0; table < TABLES && requests.tables[table]; table++) {
		struct mpi_request *slots = requests.tables[table];
		for (unsigned i = 0; i < buckets_in(table) * WAYS; i++)
			if (slots[i].handle)
				slots[i].handle = 0;
	}
}

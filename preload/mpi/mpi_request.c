/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_request.h"

#include "preload/base/hash.h"
#include "preload/mpi/mpi_process.h"

#include <string.h>

enum {
	WAYS = 8,
	BUCKETS = 4096, /* 32,768 requests at once; unused pages cost nothing */
	TRIES = 8,      /* buckets that are searched */
	CLAIMED = 1,    /* no request has this handle: being written */
};

static struct mpi_request requests[BUCKETS][WAYS];

/* How many buckets further on a request of this bucket may be. Atomic: only grows, and before such
 * a request is published. */
static uint8_t reach[BUCKETS];

static unsigned bucket_of(mpi_word handle)
{
	return hash_slot(handle, BUCKETS);
}

static bool claim(struct mpi_request *slot)
{
	uint64_t free_handle = 0;

	return !__atomic_load_n(&slot->handle, __ATOMIC_RELAXED) &&
	       __atomic_compare_exchange_n(&slot->handle, &free_handle, CLAIMED, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void extend_reach(unsigned bucket, unsigned distance)
{
	uint8_t old = __atomic_load_n(&reach[bucket], __ATOMIC_RELAXED);

	while (old < distance &&
	       !__atomic_compare_exchange_n(&reach[bucket], &old, (uint8_t)distance, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void mpi_request_add(mpi_word handle, const struct mpi_request *request)
{
	unsigned first = bucket_of(handle);

	for (unsigned try = 0; try < TRIES; try++)
		for (unsigned way = 0; way < WAYS; way++) {
			struct mpi_request *slot = &requests[(first + try) % BUCKETS][way];
			if (!claim(slot))
				continue;
			memcpy(&slot->key, &request->key, sizeof *slot - sizeof slot->handle);
			mpi_comm_hold(request->comm);
			extend_reach(first, try);
			__atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
			return;
		}
	mpi_process_lost_request();
}

struct mpi_request *mpi_request_find(mpi_word handle)
{
	unsigned first = bucket_of(handle);
	unsigned furthest = __atomic_load_n(&reach[first], __ATOMIC_ACQUIRE);

	if (handle <= CLAIMED)
		return NULL;
	for (unsigned try = 0; try <= furthest; try++)
		for (unsigned way = 0; way < WAYS; way++) {
			struct mpi_request *slot = &requests[(first + try) % BUCKETS][way];
			if (__atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE) == handle)
				return slot;
		}
	return NULL;
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
	for (int i = 0; i < BUCKETS; i++)
		for (int j = 0; j < WAYS; j++)
			if (requests[i][j].handle)
				requests[i][j].handle = 0;
}

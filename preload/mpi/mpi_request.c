/* SPDX-License-Identifier: MIT */
#include "mpi_request.h"

#include "mpi_process.h"

#include <string.h>

enum {
	WAYS = 8,
	BUCKETS = 4096, /* 32,768 requests at once; pages that are not used cost nothing */
	TRIES = 8,      /* buckets that are looked at */
	CLAIMED = 1,    /* a handle that is no request's: being written */
};

static struct mpi_request requests[BUCKETS][WAYS];

static unsigned bucket_of(mpi_word handle)
{
	return (unsigned)((handle * 0x9e3779b97f4a7c15u) >> 40) % BUCKETS;
}

static bool claim(struct mpi_request *slot)
{
	uint64_t free_handle = 0;

	return !__atomic_load_n(&slot->handle, __ATOMIC_RELAXED) &&
	       __atomic_compare_exchange_n(&slot->handle, &free_handle, CLAIMED, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
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
			__atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
			return;
		}
	mpi_process_lost_request();
}

struct mpi_request *mpi_request_find(mpi_word handle)
{
	unsigned first = bucket_of(handle);

	if (handle <= CLAIMED)
		return NULL;
	for (unsigned try = 0; try < TRIES; try++) {
		bool has_room = false;
		for (unsigned way = 0; way < WAYS; way++) {
			struct mpi_request *slot = &requests[(first + try) % BUCKETS][way];
			uint64_t found = __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE);
			if (found == handle)
				return slot;
			has_room |= !found;
		}
		/* a full bucket may have emptied since: then the request lies in the next one, and
		 * is found only as long as this one is full; so look at two at least */
		if (has_room && try > 0)
			return NULL;
	}
	return NULL;
}

void mpi_request_remove(struct mpi_request *request)
{
	__atomic_store_n(&request->handle, 0, __ATOMIC_RELEASE);
}

void mpi_request_reset(void)
{
	for (int i = 0; i < BUCKETS; i++)
		for (int j = 0; j < WAYS; j++)
			if (requests[i][j].handle)
				requests[i][j].handle = 0;
}

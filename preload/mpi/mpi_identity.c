/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_identity.h"

#include "preload/base/hash.h"

#include <string.h>

enum {
	AT_ONCE = 64,  /* ranks in one question */
	COUNTS = 1024, /* groups that make communicators without the parent's other members */
};

static struct {
	uint64_t key;   /* atomic; 0: free */
	uint64_t count; /* atomic */
} counts[COUNTS];

uint64_t mpi_identity_mix(uint64_t value)
{
	value = hash_product(value ^ value >> 31);
	return value ^ value >> 29;
}

uint64_t mpi_identity_phase(uint64_t identity)
{
	return identity > MPI_IDENTITY_SELF ? mpi_identity_mix(identity) : 0;
}

uint64_t mpi_identity_of(uint64_t from, uint64_t order, uint32_t leader, uint32_t members)
{
	uint64_t identity = mpi_identity_mix(mpi_identity_mix(mpi_identity_mix(from) + order) +
					     ((uint64_t)leader << 32) + members);

	return identity > MPI_IDENTITY_SELF ? identity : MPI_IDENTITY_SELF + 1;
}

bool mpi_identity_translate(mpi_word group, int32_t count, const int32_t *ranks, int32_t *world)
{
	mpi_word world_group = 0;

	if (MPI_ASK(Comm_group, mpi_abi->comm_world, &world_group))
		return false;
	int result = MPI_ASK(Group_translate_ranks, group, count, ranks, world_group, world);
	MPI_ASK(Group_free, &world_group);
	return !result;
}

static uint64_t add_members(uint64_t number, const int32_t *world, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		if (world[i] < 0)
			return 0;
		number = mpi_identity_mix(number + (uint32_t)world[i] + 1);
	}
	return number;
}

uint64_t mpi_identity_members(mpi_word group, int32_t count)
{
	int32_t ranks[AT_ONCE], world[AT_ONCE];
	uint64_t number = 1;

	for (int32_t first = 0; first < count && number; first += AT_ONCE) {
		int32_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
		for (int32_t i = 0; i < some; i++)
			ranks[i] = first + i;
		number = mpi_identity_translate(group, some, ranks, world)
				 ? add_members(number, world, some)
				 : 0;
	}
	return number;
}

uint64_t mpi_identity_count(uint64_t key)
{
	for (uint64_t i = 0; i < COUNTS; i++) {
		uint64_t at = (key + i) % COUNTS, free_key = 0;
		if (__atomic_load_n(&counts[at].key, __ATOMIC_RELAXED) == key ||
		    __atomic_compare_exchange_n(&counts[at].key, &free_key, key, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
		    free_key == key)
			return __atomic_add_fetch(&counts[at].count, 1, __ATOMIC_RELAXED);
	}
	return 0;
}

void mpi_identity_reset(void)
{
	memset(counts, 0, sizeof counts);
}

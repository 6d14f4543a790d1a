/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_family.h"

#include "preload/base/hash.h"
#include "preload/file/rows.h"

#include <string.h>

enum { SLOTS = 2 * MPI_FAMILIES }; /* a power of 2 */

static struct mpi_family families[MPI_FAMILIES];
static uint16_t slots[SLOTS]; /* atomic: number of a family; 0: free */

static struct row_array rows = {
	.table = TABLE_mpi_communicators,
	.row_bytes = sizeof(struct row_mpi_communicators),
	.rows_per_block = 16,
	.limit = MPI_FAMILIES,
	.next = 1,
};

static uint64_t hash_of(const struct mpi_origin *origin)
{
	uint64_t hash = hash_product((uint64_t)origin->birth << 32 | origin->size);

	hash = hash_product((hash ^ hash >> 31) + ((uint64_t)origin->leader << 32 | origin->rank));
	return hash ^ hash >> 29;
}

static bool is_of(const struct mpi_family *family, const struct mpi_origin *origin)
{
	const struct row_mpi_communicators *row = family->row;

	return row->birth == origin->birth && row->size == origin->size &&
	       row->leader == origin->leader && row->rank == origin->rank;
}

static struct mpi_family *make(const struct mpi_origin *origin, uint64_t identity)
{
	uint32_t number;
	struct row_mpi_communicators *row = row_array_add(&rows, &number);

	if (!row)
		return NULL;
	row->size = origin->size;
	row->stride = 1;
	row->leader = origin->leader;
	row->rank = origin->rank;
	row->birth = origin->birth;
	families[number].row = row;
	families[number].number = number;
	__atomic_store_n(&row->identity, identity, __ATOMIC_RELEASE);
	return &families[number];
}

/* If two threads make the same family at once, it has two rows. */
struct mpi_family *mpi_family_of(const struct mpi_origin *origin, uint64_t identity)
{
	uint64_t hash = hash_of(origin);
	struct mpi_family *made = NULL;

	for (uint64_t i = 0; i < SLOTS; i++) {
		uint16_t *slot = &slots[(hash + i) % SLOTS];
		uint16_t number = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
		if (!number) {
			made = made ? made : make(origin, identity);
			if (!made ||
			    __atomic_compare_exchange_n(slot, &number, (uint16_t)made->number,
							false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
				return made;
		}
		if (is_of(&families[number], origin))
			return made ? made : &families[number];
	}
	return made;
}

void mpi_family_reset(void)
{
	memset(families, 0, sizeof families);
	memset(slots, 0, sizeof slots);
	row_array_reset(&rows);
}

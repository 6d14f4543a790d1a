/* SPDX-License-Identifier: MIT */
#include "mpi_record.h"

#include "store.h"

static const uint32_t part_rows[MPI_FAMILY_PARTS] = {16, 48, MPI_RECORDS - 16 - 48};

/* Communicators that are used only a few times must not all keep their first calls. */
static bool is_kept(uint64_t identity, uint64_t sequence, uint64_t stride)
{
	uint64_t phase = identity > MPI_IDENTITY_SELF ? mpi_identity_mix(identity) : 0;

	return !((sequence + phase) & (stride - 1));
}

static struct row_mpi_collectives *row_at(struct mpi_family *family, uint32_t index)
{
	uint32_t part = 0;

	for (; index >= part_rows[part]; part++)
		index -= part_rows[part];
	if (!family->parts[part]) {
		struct format_block *block =
			store_block(TABLE_mpi_collectives, sizeof(struct row_mpi_collectives),
				    FORMAT_NO_OWNER, 0, part_rows[part]);
		family->parts[part] = block ? store_rows(block) : NULL;
	}
	return family->parts[part] ? &family->parts[part][index] : NULL;
}

/* Rows stay where they are, because other threads may be about to close theirs; a row that is open
 * stays as it is. */
static void thin(struct mpi_family *family)
{
	uint32_t stride = family->row->stride * 2;

	__atomic_store_n(&family->row->stride, stride, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < MPI_RECORDS; i++) {
		struct row_mpi_collectives *row = row_at(family, i);
		if (!row || !__atomic_load_n(&row->leave_ns, __ATOMIC_ACQUIRE) ||
		    is_kept(row->instance, row->sequence, stride))
			continue;
		row->enter_ns = 0;
		row->call = 0;
		row->communicator = 0;
	}
	family->next = 0;
}

static struct row_mpi_collectives *free_row(struct mpi_family *family)
{
	for (; family->next < MPI_RECORDS; family->next++) {
		struct row_mpi_collectives *row = row_at(family, family->next);
		if (!row)
			return NULL; /* the file is full */
		if (!row->communicator)
			return row;
	}
	return NULL;
}

static struct row_mpi_collectives *claim(struct mpi_family *family, uint64_t identity,
					 uint64_t sequence)
{
	if (__atomic_exchange_n(&family->busy, 1, __ATOMIC_ACQUIRE))
		return NULL;
	struct row_mpi_collectives *row = free_row(family);
	if (!row && family->next >= MPI_RECORDS) {
		thin(family);
		row = is_kept(identity, sequence, family->row->stride) ? free_row(family) : NULL;
	}
	if (row) {
		row->leave_ns = 0;
		row->instance = identity;
		row->sequence = sequence;
		row->communicator = family->number;
	}
	__atomic_store_n(&family->busy, 0, __ATOMIC_RELEASE);
	return row;
}

/* No atomic addition where it can be spared, it is the dearest instruction here: collective calls
 * of one communicator are never made by two threads at once (MPI-3.1, 12.4.3), those of a family
 * may be. */
static uint64_t count(struct mpi_comm *comm)
{
	uint64_t sequence = __atomic_load_n(&comm->collectives, __ATOMIC_RELAXED);

	__atomic_store_n(&comm->collectives, sequence + 1, __ATOMIC_RELAXED);
	if (!comm->family)
		return sequence;
	if (comm->is_world)
		comm->family->row->collectives = sequence + 1;
	else
		__atomic_fetch_add(&comm->family->row->collectives, 1, __ATOMIC_RELAXED);
	return sequence;
}

struct row_mpi_collectives *mpi_record_open(struct mpi_comm *comm)
{
	uint64_t sequence = count(comm);

	if (!comm->family || comm->identity == MPI_IDENTITY_NONE ||
	    !is_kept(comm->identity, sequence,
		     __atomic_load_n(&comm->family->row->stride, __ATOMIC_RELAXED)))
		return NULL;
	return claim(comm->family, comm->identity, sequence);
}

/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_record.h"

#include "preload/file/store.h"

static const uint32_t part_rows[MPI_FAMILY_PARTS] = {16, 48, MPI_RECORDS - 16 - 48};

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

/* Rows are not moved, because other threads may be about to close theirs; an open row is not
 * changed. */
static void thin(struct mpi_family *family)
{
	uint32_t stride = family->row->stride * 2;

	__atomic_store_n(&family->row->stride, stride, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < MPI_RECORDS; i++) {
		struct row_mpi_collectives *row = row_at(family, i);
		if (!row || !__atomic_load_n(&row->leave_ns, __ATOMIC_ACQUIRE) ||
		    mpi_record_is_kept(mpi_identity_phase(row->instance), row->sequence, stride))
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

struct row_mpi_collectives *mpi_record_claim(struct mpi_comm *comm, uint64_t sequence)
{
	struct mpi_family *family = comm->family;

	if (comm->identity == MPI_IDENTITY_NONE ||
	    __atomic_exchange_n(&family->busy, 1, __ATOMIC_ACQUIRE))
		return NULL;
	struct row_mpi_collectives *row = free_row(family);
	if (!row && family->next >= MPI_RECORDS) {
		thin(family);
		row = mpi_record_is_kept(comm->phase, sequence, family->row->stride)
			      ? free_row(family)
			      : NULL;
	}
	if (row) {
		row->leave_ns = 0;
		row->instance = comm->identity;
		row->sequence = sequence;
		row->communicator = family->number;
	}
	__atomic_store_n(&family->busy, 0, __ATOMIC_RELEASE);
	return row;
}

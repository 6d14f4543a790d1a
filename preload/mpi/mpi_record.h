/* SPDX-License-Identifier: MIT */
/* The record of collective calls: when this rank entered and left them. A family of communicators
 * keeps at most MPI_RECORDS of its calls; when these are full, one in two, four, ... of them. Which
 * they are follows from numbers that all members agree on, so that all members keep the same calls;
 * and it looks like chance: of ranks that are late in turn every second call would show but one.
 *
 * Context: any thread; lock-free: where two threads look for room at once, one goes without. */
#pragma once

#include "preload/mpi/mpi_comm.h"
#include "preload/mpi/mpi_identity.h"

enum { MPI_RECORDS = 256 };

static inline bool mpi_record_is_kept(uint64_t phase, uint64_t sequence, uint64_t stride)
{
	return stride == 1 || !(mpi_identity_mix(sequence + phase) & (stride - 1));
}

/* The number of a collective call that begins. No atomic addition where it can be spared, it is the
 * dearest instruction here: collective calls of one communicator are never made by two threads at
 * once (MPI-3.1, 12.4.3), those of a family may be. */
static inline uint64_t mpi_record_count(struct mpi_comm *comm)
{
	uint64_t sequence = __atomic_load_n(&comm->collectives, __ATOMIC_RELAXED);

	__atomic_store_n(&comm->collectives, sequence + 1, __ATOMIC_RELAXED);
	if (comm->is_world && comm->row)
		comm->row->collectives = sequence + 1;
	else if (comm->row)
		__atomic_fetch_add(&comm->row->collectives, 1, __ATOMIC_RELAXED);
	return sequence;
}

/* A row with communicator, instance and sequence for it, to be filled and closed with leave_ns,
 * which must not be 0. NULL: the call is not one that is kept. */
struct row_mpi_collectives *mpi_record_claim(struct mpi_comm *comm, uint64_t sequence);

static inline struct row_mpi_collectives *mpi_record_open(struct mpi_comm *comm, uint64_t sequence)
{
	if (!comm->row ||
	    !mpi_record_is_kept(comm->phase, sequence,
				__atomic_load_n(&comm->row->stride, __ATOMIC_RELAXED)))
		return NULL;
	return mpi_record_claim(comm, sequence);
}

/* SPDX-License-Identifier: MIT */
/* The record of collective calls: when this rank entered and left them. A family of communicators
 * keeps at most MPI_RECORDS of its calls; when these are full, one in two, four, ... of them. They
 * are selected by numbers on which all members agree, so all members keep the same calls; and
 * pseudo-randomly, because with every second call of ranks that are late in turn only one of them
 * would be seen.
 *
 * Context: any thread; lock-free: if two threads look for room at once, one gets none. */
#pragma once

#include "preload/mpi/mpi_comm.h"
#include "preload/mpi/mpi_identity.h"

enum { MPI_RECORDS = 256 };

static inline bool mpi_record_is_kept(uint64_t phase, uint64_t sequence, uint64_t stride)
{
	return stride == 1 || !(mpi_identity_mix(sequence + phase) & (stride - 1));
}

/* The number of a collective call that begins. No atomic addition if it can be avoided, because it
 * is the most expensive instruction here: two threads never make collective calls on one
 * communicator at once (MPI-3.1, 12.4.3), on those of a family they may. */
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

/* A row with communicator, instance and sequence, which the caller fills in and closes with
 * leave_ns, never 0. NULL: the call is not kept. */
struct row_mpi_collectives *mpi_record_claim(struct mpi_comm *comm, uint64_t sequence);

static inline struct row_mpi_collectives *mpi_record_open(struct mpi_comm *comm, uint64_t sequence)
{
	if (!comm->row ||
	    !mpi_record_is_kept(comm->phase, sequence,
				__atomic_load_n(&comm->row->stride, __ATOMIC_RELAXED)))
		return NULL;
	return mpi_record_claim(comm, sequence);
}

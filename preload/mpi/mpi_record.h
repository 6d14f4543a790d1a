/* SPDX-License-Identifier: MIT */
/* The record of collective calls: when this rank entered and left them. A family of communicators
 * keeps at most MPI_RECORDS of its calls; when these are full, those of every second, fourth, ...
 * number. Which they are follows from numbers that all members agree on, so that all members keep
 * the same calls.
 *
 * Context: any thread; lock-free: where two threads look for room at once, one goes without. */
#pragma once

#include "mpi_comm.h"

enum { MPI_RECORDS = 256 };

/* The next collective call on the communicator. A row with communicator, instance and sequence, to
 * be filled and closed with leave_ns, which must not be 0; NULL: it is not one that is kept. */
struct row_mpi_collectives *mpi_record_open(struct mpi_comm *comm);

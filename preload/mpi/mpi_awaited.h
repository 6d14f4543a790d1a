/* SPDX-License-Identifier: MIT */
/* For whom an MPI call waits, as its arguments say: kept in requests, and shown in the thread's row
 * for readers of the profile of a program that makes no progress. Context: own thread, when the
 * library is known (mpi_awaited_show: always). */
#pragma once

#include "preload/mpi/mpi_request.h"
#include "preload/mpi/mpi_state.h"

/* Of a call that sends to, or receives from, one rank; else rank is 0. */
struct mpi_awaited mpi_awaited_of(struct mpi_comm *comm, const struct mpi_call *call,
				  const mpi_word *arguments);

/* The wait for the call has begun, and is the thread's. */
void mpi_awaited_show(const struct mpi_state *state, const mpi_word *arguments);

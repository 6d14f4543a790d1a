/* SPDX-License-Identifier: MIT */
/* The one interface for MPI wrappers: a call begins, a call ends.
 *
 * What a call does with its arguments is data (mpi_call.h); here it is recorded: time by call path,
 * bytes, peers, requests, collectives. Only the outermost call counts, because libraries and
 * bindings call each other's MPI functions. Context: own thread; never changes errno. */
#pragma once

#include "preload/mpi/mpi_state.h"

/* False: not to be measured; pass the call on. May replace arguments. */
bool mpi_enter(struct mpi_state *state, enum mpi_call_number number, mpi_word *arguments,
	       const struct site *site);

void mpi_leave(struct mpi_state *state, const mpi_word *arguments, int result);

/* What a call returns if there is no MPI in this process. */
int mpi_missing(enum mpi_call_number number, const mpi_word *arguments);

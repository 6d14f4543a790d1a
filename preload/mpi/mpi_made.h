/* SPDX-License-Identifier: MIT */
/* Communicators that blocking constructors make: their origin, and how many processes were started
 * for them. Context: own thread, after the call. */
#pragma once

#include "preload/mpi/mpi_state.h"

void mpi_made_comm(const struct mpi_state *state, const mpi_word *arguments);

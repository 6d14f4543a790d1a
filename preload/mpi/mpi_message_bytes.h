/* SPDX-License-Identifier: MIT */
/* How many bytes a call sends or receives, according to its arguments. Context: own thread, after
 * the call. */
#pragma once

#include "preload/mpi/mpi_state.h"

uint64_t mpi_message_bytes(const struct mpi_state *state, const struct mpi_message_bytes *flow,
			   const mpi_word *arguments);

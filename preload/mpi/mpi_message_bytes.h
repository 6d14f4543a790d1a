/* SPDX-License-Identifier: MIT */
/* How many bytes a call's arguments stand for. Context: own thread, after the call. */
#pragma once

#include "preload/mpi/mpi_state.h"

uint64_t mpi_message_bytes(const struct mpi_state *state, const struct mpi_message_bytes *flow,
			   const mpi_word *arguments);

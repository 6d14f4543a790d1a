/* SPDX-License-Identifier: MIT */
/* How many bytes a call's arguments stand for. Context: own thread, after the call. */
#pragma once

#include "preload/mpi/mpi_state.h"

uint64_t mpi_flow_bytes(const struct mpi_state *state, const struct mpi_flow *flow,
			const mpi_word *arguments);

/* SPDX-License-Identifier: MIT */
/* Requests that end: what a wait or a test that completes them moved, and for whom it waited.
 * Context: own thread, after the call. */
#pragma once

#include "preload/mpi/mpi_call.h"
#include "preload/mpi/mpi_state.h"

/* The call succeeded, and is recorded. */
void mpi_completion_record(struct mpi_state *state, const struct mpi_call *call,
			   const mpi_word *arguments, uint64_t end_ns);

/* It failed with `result`: of several requests some may have succeeded all the same, and these are
 * recorded. */
void mpi_completion_record_rest(struct mpi_state *state, const struct mpi_call *call,
				const mpi_word *arguments, int result, uint64_t end_ns);

/* Nothing (more) is recorded of the call: forgets the requests that it ended, whose handles will be
 * reused. */
void mpi_completion_forget(const struct mpi_state *state, const struct mpi_call *call,
			   const mpi_word *arguments);

/* A request was cancelled: from then on completions ask whether it was theirs. */
void mpi_completion_watch_cancelled(void);

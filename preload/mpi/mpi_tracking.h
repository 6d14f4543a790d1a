/* SPDX-License-Identifier: MIT */
/* What follows from a successful call: bytes, messages to peers, requests that begin or end,
 * communicators, windows and types that are made and freed. Context: own thread, after the call. */
#pragma once

#include "preload/mpi/mpi_state.h"

/* Before the call: copies what it will clear, and provides statuses that the program ignores,
 * because they contain size and sender of a message. */
void mpi_tracking_prepare(struct mpi_state *state, mpi_word *arguments);

/* Before a call inside another one (from a callback), of which nothing else is recorded: forgets
 * handles that it frees, and requests that it certainly completes. */
void mpi_tracking_unseen(enum mpi_call_number number, const mpi_word *arguments);

/* What must be known even if MPI_Pcontrol has switched recording off. */
void mpi_tracking_track(const struct mpi_state *state, const mpi_word *arguments);

/* Instead of mpi_tracking_record, if the call failed or recording is switched off: forgets requests
 * that have ended, because their handles will be reused, and keeps persistent ones that were made,
 * because they may be started when recording is on. Of a wait for several requests that failed,
 * those that succeeded are recorded. */
void mpi_tracking_follow(struct mpi_state *state, const mpi_word *arguments, int result,
			 uint64_t end_ns);

/* For a call that is recorded. */
void mpi_tracking_record(struct mpi_state *state, const mpi_word *arguments, uint64_t end_ns);

/* The same for a call for which mpi_repeat_is is true. */
void mpi_tracking_repeat(struct mpi_state *state, uint64_t end_ns);

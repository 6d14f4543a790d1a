/* SPDX-License-Identifier: MIT */
/* What follows from a call that succeeded: bytes, messages to peers, requests that begin or end,
 * communicators, windows and types that come and go. Context: own thread, after the call. */
#pragma once

#include "preload/mpi/mpi_state.h"

/* Before the call: what it will clear is copied, and statuses that the program did not want get a
 * place, because the size and the sender of a message stand there. */
void mpi_tracking_prepare(struct mpi_state *state, mpi_word *arguments);

/* A call inside another one (from a callback), of which nothing else is recorded: handles that it
 * frees, and requests that it surely completes, are forgotten. Before the call. */
void mpi_tracking_unseen(enum mpi_call_number number, const mpi_word *arguments);

/* What must be known even while MPI_Pcontrol has switched recording off. */
void mpi_tracking_track(const struct mpi_state *state, const mpi_word *arguments);

/* Instead of mpi_tracking_record, when the call failed or recording is switched off: requests that
 * are gone are forgotten, because their handles will be those of others, and persistent ones that
 * were made are known, because they may be started when recording is on. */
void mpi_tracking_follow(struct mpi_state *state, const mpi_word *arguments, bool has_failed);

/* Of a call that is recorded. */
void mpi_tracking_record(struct mpi_state *state, const mpi_word *arguments, uint64_t end_ns);

/* The same for one that mpi_repeat_is true of. */
void mpi_tracking_repeat(struct mpi_state *state, uint64_t end_ns);

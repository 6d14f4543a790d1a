/* SPDX-License-Identifier: MIT */
/* A call from the same place with the same arguments as last time moves the same bytes to the same
 * rank: a comparison is 6 to 10 ns faster than determining them again (MPI_Allreduce).
 *
 * Only for calls whose bytes follow from the argument words, not from arrays, requests or
 * topologies, and that do not return what they found. Context: own thread. */
#pragma once

#include "preload/base/likely.h"
#include "preload/mpi/mpi_state.h"

static inline bool mpi_repeat_is_simple(enum mpi_shape shape)
{
	return shape <= SHAPE_EACH_MEMBER || shape == SHAPE_STATUS;
}

/* Whether calls of this kind can be remembered. */
static inline bool mpi_repeat_may(const struct mpi_call *call)
{
	return call->special == SPECIAL_NONE && call->arity <= MPI_REPEAT_WORDS && !call->window &&
	       !call->flag && mpi_repeat_is_simple(call->send.shape) &&
	       mpi_repeat_is_simple(call->receive.shape) && call->class != MPI_CLASS_SENDRECV &&
	       call->class != MPI_CLASS_PROBE;
}

static inline bool mpi_repeat_is(const struct mpi_state *state, const mpi_word *arguments)
{
	const struct mpi_repeat *repeat = &state->place->repeat;

	if (!repeat->arity || repeat->number != state->number || repeat->comm != state->comm ||
	    repeat->comm_generation != state->mpi->comm_generation ||
	    repeat->type_generation != mpi_type_generation())
		return false;
	for (unsigned i = 0; i < repeat->arity; i++)
		if (repeat->words[i] != arguments[i])
			return false;
	return true;
}

static inline void mpi_repeat_keep(const struct mpi_state *state, const mpi_word *arguments,
				   uint64_t sent, uint64_t received, struct row_mpi_peers *target)
{
	const struct mpi_call *call = &mpi_calls[state->number];
	struct mpi_repeat *repeat = &state->place->repeat;

	if (!mpi_repeat_may(call))
		return;
	repeat->number = state->number;
	repeat->arity = call->arity;
	repeat->has_status = call->receive.shape == SHAPE_STATUS && state->statuses;
	repeat->has_gaps = state->mpi->has_gaps;
	repeat->comm = state->comm;
	repeat->comm_generation = state->mpi->comm_generation;
	repeat->type_generation = mpi_type_generation();
	repeat->sent = sent;
	repeat->received = received;
	repeat->target = target;
	for (unsigned i = 0; i < call->arity; i++)
		repeat->words[i] = arguments[i];
}

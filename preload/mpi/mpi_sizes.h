/* SPDX-License-Identifier: MIT */
/* How large messages are: the column mpi_calls.sizes. What follows from the arguments is counted
 * with the call, what a status says when it has arrived, in the row of the call that posted it.
 * Messages to and from MPI_PROC_NULL are none. Measured: a repeated
 * MPI_Allreduce takes 1.5 ns more (of 105). Context: own thread, after the call. */
#pragma once

#include "preload/mpi/mpi_arguments.h"
#include "preload/mpi/mpi_request.h"
#include "preload/mpi/mpi_state.h"

enum { MPI_SIZE_BINS = 32 }; /* of the type hist32 */

static inline bool mpi_sizes_is_message(const struct mpi_call *call)
{
	return call->class == MPI_CLASS_SEND || call->class == MPI_CLASS_RECEIVE ||
	       call->class == MPI_CLASS_SENDRECV;
}

/* Is that argument, the rank of the other side, MPI_PROC_NULL? */
static inline bool mpi_sizes_is_nobody(const mpi_word *arguments, uint8_t position)
{
	return position && (int32_t)at(arguments, position) == mpi_abi->proc_null;
}

/* The bin of a size: preload/file/schema.def. */
static inline void mpi_sizes_add(struct row_mpi_calls *row, uint64_t bytes)
{
	unsigned bin = 63u - (unsigned)__builtin_clzll((bytes ? bytes - 1 : 0) | 1);

	row->sizes[bin < MPI_SIZE_BINS ? bin : MPI_SIZE_BINS - 1]++;
}

/* Of flows that follow from the arguments; a call that is no message has one size. */
static inline void mpi_sizes_add_call(struct row_mpi_calls *row, const struct mpi_call *call,
				      const mpi_word *arguments, uint64_t sent, uint64_t received)
{
	bool gives = call->send.shape && !mpi_sizes_is_nobody(arguments, call->target);
	bool gets = call->receive.shape && call->receive.shape != SHAPE_STATUS &&
		    !mpi_sizes_is_nobody(arguments,
					 mpi_sizes_is_message(call) ? call->source : call->target);

	if (!mpi_sizes_is_message(call) && (gives || gets)) {
		mpi_sizes_add(row, sent > received ? sent : received);
		return;
	}
	if (gives)
		mpi_sizes_add(row, sent);
	if (gets)
		mpi_sizes_add(row, received);
}

/* Of a persistent request that begins. */
static inline void mpi_sizes_add_started(struct row_mpi_calls *row,
					 const struct mpi_request *request)
{
	uint64_t sent = request->bytes_sent, received = request->bytes_received;

	if (request->kind == REQUEST_SEND)
		mpi_sizes_add(row, sent);
	else if (request->kind == REQUEST_PARTS)
		mpi_sizes_add(row, received);
	else if (request->kind == REQUEST_ALL)
		mpi_sizes_add(row, sent > received ? sent : received);
}

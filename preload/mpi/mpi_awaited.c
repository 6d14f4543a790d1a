/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_awaited.h"

#include "preload/mpi/mpi_arguments.h"
#include "preload/mpi/mpi_process.h"

enum { REQUESTS_SEARCHED = 16 }; /* at most, for the first one that is known */

static uint32_t rank_code(struct mpi_comm *comm, int32_t rank)
{
	if (rank == mpi_abi->any_source)
		return UINT32_MAX;
	/* -1: MPI_PROC_NULL and other ranks that are none */
	return comm && rank >= 0 ? (uint32_t)(mpi_comm_world_rank(comm, rank) + 1) : 0;
}

struct mpi_awaited mpi_awaited_of(struct mpi_comm *comm, const struct mpi_call *call,
				  const mpi_word *arguments)
{
	bool is_message = call->class == MPI_CLASS_SEND || call->class == MPI_CLASS_RECEIVE ||
			  call->class == MPI_CLASS_SENDRECV || call->class == MPI_CLASS_PROBE;
	uint8_t position = call->source ? call->source : call->target;

	if (!is_message || !position)
		return (struct mpi_awaited){0};
	/* in all of these calls the tag follows the rank */
	return (struct mpi_awaited){
		.rank = rank_code(comm, (int32_t)at(arguments, position)),
		.tag = position < call->arity ? (int32_t)at(arguments, position + 1) : 0,
	};
}

static bool is_completion(const struct mpi_call *call)
{
	return call->special >= SPECIAL_WAIT && call->special <= SPECIAL_WAITSOME;
}

/* The first of its requests that is known. */
static struct mpi_awaited awaited_of_requests(const struct mpi_state *state, uint32_t count)
{
	for (uint32_t i = 0; i < count && i < REQUESTS_SEARCHED; i++) {
		mpi_word handle = state->requests ? state->requests[i] : state->request;
		const struct mpi_request *request = mpi_request_find(handle);

		if (request && request->is_active && request->awaited.rank)
			return request->awaited;
	}
	return (struct mpi_awaited){0};
}

static uint32_t count_requests(const struct mpi_state *state, const struct mpi_call *call,
			       const mpi_word *arguments)
{
	int32_t count = call->many ? (int32_t)at(arguments, call->many) : 1;

	return count > 0 && (!call->many || state->requests) ? (uint32_t)count : 0;
}

void mpi_awaited_show(const struct mpi_state *state, const mpi_word *arguments)
{
	const struct mpi_call *call = &mpi_calls[state->number];
	struct row_threads *row = state->thread->row;
	struct mpi_awaited awaited = {0};
	uint32_t requests = 0;

	if (unlikely(!row))
		return;
	if (mpi_process_is_live && is_completion(call) && !call->flag) {
		requests = count_requests(state, call, arguments);
		awaited = awaited_of_requests(state, requests);
	} else if (mpi_process_is_live) {
		awaited = mpi_awaited_of(state->comm, call, arguments);
	}
	row->waiting_call = (uint16_t)(state->key >> 32);
	row->waiting_communicator = (uint16_t)(state->key >> 48);
	row->waiting_instance = state->comm ? state->comm->identity : 0;
	row->waiting_sequence = state->sequence;
	row->waiting_peer = awaited.rank;
	row->waiting_tag = (uint32_t)awaited.tag;
	row->waiting_requests = requests;
}

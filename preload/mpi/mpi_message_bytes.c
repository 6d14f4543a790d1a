/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_message_bytes.h"

#include "preload/mpi/mpi_process.h"

/* A count by value. */
static uint64_t count_of(const struct mpi_call *call, mpi_word word)
{
	int64_t count = call->large ? (int64_t)word : (int32_t)word;

	return count > 0 ? (uint64_t)count : 0;
}

static uint64_t count_at(const struct mpi_call *call, mpi_word array, int32_t index)
{
	int64_t count =
		call->large ? ((const int64_t *)array)[index] : ((const int32_t *)array)[index];

	return count > 0 ? (uint64_t)count : 0;
}

/* Whose entries an array has: so many, without those whose bits are set. */
struct others {
	int32_t count;
	uint64_t absent; /* of the first 64 */
};

static bool is_there(struct others others, int32_t index)
{
	return index >= 64 || !(others.absent >> index & 1);
}

static uint64_t list(const struct mpi_call *call, mpi_word array, struct others others)
{
	uint64_t sum = 0;

	for (int32_t i = 0; array && i < others.count; i++)
		sum += is_there(others, i) ? count_at(call, array, i) : 0;
	return sum;
}

/* For the w-variants, where each entry has its own type. */
static uint64_t typed(const struct mpi_state *state, const struct mpi_call *call, mpi_word counts,
		      mpi_word types, struct others others)
{
	uint64_t bytes = 0;

	for (int32_t i = 0; counts && types && i < others.count; i++) {
		uint64_t count = is_there(others, i) ? count_at(call, counts, i) : 0;
		/* the type of 0 elements may be MPI_DATATYPE_NULL */
		if (count)
			bytes += count *
				 mpi_type_bytes(state->mpi,
						mpi_handle(mpi_handle_at(types, (uint64_t)i)));
	}
	return bytes;
}

/* Whether this rank has the flow. */
static bool takes_part(const struct mpi_state *state, const struct mpi_call *call,
		       const struct mpi_message_bytes *flow, const mpi_word *arguments)
{
	const struct mpi_comm *comm = state->comm;

	if (!comm || !call->root)
		return flow->where == WHERE_ALL;
	int32_t root = (int32_t)arguments[call->root - 1];
	if (!comm->is_inter)
		return flow->where == WHERE_ALL ||
		       (root == comm->rank) == (flow->where == WHERE_ROOT);
	/* data go between the root and the other group only; there is no part of the root itself */
	return root != mpi_abi->proc_null && (root == mpi_abi->root) == (flow->where == WHERE_ROOT);
}

/* Nothing is sent to MPI_PROC_NULL, and one-sided calls get nothing from it. */
static bool goes_nowhere(const struct mpi_call *call, const struct mpi_message_bytes *flow,
			 const mpi_word *arguments)
{
	if (!call->target || (flow == &call->receive && !call->window))
		return false;
	return (int32_t)arguments[call->target - 1] == mpi_abi->proc_null;
}

static struct others neighbours(const struct mpi_state *state, const struct mpi_call *call,
				const struct mpi_message_bytes *flow)
{
	struct mpi_comm *comm = state->comm;

	if (!comm)
		return (struct others){0};
	if (comm->in_degree < 0)
		mpi_comm_degrees(comm);
	return (struct others){flow == &call->send ? comm->out_degree : comm->in_degree,
			       comm->absent};
}

/* Without those that are MPI_PROC_NULL. */
static uint64_t count_neighbours(struct others others)
{
	return (uint64_t)(others.count - __builtin_popcountll(others.absent));
}

/* Elements of one type; the caller handles shapes with several types. */
static uint64_t elements(const struct mpi_state *state, const struct mpi_call *call,
			 const struct mpi_message_bytes *flow, const mpi_word *arguments)
{
	mpi_word count = flow->count ? arguments[flow->count - 1] : 0;
	int32_t ranks = state->comm ? state->comm->peers : 0;
	int32_t members = state->comm ? state->comm->size : 0;

	switch (flow->shape) {
	case SHAPE_ONE:
		return count_of(call, count);
	case SHAPE_BLOCK:
		return 1;
	case SHAPE_EACH:
		return count_of(call, count) * (uint64_t)ranks;
	case SHAPE_EACH_MEMBER:
		return count_of(call, count) * (uint64_t)members;
	case SHAPE_LIST:
		return list(call, count, (struct others){.count = ranks});
	case SHAPE_MEMBER_LIST:
		return list(call, count, (struct others){.count = members});
	case SHAPE_MINE:
		return count && state->comm ? count_at(call, count, state->comm->rank) : 0;
	case SHAPE_EDGES:
		return count_of(call, count) * count_neighbours(neighbours(state, call, flow));
	case SHAPE_EDGE_LIST:
		return list(call, count, neighbours(state, call, flow));
	case SHAPE_PARTS: {
		int32_t parts = (int32_t)arguments[flow->extra - 1];
		/* the count of a partitioned call is MPI_Count */
		return parts > 0 && (int64_t)count > 0 ? count * (uint64_t)parts : 0;
	}
	default:
		return 0;
	}
}

static bool is_for_neighbours(const struct mpi_call *call)
{
	return call->receive.shape >= SHAPE_EDGES && call->receive.shape <= SHAPE_EDGE_TYPED;
}

uint64_t mpi_message_bytes(const struct mpi_state *state, const struct mpi_message_bytes *flow,
			   const mpi_word *arguments)
{
	const struct mpi_call *call = &mpi_calls[state->number];

	if (flow->shape == SHAPE_NONE || flow->shape == SHAPE_STATUS || !mpi_process_is_live)
		return 0;
	if (flow->buffer && arguments[flow->buffer - 1] == mpi_abi->in_place)
		return 0;
	if (!takes_part(state, call, flow, arguments) || goes_nowhere(call, flow, arguments))
		return 0;
	if (flow->shape == SHAPE_ONE && is_for_neighbours(call) &&
	    !count_neighbours(neighbours(state, call, flow)))
		return 0;
	mpi_word type = arguments[flow->type - 1];
	if (flow->shape == SHAPE_TYPED)
		return typed(state, call, arguments[flow->count - 1], type,
			     (struct others){.count = state->comm ? state->comm->peers : 0});
	if (flow->shape == SHAPE_EDGE_TYPED)
		return typed(state, call, arguments[flow->count - 1], type,
			     neighbours(state, call, flow));
	uint64_t count = elements(state, call, flow, arguments);
	return count ? count * mpi_type_bytes(state->mpi, mpi_handle(type)) : 0;
}

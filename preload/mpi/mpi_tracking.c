/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_tracking.h"

#include "preload/mpi/mpi_arguments.h"
#include "preload/mpi/mpi_awaited.h"
#include "preload/mpi/mpi_completion.h"
#include "preload/mpi/mpi_message_bytes.h"
#include "preload/mpi/mpi_made.h"
#include "preload/mpi/mpi_peers.h"
#include "preload/mpi/mpi_process.h"
#include "preload/mpi/mpi_repeat.h"
#include "preload/mpi/mpi_request.h"
#include "preload/mpi/mpi_sizes.h"
#include "preload/mpi/mpi_window.h"

/* ---- before the call ---- */

static void prepare_status(struct mpi_state *state, mpi_word *arguments, uint8_t position)
{
	mpi_word *status = &arguments[position - 1];

	if (*status == mpi_abi->status_ignore)
		*status = (mpi_word)state->status;
	state->statuses = (void *)*status;
}

static void prepare_many(struct mpi_state *state, const struct mpi_call *call, mpi_word *arguments)
{
	int32_t count = (int32_t)at(arguments, call->many);
	bool is_ignored =
		call->statuses && at(arguments, call->statuses) == mpi_abi->statuses_ignore;

	if (count <= 0 || !at(arguments, call->request))
		return;
	size_t room = (size_t)count * (sizeof(mpi_word) + (is_ignored ? MPI_STATUS_ROOM : 0));
	state->requests = mpi_thread_scratch(state->mpi, room);
	if (!state->requests)
		return;
	for (int32_t i = 0; i < count; i++)
		state->requests[i] = mpi_handle_at(at(arguments, call->request), (uint64_t)i);
	if (!call->statuses)
		return;
	if (is_ignored)
		arguments[call->statuses - 1] = (mpi_word)(state->requests + count);
	state->statuses = (void *)at(arguments, call->statuses);
}

/* A test or a probe in vain. */
static bool found_nothing(const struct mpi_call *call, const mpi_word *arguments)
{
	return call->flag && !int_behind(arguments, call->flag);
}

/* A matched probe stores the communicator, which the receive does not name. Messages are kept among
 * requests; their handles are distinguished by a bit that no handle has. */
enum { MESSAGE_SHIFT = 62 };

static mpi_word message_handle(mpi_word handle)
{
	return handle | UINT64_C(1) << MESSAGE_SHIFT;
}

static void take_message(struct mpi_state *state, mpi_word handle)
{
	struct mpi_request probe;

	if (!mpi_request_take(message_handle(handle), &probe))
		return;
	state->comm = probe.comm;
	mpi_comm_release(probe.comm);
}

static void keep_message(const struct mpi_state *state, const struct mpi_call *call,
			 const mpi_word *arguments)
{
	struct mpi_request probe = {.comm = state->comm, .peer = -1, .kind = REQUEST_OTHER};

	if (!found_nothing(call, arguments))
		mpi_request_add(message_handle(handle_behind(arguments, call->message)), &probe);
}

/* What the call frees is forgotten before the library can return the handle to another thread. If
 * the call fails, it is made again at its next use. */
static void forget_freed(const struct mpi_call *call, const mpi_word *arguments)
{
	switch (call->special) {
	case SPECIAL_COMM_FREE:
		mpi_comm_freed(handle_behind(arguments, call->comm));
		break;
	case SPECIAL_TYPE_FREE:
		mpi_type_freed();
		break;
	case SPECIAL_WINDOW_FREE:
		mpi_window_freed(handle_behind(arguments, 1));
		break;
	default:
		break;
	}
}

void mpi_tracking_prepare(struct mpi_state *state, mpi_word *arguments)
{
	const struct mpi_call *call = &mpi_calls[state->number];

	if (call->status)
		prepare_status(state, arguments, call->status);
	if (call->many)
		prepare_many(state, call, arguments);
	else if (call->special == SPECIAL_WAIT || call->special == SPECIAL_REQUEST_FREE ||
		 call->special == SPECIAL_START)
		state->request = handle_behind(arguments, call->request);
	if (call->message && call->class == MPI_CLASS_RECEIVE)
		take_message(state, handle_behind(arguments, call->message));
	forget_freed(call, arguments);
}

static void end_unseen(mpi_word handle)
{
	struct mpi_request request;

	if (mpi_request_take(handle, &request) && !request.is_persistent)
		mpi_comm_release(request.comm);
}

void mpi_tracking_unseen(enum mpi_call_number number, const mpi_word *arguments)
{
	const struct mpi_call *call = &mpi_calls[number];

	forget_freed(call, arguments);
	if (call->special == SPECIAL_REQUEST_FREE)
		mpi_request_forget(handle_behind(arguments, call->request));
	else if (number == MPI_CALL_Wait)
		end_unseen(handle_behind(arguments, call->request));
	for (int32_t i = 0; number == MPI_CALL_Waitall && i < (int32_t)at(arguments, call->many);
	     i++)
		end_unseen(mpi_handle_at(at(arguments, call->request), (uint64_t)i));
}

/* ---- what is tracked in any case ---- */

void mpi_tracking_track(const struct mpi_state *state, const mpi_word *arguments)
{
	const struct mpi_call *call = &mpi_calls[state->number];

	if (call->special == SPECIAL_COMM_NEW)
		mpi_made_comm(state, arguments);
	else if (call->special == SPECIAL_WINDOW_NEW)
		mpi_window_made(handle_behind(arguments, call->made), state->comm);
	if (state->number == MPI_CALL_Cancel)
		mpi_completion_watch_cancelled();
	if (call->message && call->class == MPI_CLASS_PROBE)
		keep_message(state, call, arguments);
}

/* ---- messages ---- */

static struct row_mpi_peers *peer_row(const struct mpi_state *state, int32_t rank)
{
	return mpi_peers_row(state->mpi, rank);
}

static int32_t target_of(const struct mpi_state *state, const struct mpi_call *call,
			 const mpi_word *arguments)
{
	return call->target ? mpi_comm_world_rank(state->comm, (int32_t)at(arguments, call->target))
			    : -1;
}

/* A blocking receive, or a read from a file. */
static void record_status(struct mpi_state *state, const struct mpi_call *call, uint64_t end_ns)
{
	uint64_t bytes = mpi_status_bytes(state->statuses);

	state->row->bytes_received += bytes;
	if (!mpi_sizes_is_message(call)) {
		mpi_sizes_add(state->row, bytes);
		return;
	}
	int32_t source = mpi_status_source(state->statuses);

	if (source != mpi_abi->proc_null)
		mpi_sizes_add(state->row, bytes);
	mpi_peers_add_received(peer_row(state, mpi_comm_world_rank(state->comm, source)), bytes,
			       end_ns - state->start_ns);
}

/* ---- requests ---- */

static enum mpi_request_kind kind_of(const struct mpi_call *call, const mpi_word *arguments)
{
	if (call->made)
		return REQUEST_COMM;
	if (call->class == MPI_CLASS_SENDRECV)
		return REQUEST_OTHER;
	/* MPICH does not write the status of a receive from MPI_PROC_NULL */
	if (mpi_sizes_is_nobody(arguments, call->source) ||
	    (call->class == MPI_CLASS_SEND && mpi_sizes_is_nobody(arguments, call->target)))
		return REQUEST_NOBODY;
	if (call->receive.shape == SHAPE_PARTS)
		return REQUEST_PARTS;
	if (call->receive.shape == SHAPE_STATUS)
		return call->class == MPI_CLASS_FILE ? REQUEST_READ : REQUEST_RECEIVE;
	if (call->class == MPI_CLASS_SEND)
		return REQUEST_SEND;
	return call->send.shape || call->receive.shape ? REQUEST_ALL : REQUEST_OTHER;
}

static void record_request(struct mpi_state *state, const struct mpi_call *call,
			   const mpi_word *arguments, uint64_t sent, uint64_t received,
			   uint64_t end_ns)
{
	bool is_persistent = call->special == SPECIAL_PERSISTENT;
	struct mpi_request request = {
		.key = state->key,
		.posted_ns = end_ns,
		.peer = target_of(state, call, arguments),
		.awaited = mpi_awaited_of(state->comm, call, arguments),
		.kind = (uint8_t)kind_of(call, arguments),
		.is_persistent = is_persistent,
		.is_active = !is_persistent,
	};

	if (request.kind == REQUEST_PARTS)
		request.peer =
			mpi_comm_world_rank(state->comm, (int32_t)at(arguments, call->source));
	else if (request.kind == REQUEST_RECEIVE)
		request.comm = state->comm;
	if (request.kind == REQUEST_COMM) {
		request.made = at(arguments, call->made);
		request.comm = state->comm;
		request.order = mpi_comm_descent(state->comm).order;
	}
	if (is_persistent) {
		request.bytes_sent = sent;
		request.bytes_received = received;
	}
	mpi_request_add(handle_behind(arguments, call->request), &request);
}

static void record_start(struct mpi_state *state, mpi_word handle, uint64_t end_ns)
{
	struct mpi_request *request = mpi_request_find(handle);
	struct row_mpi_calls *row = request ? mpi_call_row(state->mpi, request->key) : NULL;

	if (!row)
		return;
	request->is_active = true;
	request->posted_ns = end_ns;
	row->bytes_sent += request->bytes_sent;
	row->bytes_received += request->bytes_received;
	mpi_sizes_add_started(row, request);
	if (request->kind == REQUEST_SEND)
		mpi_peers_add_sent(peer_row(state, request->peer), request->bytes_sent);
	else if (request->kind == REQUEST_PARTS)
		mpi_peers_add_received(peer_row(state, request->peer), request->bytes_received, 0);
}

static void record_special(struct mpi_state *state, const struct mpi_call *call,
			   const mpi_word *arguments, uint64_t end_ns)
{
	switch (call->special) {
	case SPECIAL_START:
		record_start(state, state->request, end_ns);
		break;
	case SPECIAL_STARTALL:
		for (int32_t i = 0; state->requests && i < (int32_t)at(arguments, call->many); i++)
			record_start(state, state->requests[i], end_ns);
		break;
	case SPECIAL_WAIT:
	case SPECIAL_WAITALL:
	case SPECIAL_WAITANY:
	case SPECIAL_WAITSOME:
		mpi_completion_record(state, call, arguments, end_ns);
		break;
	case SPECIAL_REQUEST_FREE:
		mpi_request_forget(state->request);
		break;
	default:
		break;
	}
}

/* Bytes and messages that follow from the arguments, and are not counted by MPI_Start. */
static void record_flows(struct mpi_state *state, const struct mpi_call *call,
			 const mpi_word *arguments, uint64_t sent, uint64_t received)
{
	struct row_mpi_peers *target = NULL;

	state->row->bytes_sent += sent;
	state->row->bytes_received += received;
	mpi_sizes_add_call(state->row, call, arguments, sent, received);
	if (call->target && call->send.shape) {
		target = peer_row(state, target_of(state, call, arguments));
		mpi_peers_add_sent(target, sent);
	}
	if (call->class == MPI_CLASS_SENDRECV && call->receive.shape == SHAPE_ONE)
		mpi_peers_add_received(
			peer_row(state, mpi_comm_world_rank(state->comm,
							    (int32_t)at(arguments, call->source))),
			received, 0);
	if (call->window && call->receive.shape)
		mpi_peers_add_received(peer_row(state, target_of(state, call, arguments)), received,
				       0);
	mpi_repeat_keep(state, arguments, sent, received, target);
}

/* How much it is to be tells the status; its type is looked at for gaps alone. */
static void look_at_received(const struct mpi_state *state, const struct mpi_call *call,
			     const mpi_word *arguments)
{
	unsigned type = call->receive.type;

	if (call->receive.shape != SHAPE_STATUS || !type ||
	    mpi_sizes_is_nobody(arguments, call->source))
		return;
	/* the type of 0 elements may be MPI_DATATYPE_NULL */
	mpi_word count = arguments[type - 2];
	if (call->large ? (int64_t)count > 0 : (int32_t)count > 0)
		mpi_type_bytes(state->mpi, mpi_handle(arguments[type - 1]));
}

void mpi_tracking_record(struct mpi_state *state, const mpi_word *arguments, uint64_t end_ns)
{
	const struct mpi_call *call = &mpi_calls[state->number];
	state->mpi->has_gaps = false;
	uint64_t sent = mpi_message_bytes(state, &call->send, arguments);
	uint64_t received = mpi_message_bytes(state, &call->receive, arguments);
	bool is_deferred = call->special == SPECIAL_PERSISTENT;

	if (mpi_sizes_is_nobody(arguments, call->source))
		received = 0;
	if (found_nothing(call, arguments)) {
		state->row->vain++;
		state->row->vain_ns += end_ns - state->start_ns;
	}
	look_at_received(state, call, arguments);
	state->row->gapped += state->mpi->has_gaps;
	if (!is_deferred)
		record_flows(state, call, arguments, sent, received);
	if (call->special == SPECIAL_REQUEST || is_deferred)
		record_request(state, call, arguments, sent, received, end_ns);
	else if (call->receive.shape == SHAPE_STATUS && state->statuses)
		record_status(state, call, end_ns);
	record_special(state, call, arguments, end_ns);
}

void mpi_tracking_repeat(struct mpi_state *state, uint64_t end_ns)
{
	const struct mpi_repeat *repeat = &state->place->repeat;

	state->row->bytes_sent += repeat->sent;
	state->row->bytes_received += repeat->received;
	state->row->gapped += repeat->has_gaps;
	mpi_sizes_add_call(state->row, &mpi_calls[repeat->number], repeat->words, repeat->sent,
			   repeat->received);
	mpi_peers_add_sent(repeat->target, repeat->sent);
	if (repeat->has_status)
		record_status(state, &mpi_calls[state->number], end_ns);
}

/* ---- a call that is not recorded ---- */

void mpi_tracking_follow(struct mpi_state *state, const mpi_word *arguments, int result,
			 uint64_t end_ns)
{
	const struct mpi_call *call = &mpi_calls[state->number];
	bool is_recorded = state->row && !mpi_process_is_paused;

	switch (call->special) {
	case SPECIAL_WAIT:
	case SPECIAL_WAITALL:
	case SPECIAL_WAITANY:
	case SPECIAL_WAITSOME:
		if (result && is_recorded)
			mpi_completion_record_rest(state, call, arguments, result, end_ns);
		mpi_completion_forget(state, call, arguments);
		break;
	case SPECIAL_REQUEST_FREE:
		mpi_completion_forget(state, call, arguments);
		break;
	case SPECIAL_PERSISTENT:
		if (!result)
			record_request(state, call, arguments,
				       mpi_message_bytes(state, &call->send, arguments),
				       mpi_message_bytes(state, &call->receive, arguments), 0);
		break;
	default:
		break;
	}
}

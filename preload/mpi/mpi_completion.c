/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_completion.h"

#include "preload/mpi/mpi_arguments.h"
#include "preload/mpi/mpi_peers.h"
#include "preload/mpi/mpi_request.h"
#include "preload/mpi/mpi_sizes.h"

static bool has_cancelled;

void mpi_completion_watch_cancelled(void)
{
	has_cancelled = true;
}

static bool was_cancelled(const void *status)
{
	int32_t flag = 0;

	return has_cancelled && !MPI_ASK(Test_cancelled, status, &flag) && flag;
}

static uint64_t call_ns(const struct mpi_state *state, uint64_t end_ns)
{
	return end_ns - state->start_ns;
}

/* ---- for whom it waited ---- */

enum { NOBODY = -1, SEVERAL = -2 };

/* Of a call that completes requests. When each of several messages came is not known: the call
 * waited for a rank only if all that it completed was with that rank. */
struct waited_for {
	int32_t rank;                 /* in the job, or one of the above */
	struct row_mpi_peers *sender; /* NULL: no message was received */
};

static void wait_for(struct waited_for *waited, int32_t rank)
{
	waited->rank = waited->rank == NOBODY || waited->rank == rank ? rank : SEVERAL;
}

static void charge(const struct waited_for *waited, uint64_t ns)
{
	if (waited->rank >= 0 && waited->sender)
		waited->sender->wait_ns += ns;
}

/* ---- one request ---- */

/* Of a receive, or a read from a file. */
static void record_message(struct mpi_state *state, const struct mpi_request *request,
			   struct row_mpi_calls *row, const void *status, struct waited_for *waited)
{
	uint64_t bytes = mpi_status_bytes(status);

	row->bytes_received += bytes;
	mpi_sizes_add(row, bytes);
	if (request->kind != REQUEST_RECEIVE)
		return;
	int32_t source = mpi_comm_world_rank(request->comm, mpi_status_source(status));

	waited->sender = mpi_peers_row(state->mpi, source);
	mpi_peers_add_received(waited->sender, bytes, 0);
	wait_for(waited, source < 0 ? SEVERAL : source);
}

static void record_request(struct mpi_state *state, const struct mpi_request *request,
			   const void *status, uint64_t end_ns, struct waited_for *waited)
{
	struct row_mpi_calls *row = mpi_call_row(state->mpi, request->key);
	bool has_message = request->kind == REQUEST_RECEIVE || request->kind == REQUEST_READ;

	if (!row)
		return;
	uint64_t flight = end_ns > request->posted_ns ? end_ns - request->posted_ns : 0;
	uint64_t finish = call_ns(state, end_ns);

	row->completed++;
	row->flight_ns += flight;
	row->finish_ns += finish < flight ? finish : flight;
	if (has_message && status && !was_cancelled(status))
		record_message(state, request, row, status, waited);
	if (request->kind == REQUEST_SEND)
		wait_for(waited, request->peer < 0 ? SEVERAL : request->peer);
	else if (request->kind != REQUEST_RECEIVE && request->kind != REQUEST_NOBODY)
		wait_for(waited, SEVERAL);
}

static void make_comm(const struct mpi_state *state, const struct mpi_request *request)
{
	struct mpi_descent descent = {
		.parent = request->comm ? request->comm->identity : MPI_IDENTITY_NONE,
		.order = request->order,
	};

	mpi_comm_made(&descent, mpi_handle_at(request->made, 0), state->site->caller);
}

static void complete(struct mpi_state *state, mpi_word handle, const void *status, uint64_t end_ns,
		     struct waited_for *waited)
{
	struct mpi_request request;

	if (!mpi_request_take(handle, &request))
		return;
	if (request.is_active)
		record_request(state, &request, status, end_ns, waited);
	if (request.kind == REQUEST_COMM)
		make_comm(state, &request);
	if (!request.is_persistent)
		mpi_comm_release(request.comm);
}

/* ---- a call ---- */

static const void *status_at(const struct mpi_state *state, int32_t index)
{
	return state->statuses
		       ? (const char *)state->statuses + (size_t)index * mpi_abi->status_bytes
		       : NULL;
}

static int32_t count_of(const struct mpi_state *state, const struct mpi_call *call,
			const mpi_word *arguments)
{
	return state->requests ? (int32_t)at(arguments, call->many) : 0;
}

static void complete_all(struct mpi_state *state, int32_t count, uint64_t end_ns,
			 struct waited_for *waited)
{
	for (int32_t i = 0; i < count; i++)
		complete(state, state->requests[i], status_at(state, i), end_ns, waited);
}

static void complete_some(struct mpi_state *state, const struct mpi_call *call,
			  const mpi_word *arguments, uint64_t end_ns, struct waited_for *waited)
{
	int32_t count = count_of(state, call, arguments);
	int32_t done = int_behind(arguments, call->index);
	const int32_t *indices = (const int32_t *)at(arguments, call->index + 1);

	for (int32_t i = 0; i < done; i++)
		if (indices[i] >= 0 && indices[i] < count)
			complete(state, state->requests[indices[i]], status_at(state, i), end_ns,
				 waited);
}

void mpi_completion_record(struct mpi_state *state, const struct mpi_call *call,
			   const mpi_word *arguments, uint64_t end_ns)
{
	struct waited_for waited = {.rank = NOBODY};

	if (call->flag && !int_behind(arguments, call->flag))
		return;
	if (call->special == SPECIAL_WAIT) {
		complete(state, state->request, state->statuses, end_ns, &waited);
	} else if (!state->requests) {
		return;
	} else if (call->special == SPECIAL_WAITALL) {
		complete_all(state, count_of(state, call, arguments), end_ns, &waited);
	} else if (call->special == SPECIAL_WAITANY) {
		int32_t index = int_behind(arguments, call->index);
		if (index >= 0 && index < count_of(state, call, arguments))
			complete(state, state->requests[index], state->statuses, end_ns, &waited);
	} else {
		complete_some(state, call, arguments, end_ns, &waited);
	}
	charge(&waited, call_ns(state, end_ns));
}

/* ---- a call that failed, or is not recorded ---- */

/* The library clears the handle of a request that has ended, but not of a persistent one. */
static bool has_ended(const struct mpi_state *state, mpi_word array, int32_t index)
{
	const struct mpi_request *request;

	if (mpi_handle_at(array, (uint64_t)index) != state->requests[index])
		return true;
	request = mpi_request_find(state->requests[index]);
	return request && request->is_persistent;
}

static void complete_if_good(struct mpi_state *state, mpi_word array, int32_t index,
			     const void *status, uint64_t end_ns)
{
	struct waited_for waited = {.rank = NOBODY};

	if (mpi_status_error(status) || !has_ended(state, array, index))
		return;
	complete(state, state->requests[index], status, end_ns, &waited);
	/* so that it is not forgotten once more: others may have the same handle */
	state->requests[index] = mpi_handle_at(array, (uint64_t)index);
}

/* Each status says how its request ended, with MPI_ERR_PENDING if it did not. */
void mpi_completion_record_rest(struct mpi_state *state, const struct mpi_call *call,
				const mpi_word *arguments, int result, uint64_t end_ns)
{
	int32_t count = call->many ? count_of(state, call, arguments) : 0, class = 0;
	bool is_some = call->special == SPECIAL_WAITSOME;
	mpi_word array = at(arguments, call->request);

	if (!count || !state->statuses || MPI_ASK(Error_class, result, &class) ||
	    class != mpi_abi->error_in_status)
		return;
	int32_t done = is_some ? int_behind(arguments, call->index) : count;

	for (int32_t i = 0; i < done; i++) {
		int32_t index = is_some ? ((const int32_t *)at(arguments, call->index + 1))[i] : i;
		if (index >= 0 && index < count)
			complete_if_good(state, array, index, status_at(state, i), end_ns);
	}
}

void mpi_completion_forget(const struct mpi_state *state, const struct mpi_call *call,
			   const mpi_word *arguments)
{
	int32_t count = call->many ? count_of(state, call, arguments) : 0;
	mpi_word array = at(arguments, call->request);

	if (!call->many && mpi_handle_at(array, 0) != state->request)
		mpi_request_forget(state->request);
	for (int32_t i = 0; i < count; i++)
		if (mpi_handle_at(array, (uint64_t)i) != state->requests[i])
			mpi_request_forget(state->requests[i]);
}

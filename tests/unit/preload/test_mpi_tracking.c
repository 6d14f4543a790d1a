/* SPDX-License-Identifier: MIT */
/* What follows from calls: each case is a few calls with their arguments, as rank 0 of 4 makes
 * them, and the sums that the profile then has. */
#include "preload/mpi/mpi_tracking.h"

#include "fake_mpi.h"
#include "preload/mpi/mpi_process.h"
#include "preload/mpi/mpi_repeat.h"
#include "preload/mpi/mpi_request.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { RANKS = 4, NO_REQUEST = 0x2c000000, HALF = 0x84000000, UNDEFINED = -32766, NOBODY = -1 };

struct status {
	int32_t bytes, high, source, tag, error;
};

static struct mpi_thread *mpi;
static uint64_t clock_ns = 1000;
static const struct site nowhere;
static struct mpi_site place; /* all calls come from there */

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	fake_mpi_start(RANKS, 0);
	mpi = mpi_thread_of(calloc(1, sizeof(struct thread)));
	place = (struct mpi_site){0};
}

/* A call as mpi_call_record.c does it; `during` is what the library does. Every call lasts 10 ns,
 * and 90 pass between them. Rows have the call's number in the place of its name. */
static void call(enum mpi_call_number number, mpi_word *arguments, mpi_word comm,
		 void (*during)(mpi_word *arguments), int result)
{
	struct mpi_state state = {
		.mpi = mpi,
		.site = &nowhere,
		.place = &place,
		.number = (uint16_t)number,
		.start_ns = clock_ns,
	};

	state.comm = comm ? mpi_comm_find(comm, 0) : NULL;
	state.key = 1 | (uint64_t)number << 32;
	state.row = mpi_call_row(mpi, state.key);
	mpi_tracking_prepare(&state, arguments);
	if (during)
		during(arguments);
	if (!result && !mpi_process_is_paused)
		mpi_repeat_is(&state, arguments)
			? mpi_tracking_repeat(&state, clock_ns + 10)
			: mpi_tracking_record(&state, arguments, clock_ns + 10);
	else
		mpi_tracking_follow(&state, arguments, result, clock_ns + 10);
	if (!result)
		mpi_tracking_track(&state, arguments);
	clock_ns += 100;
}
#define CALL(name, comm, during, ...)                                                              \
	call(MPI_CALL_##name, (mpi_word[16]){__VA_ARGS__}, comm, during, 0)
#define FAIL(name, comm, during, ...)                                                              \
	call(MPI_CALL_##name, (mpi_word[16]){__VA_ARGS__}, comm, during, 15)
#define AT(variable) ((mpi_word) & (variable))

#define OF(name, column)                                                                           \
	scratch_sum(TABLE_mpi_calls, 1 | (uint64_t)MPI_CALL_##name << 32,                          \
		    offsetof(struct row_mpi_calls, column))
#define PEER(rank, column)                                                                         \
	scratch_sum(TABLE_mpi_peers, (rank) + 1, offsetof(struct row_mpi_peers, column))

/* ---- what the library does ---- */

static mpi_word next_request = 0x98000000;
static struct status message = {.bytes = 40, .source = 2};

static void post(mpi_word *request)
{
	*(uint32_t *)request = (uint32_t)next_request++;
}
static void post_7(mpi_word *a)
{
	post((mpi_word *)a[6]);
}
static void receive_7(mpi_word *a)
{
	*(struct status *)a[6] = message;
}
static void wait_one(mpi_word *a)
{
	*(uint32_t *)a[0] = NO_REQUEST;
	*(struct status *)a[1] = message;
}
static void keep_one(mpi_word *a) /* persistent */
{
	*(struct status *)a[1] = message;
}
static void test_not_yet(mpi_word *a)
{
	*(int32_t *)a[1] = 0;
}
static void test_one(mpi_word *a)
{
	*(uint32_t *)a[0] = NO_REQUEST;
	*(int32_t *)a[1] = 1;
	*(struct status *)a[2] = message;
}
static void wait_all(mpi_word *a)
{
	for (uint32_t i = 0; i < (uint32_t)a[0]; i++) {
		((uint32_t *)a[1])[i] = NO_REQUEST;
		((struct status *)a[2])[i] = message;
	}
}
static void wait_third(mpi_word *a)
{
	((uint32_t *)a[1])[2] = NO_REQUEST;
	*(int32_t *)a[2] = 2;
	*(struct status *)a[3] = message;
}
static void wait_none(mpi_word *a)
{
	*(int32_t *)a[2] = UNDEFINED;
}
static void wait_second_and_first(mpi_word *a)
{
	*(int32_t *)a[2] = 2;
	((int32_t *)a[3])[0] = 1;
	((int32_t *)a[3])[1] = 0;
	for (int i = 0; i < 2; i++) {
		((uint32_t *)a[1])[i] = NO_REQUEST;
		((struct status *)a[4])[i] = message;
	}
}
static void free_request(mpi_word *a)
{
	*(uint32_t *)a[0] = NO_REQUEST;
}
static void free_half(mpi_word *a)
{
	fake_mpi_free(HALF);
	*(uint32_t *)a[0] = FAKE_NULL;
}

/* ---- messages ---- */

START_TEST(a_send_is_a_message)
{
	prepare();
	CALL(Send, FAKE_WORLD, NULL, 0, 10, 4, 3, 0, FAKE_WORLD);
	CALL(Send, FAKE_WORLD, NULL, 0, 10, 4, (uint32_t)NOBODY, 0, FAKE_WORLD);
	ck_assert_uint_eq(OF(Send, bytes_sent), 40);
	ck_assert_uint_eq(PEER(3, messages_sent), 1);
	ck_assert_uint_eq(PEER(3, bytes_sent), 40);
	ck_assert_uint_eq(scratch_sum(TABLE_mpi_peers, 0, 8), 1);
}
END_TEST

START_TEST(a_receive_is_what_the_status_says)
{
	struct status status;

	prepare();
	CALL(Recv, FAKE_WORLD, receive_7, 0, 100, 4, (uint32_t)-2, 0, FAKE_WORLD, AT(status));
	CALL(Recv, FAKE_WORLD, receive_7, 0, 100, 4, 2, 0, FAKE_WORLD, 1); /* status ignored */
	ck_assert_uint_eq(OF(Recv, bytes_received), 80);
	ck_assert_uint_eq(PEER(2, messages_received), 2);
	ck_assert_uint_eq(PEER(2, bytes_received), 80);
	ck_assert_uint_eq(PEER(2, wait_ns), 20);
}
END_TEST

/* Also of calls that repeat themselves; and no type of nothing is looked at. */
START_TEST(types_with_gaps_are_counted)
{
	struct status status;

	prepare();
	for (int i = 0; i < 3; i++)
		CALL(Send, FAKE_WORLD, NULL, 0, 2, FAKE_COLUMN, 1, 0, FAKE_WORLD);
	CALL(Send, FAKE_WORLD, NULL, 0, 2, 8, 1, 0, FAKE_WORLD);
	CALL(Send, FAKE_WORLD, NULL, 0, 2, FAKE_QUARTER, 1, 0, FAKE_WORLD);
	ck_assert_uint_eq(OF(Send, gapped), 3);
	message = (struct status){.bytes = 40, .source = 2};
	for (int i = 0; i < 2; i++)
		CALL(Recv, FAKE_WORLD, receive_7, 0, 1, FAKE_COLUMN, 2, 0, FAKE_WORLD, AT(status));
	CALL(Recv, FAKE_WORLD, receive_7, 0, 0, FAKE_NO_TYPE, 2, 0, FAKE_WORLD, AT(status));
	ck_assert_uint_eq(OF(Recv, gapped), 2);
}
END_TEST

START_TEST(peers_are_ranks_of_the_job)
{
	prepare();
	fake_mpi_make(&(struct fake_comm){.handle = HALF, .size = 2, .ranks = {3, 0}, .rank = 1});
	CALL(Send, HALF, NULL, 0, 10, 4, 0, 0, HALF);
	ck_assert_uint_eq(PEER(3, bytes_sent), 40);
	ck_assert_uint_eq(PEER(0, bytes_sent), 0);
}
END_TEST

/* ---- requests ---- */

START_TEST(a_nonblocking_receive_counts_where_it_was_posted)
{
	uint32_t request;

	prepare();
	CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(request));
	ck_assert_uint_eq(OF(Irecv, bytes_received), 0);
	CALL(Wait, 0, wait_one, AT(request), 1);
	ck_assert_uint_eq(OF(Irecv, bytes_received), 40);
	ck_assert_uint_eq(OF(Irecv, completed), 1);
	ck_assert_uint_eq(OF(Irecv, flight_ns), 100);
	ck_assert_uint_eq(OF(Irecv, finish_ns), 10);
	ck_assert_uint_eq(PEER(2, messages_received), 1);
	ck_assert_uint_eq(PEER(2, wait_ns), 10);
	CALL(Wait, 0, wait_one, AT(request), 1); /* of the null request: nothing */
	ck_assert_uint_eq(PEER(2, messages_received), 1);
}
END_TEST

START_TEST(a_test_counts_when_it_says_so)
{
	uint32_t request;
	int32_t flag;

	prepare();
	CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(request));
	CALL(Test, 0, test_not_yet, AT(request), AT(flag), 1);
	ck_assert_uint_eq(OF(Irecv, completed), 0);
	CALL(Test, 0, test_one, AT(request), AT(flag), 1);
	ck_assert_uint_eq(OF(Irecv, completed), 1);
	ck_assert_uint_eq(OF(Irecv, flight_ns), 200);
}
END_TEST

static void found_none_of_some(mpi_word *a)
{
	*(int32_t *)a[2] = 0;
}

/* The same call again and again, of which nothing else follows, is no less a look in vain. */
START_TEST(what_looks_and_finds_nothing_is_counted_and_timed)
{
	uint32_t request;
	int32_t flag, count, indices[1];

	prepare();
	CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(request));
	for (int i = 0; i < 3; i++)
		CALL(Test, 0, test_not_yet, AT(request), AT(flag), 1);
	for (int i = 0; i < 3; i++)
		CALL(Request_get_status, 0, test_not_yet, request, AT(flag), 1);
	CALL(Testsome, 0, found_none_of_some, 1, AT(request), AT(count), AT(indices), 1);
	CALL(Test, 0, test_one, AT(request), AT(flag), 1);
	CALL(Testsome, 0, wait_none, 1, AT(request), AT(count), AT(indices), 1);
	ck_assert_uint_eq(OF(Test, vain), 3);
	ck_assert_uint_eq(OF(Test, vain_ns), 30);
	ck_assert_uint_eq(OF(Request_get_status, vain), 3);
	ck_assert_uint_eq(OF(Testsome, vain), 1);
	ck_assert_uint_eq(OF(Irecv, vain), 0);
	ck_assert_uint_eq(OF(Irecv, completed), 1);
}
END_TEST

static uint32_t requests[3];

static void post_three(void)
{
	for (int i = 0; i < 3; i++)
		CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(requests[i]));
}

START_TEST(all_any_and_some)
{
	struct status statuses[3];
	int32_t index, indices[3];

	prepare();
	post_three();
	CALL(Waitall, 0, wait_all, 3, AT(requests), AT(statuses));
	ck_assert_uint_eq(OF(Irecv, completed), 3);
	post_three();
	CALL(Waitall, 0, wait_all, 3, AT(requests), 1);
	ck_assert_uint_eq(OF(Irecv, completed), 6);
	ck_assert_uint_eq(OF(Irecv, bytes_received), 240);
	post_three();
	CALL(Waitany, 0, wait_third, 3, AT(requests), AT(index), 1);
	ck_assert_uint_eq(OF(Irecv, completed), 7);
	CALL(Waitsome, 0, wait_second_and_first, 3, AT(requests), AT(index), AT(indices), 1);
	ck_assert_uint_eq(OF(Irecv, completed), 9);
	CALL(Waitany, 0, wait_none, 3, AT(requests), AT(index), 1);
	CALL(Waitsome, 0, wait_none, 3, AT(requests), AT(index), AT(indices), 1);
	CALL(Waitall, 0, NULL, 0, 0, 1);
	ck_assert_uint_eq(OF(Irecv, completed), 9);
	ck_assert_uint_eq(PEER(2, messages_received), 9);
	ck_assert_uint_eq(PEER(2, wait_ns),
			  40); /* four calls, each for messages of that rank only */
}
END_TEST

/* From 2 and from 1. */
static void wait_all_from_two(mpi_word *a)
{
	wait_all(a);
	((struct status *)a[2])[1].source = 1;
}

START_TEST(a_wait_for_messages_of_several_ranks_is_charged_to_none)
{
	uint32_t both[2];

	prepare();
	post_three();
	CALL(Waitall, 0, wait_all_from_two, 3, AT(requests), 1);
	ck_assert_uint_eq(PEER(1, messages_received), 1);
	ck_assert_uint_eq(PEER(1, wait_ns) + PEER(2, wait_ns), 0);
	for (int32_t to = 1; to < 3; to++) { /* a send that may be what is waited for */
		CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(both[0]));
		CALL(Isend, FAKE_WORLD, post_7, 0, 10, 4, (mpi_word)to, 0, FAKE_WORLD, AT(both[1]));
		CALL(Waitall, 0, wait_all, 2, AT(both), 1);
		ck_assert_uint_eq(PEER(2, wait_ns), to == 2 ? 10 : 0);
		ck_assert_uint_eq(PEER(1, wait_ns), 0);
	}
	CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(both[0]));
	CALL(Isend, FAKE_WORLD, post_7, 0, 10, 4, (uint32_t)NOBODY, 0, FAKE_WORLD, AT(both[1]));
	CALL(Waitall, 0, wait_all, 2, AT(both), 1);
	ck_assert_uint_eq(PEER(2, wait_ns), 20);
}
END_TEST

enum { IN_STATUS = 17, TRUNCATED = 14, PENDING = 18 }; /* MPICH's */

/* The first succeeds, the second has failed, the third goes on. */
static void wait_in_part(mpi_word *a)
{
	for (int i = 0; i < 2; i++) {
		((uint32_t *)a[1])[i] = NO_REQUEST;
		((struct status *)a[2])[i] = message;
	}
	((struct status *)a[2])[1].error = TRUNCATED;
	((struct status *)a[2])[2].error = PENDING;
}
static void some_in_part(mpi_word *a)
{
	wait_second_and_first(a);
	((struct status *)a[4])[0].error = TRUNCATED; /* the second */
}

START_TEST(what_others_received_counts_when_a_wait_fails_for_some)
{
	struct status statuses[3];
	int32_t done, indices[3];

	prepare();
	post_three();
	call(MPI_CALL_Waitall, (mpi_word[16]){3, AT(requests), AT(statuses)}, 0, wait_in_part,
	     IN_STATUS);
	ck_assert_uint_eq(OF(Irecv, completed), 1);
	ck_assert_uint_eq(OF(Irecv, bytes_received), 40);
	ck_assert_uint_eq(PEER(2, messages_received), 1);
	ck_assert_uint_eq(PEER(2, wait_ns), 0);
	ck_assert_ptr_null(mpi_request_find(next_request - 2)); /* forgotten */
	ck_assert_ptr_nonnull(mpi_request_find(next_request - 1));
	CALL(Wait, 0, wait_one, AT(requests[2]), 1);
	ck_assert_uint_eq(OF(Irecv, completed), 2);
	post_three();
	call(MPI_CALL_Waitsome,
	     (mpi_word[16]){3, AT(requests), AT(done), AT(indices), AT(statuses)}, 0, some_in_part,
	     IN_STATUS);
	ck_assert_uint_eq(OF(Irecv, completed), 3);
	post_three();
	call(MPI_CALL_Waitall, (mpi_word[16]){3, AT(requests), AT(statuses)}, 0, wait_all,
	     TRUNCATED);
	ck_assert_uint_eq(OF(Irecv, completed), 3); /* statuses say nothing then */
}
END_TEST

START_TEST(each_start_of_a_persistent_send_is_a_message)
{
	uint32_t request;

	prepare();
	CALL(Send_init, FAKE_WORLD, post_7, 0, 10, 4, 3, 0, FAKE_WORLD, AT(request));
	ck_assert_uint_eq(OF(Send_init, bytes_sent), 0);
	for (int i = 0; i < 3; i++) {
		CALL(Start, 0, NULL, AT(request));
		CALL(Wait, 0, keep_one, AT(request), 1);
	}
	CALL(Wait, 0, keep_one, AT(request), 1); /* inactive: nothing */
	ck_assert_uint_eq(OF(Send_init, bytes_sent), 120);
	ck_assert_uint_eq(OF(Send_init, completed), 3);
	ck_assert_uint_eq(PEER(3, messages_sent), 3);
	CALL(Request_free, 0, free_request, AT(request));
	ck_assert_ptr_null(mpi_request_find(next_request - 1));
}
END_TEST

/* The handle comes again for another request, whose time begins anew. */
START_TEST(what_a_failed_or_unrecorded_wait_ended_is_forgotten)
{
	for (int paused = 0; paused < 2; paused++) {
		uint32_t request;
		if (!paused)
			prepare();
		CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(request));
		mpi_process_is_paused = paused;
		call(MPI_CALL_Wait, (mpi_word[16]){AT(request), 1}, 0, wait_one, paused ? 0 : 15);
		mpi_process_is_paused = false;
		ck_assert_ptr_null(mpi_request_find(next_request - 1));
		ck_assert_uint_eq(OF(Irecv, completed), 0);
	}
}
END_TEST

START_TEST(a_failed_wait_that_keeps_its_request_keeps_it)
{
	uint32_t request;

	prepare();
	CALL(Irecv, FAKE_WORLD, post_7, 0, 100, 4, 2, 0, FAKE_WORLD, AT(request));
	FAIL(Wait, 0, NULL, AT(request), 1);
	ck_assert_ptr_nonnull(mpi_request_find(next_request - 1));
	CALL(Wait, 0, wait_one, AT(request), 1);
	ck_assert_uint_eq(OF(Irecv, completed), 1);
}
END_TEST

START_TEST(persistent_requests_are_known_if_made_unrecorded)
{
	uint32_t request;

	prepare();
	mpi_process_is_paused = true;
	CALL(Send_init, FAKE_WORLD, post_7, 0, 10, 4, 3, 0, FAKE_WORLD, AT(request));
	mpi_process_is_paused = false;
	CALL(Start, 0, NULL, AT(request));
	ck_assert_uint_eq(OF(Send_init, bytes_sent), 40);
	ck_assert_uint_eq(PEER(3, messages_sent), 1);
}
END_TEST

START_TEST(a_receive_outlives_its_communicator)
{
	uint32_t request, comm = HALF;

	prepare();
	message.source = 0;
	fake_mpi_make(&(struct fake_comm){.handle = HALF, .size = 2, .ranks = {3, 0}, .rank = 1});
	CALL(Irecv, HALF, post_7, 0, 100, 4, 0, 0, HALF, AT(request));
	CALL(Comm_free, 0, free_half, AT(comm));
	fake_mpi_make(&(struct fake_comm){.handle = HALF, .size = 2, .ranks = {1, 0}, .rank = 1});
	CALL(Send, HALF, NULL, 0, 10, 4, 0, 0, HALF);
	CALL(Wait, 0, wait_one, AT(request), 1);
	ck_assert_uint_eq(PEER(3, messages_received), 1);
	ck_assert_uint_eq(PEER(1, messages_sent), 1);
	ck_assert_uint_eq(PEER(1, messages_received), 0);
}
END_TEST

/* ---- communicators that are made meanwhile ---- */

static void post_3(mpi_word *a)
{
	*(uint32_t *)a[1] = FAKE_NULL; /* comes when the request is complete */
	post((mpi_word *)a[2]);
}

static uint32_t copies[2];

static void complete_copies(mpi_word *a)
{
	for (uint32_t i = 0; i < 2; i++) {
		struct fake_comm copy = {.handle = HALF + i, .size = 4, .ranks = {0, 1, 2, 3}};
		fake_mpi_make(&copy);
		copies[i] = HALF + i;
		((uint32_t *)a[1])[i] = NO_REQUEST;
	}
}

static void make_at_once(uint32_t handle)
{
	struct mpi_comm *world = mpi_comm_find(FAKE_WORLD, 0);
	struct fake_comm copy = {.handle = handle, .size = 4, .ranks = {0, 1, 2, 3}};

	fake_mpi_make(&copy);
	struct mpi_descent descent = mpi_comm_descent(world);
	mpi_comm_made(&descent, handle, 0);
}

/* Other ranks may complete them in another order: what counts is that in which they were posted,
 * and blocking constructors in that order would give the same. */
START_TEST(copies_made_meanwhile_have_the_order_of_their_posting)
{
	uint32_t posted[2], swapped[2];

	prepare();
	for (int i = 0; i < 2; i++)
		CALL(Comm_idup, FAKE_WORLD, post_3, FAKE_WORLD, AT(copies[i]), AT(posted[i]));
	swapped[0] = posted[1];
	swapped[1] = posted[0];
	CALL(Waitall, 0, complete_copies, 2, AT(swapped), 1);
	mpi_comm_find(FAKE_WORLD, 0)->made = 0;
	make_at_once(HALF + 2);
	make_at_once(HALF + 3);
	for (uint32_t i = 0; i < 2; i++)
		ck_assert_uint_eq(mpi_comm_find(HALF + i, 0)->identity,
				  mpi_comm_find(HALF + 2 + i, 0)->identity);
	ck_assert_uint_ne(mpi_comm_find(HALF, 0)->identity, mpi_comm_find(HALF + 1, 0)->identity);
}
END_TEST

/* ---- matched probes ---- */

static void probe(mpi_word *a)
{
	*(uint32_t *)a[3] = 77;
}
static void receive_5(mpi_word *a)
{
	*(uint32_t *)a[3] = 0;
	*(struct status *)a[4] = message;
}

START_TEST(a_matched_receive_is_on_the_communicator_of_its_probe)
{
	uint32_t handle;

	prepare();
	message.source = 0;
	fake_mpi_make(&(struct fake_comm){.handle = HALF, .size = 2, .ranks = {3, 0}, .rank = 1});
	CALL(Mprobe, HALF, probe, 0, 0, HALF, AT(handle), 1);
	CALL(Mrecv, 0, receive_5, 0, 10, 4, AT(handle), 1);
	ck_assert_uint_eq(PEER(3, bytes_received), 40);
}
END_TEST

/* What is remembered of the last call must not be taken for another one's. */
START_TEST(calls_that_repeat_themselves_and_others)
{
	mpi_word word = 1;

	prepare();
	for (int i = 0; i < 3; i++)
		CALL(Send, FAKE_WORLD, NULL, AT(word), 10, 4, 1, 0, FAKE_WORLD);
	CALL(Send, FAKE_WORLD, NULL, AT(word), 11, 4, 1, 0, FAKE_WORLD);
	CALL(Send, FAKE_WORLD, NULL, AT(word), 11, 8, 1, 0, FAKE_WORLD);
	CALL(Send, FAKE_WORLD, NULL, AT(word), 11, 8, 2, 0, FAKE_WORLD);
	CALL(Ssend, FAKE_WORLD, NULL, AT(word), 11, 8, 2, 0, FAKE_WORLD);
	ck_assert_uint_eq(OF(Send, bytes_sent), 3 * 40 + 44 + 88 + 88);
	ck_assert_uint_eq(OF(Ssend, bytes_sent), 88);
	ck_assert_uint_eq(PEER(1, messages_sent), 5);
	ck_assert_uint_eq(PEER(1, bytes_sent), 3 * 40 + 44 + 88);
	ck_assert_uint_eq(PEER(2, messages_sent), 2);
	for (int i = 0; i < 2; i++)
		CALL(Recv, FAKE_WORLD, receive_7, AT(word), 10, 4, 2, 0, FAKE_WORLD, 1);
	message.bytes = 12;
	CALL(Recv, FAKE_WORLD, receive_7, AT(word), 10, 4, 2, 0, FAKE_WORLD, 1);
	message.bytes = 40;
	ck_assert_uint_eq(OF(Recv, bytes_received), 92);
	ck_assert_uint_eq(PEER(2, messages_received), 3);
	/* the handle of a freed type may come again, with another size */
	CALL(Send, FAKE_WORLD, NULL, AT(word), 10, 4, 1, 0, FAKE_WORLD);
	unsigned asked = fake_mpi_sizes_asked;
	CALL(Send, FAKE_WORLD, NULL, AT(word), 10, 4, 1, 0, FAKE_WORLD);
	ck_assert_uint_eq(fake_mpi_sizes_asked, asked);
	mpi_type_freed();
	CALL(Send, FAKE_WORLD, NULL, AT(word), 10, 4, 1, 0, FAKE_WORLD);
	ck_assert_uint_eq(fake_mpi_sizes_asked, asked + 1);
}
END_TEST

UNIT_MAIN("mpi_tracking", calls_that_repeat_themselves_and_others, a_send_is_a_message,
	  a_receive_is_what_the_status_says, types_with_gaps_are_counted,
	  peers_are_ranks_of_the_job,
	  a_nonblocking_receive_counts_where_it_was_posted, a_test_counts_when_it_says_so,
	  what_looks_and_finds_nothing_is_counted_and_timed, all_any_and_some,
	  a_wait_for_messages_of_several_ranks_is_charged_to_none,
	  what_others_received_counts_when_a_wait_fails_for_some,
	  each_start_of_a_persistent_send_is_a_message,
	  what_a_failed_or_unrecorded_wait_ended_is_forgotten,
	  a_failed_wait_that_keeps_its_request_keeps_it,
	  persistent_requests_are_known_if_made_unrecorded, a_receive_outlives_its_communicator,
	  copies_made_meanwhile_have_the_order_of_their_posting,
	  a_matched_receive_is_on_the_communicator_of_its_probe)

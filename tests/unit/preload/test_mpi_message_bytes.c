/* SPDX-License-Identifier: MIT */
/* Bytes by arguments: one row for each shape and side, against what the standard says that moves.
 */
#include "fake_mpi.h"
#include "preload/mpi/mpi_message_bytes.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum {
	RANKS = 4,
	RANK = 1,
	GROUPS = 0x84000000,
	IN_PLACE = -1,
	NOBODY = -1,
	ROOT = -3,
	WRONG = FAKE_NO_TYPE
};

static struct mpi_thread mpi;

static const int32_t counts[] = {1, 2, 3, -4, 100};
static const int64_t large_counts[] = {1, 2, INT64_C(1) << 33, 4, 100};
static const uint32_t types[] = {8, 4, 2, WRONG, WRONG};
#define COUNTS ((mpi_word)counts)
#define LARGE  ((mpi_word)large_counts)
#define TYPES  ((mpi_word)types)
#define NONE   ((mpi_word)IN_PLACE)
/* The upper half of an int's word is undefined. */
#define DIRTY(value) (UINT64_C(0xabcdef0100000000) | (uint32_t)(value))

static const struct row {
	const char *name;
	enum mpi_call_number number;
	mpi_word arguments[14];
	uint64_t sent, received;
	enum {
		ON_LINE,
		BETWEEN_GROUPS, /* 4 ranks here, 3 there */
		ON_GRID,        /* of its 4 neighbours the second and the last are none */
	} where;
} flows[] = {
	{"elements", MPI_CALL_Send, {0, 10, 4, 2, 0, FAKE_WORLD}, 40, 0, ON_LINE},
	{"half of a word",
	 MPI_CALL_Send,
	 {0, DIRTY(10), DIRTY(4), 2, 0, FAKE_WORLD},
	 40,
	 0,
	 ON_LINE},
	{"negative", MPI_CALL_Send, {0, DIRTY(-10), 4, 2, 0, FAKE_WORLD}, 0, 0, ON_LINE},
	{"large", MPI_CALL_Send_c, {0, UINT64_C(1) << 33, 4, 2}, UINT64_C(1) << 35, 0, ON_LINE},
	{"to nobody", MPI_CALL_Send, {0, 10, WRONG, DIRTY(NOBODY), 0, FAKE_WORLD}, 0, 0, ON_LINE},
	{"get from nobody", MPI_CALL_Get, {0, 10, 4, DIRTY(NOBODY), 0, 0, 0, 0}, 0, 0, ON_LINE},
	{"no elements", MPI_CALL_Send, {0, 0, WRONG, 2, 0, FAKE_WORLD}, 0, 0, ON_LINE},

	{"root of bcast", MPI_CALL_Bcast, {0, 5, 8, RANK, FAKE_WORLD}, 40, 0, ON_LINE},
	{"other of bcast", MPI_CALL_Bcast, {0, 5, 8, 3, FAKE_WORLD}, 0, 40, ON_LINE},
	{"root of gather", MPI_CALL_Gather, {0, 5, 4, 0, 5, 8, RANK, FAKE_WORLD}, 20, 160, ON_LINE},
	{"other of gather", MPI_CALL_Gather, {0, 5, 4, 0, 5, WRONG, 0, FAKE_WORLD}, 20, 0, ON_LINE},
	{"gather in place", MPI_CALL_Gather, {NONE, 5, WRONG, 0, 5, 8, RANK}, 0, 160, ON_LINE},
	{"root of gatherv", MPI_CALL_Gatherv, {0, 5, 4, 0, COUNTS, 0, 2, RANK}, 20, 12, ON_LINE},
	{"other of gatherv", MPI_CALL_Gatherv, {0, 5, 4, 0, 0, 0, WRONG, 2}, 20, 0, ON_LINE},
	{"root of scatter", MPI_CALL_Scatter, {0, 5, 4, NONE, 5, WRONG, RANK}, 80, 0, ON_LINE},
	{"other of scatter", MPI_CALL_Scatter, {0, 5, WRONG, 0, 5, 8, 0}, 0, 40, ON_LINE},
	{"root of scatterv", MPI_CALL_Scatterv, {0, COUNTS, 0, 4, 0, 2, 4, RANK}, 24, 8, ON_LINE},
	{"allgather", MPI_CALL_Allgather, {0, 5, 4, 0, 3, 8, FAKE_WORLD}, 20, 96, ON_LINE},
	{"alltoall", MPI_CALL_Alltoall, {0, 5, 4, 0, 3, 8, FAKE_WORLD}, 80, 96, ON_LINE},
	{"alltoall in place", MPI_CALL_Alltoall, {NONE, 5, WRONG, 0, 3, 8}, 0, 96, ON_LINE},
	{"alltoallv", MPI_CALL_Alltoallv, {0, COUNTS, 0, 4, 0, COUNTS, 0, 8}, 24, 48, ON_LINE},
	{"large alltoallv",
	 MPI_CALL_Alltoallv_c,
	 {0, LARGE, 0, 1, 0, LARGE, 0, 1},
	 7 + (UINT64_C(1) << 33),
	 7 + (UINT64_C(1) << 33),
	 ON_LINE},
	{"alltoallw",
	 MPI_CALL_Alltoallw,
	 {0, COUNTS, 0, TYPES, 0, COUNTS, 0, TYPES},
	 22,
	 22,
	 ON_LINE},
	{"root of reduce", MPI_CALL_Reduce, {NONE, 0, 5, 8, 0, RANK, FAKE_WORLD}, 40, 40, ON_LINE},
	{"other of reduce", MPI_CALL_Reduce, {0, 0, 5, 8, 0, 2, FAKE_WORLD}, 40, 0, ON_LINE},
	{"allreduce in place", MPI_CALL_Allreduce, {NONE, 0, 5, 8, 0, FAKE_WORLD}, 40, 40, ON_LINE},
	{"reduce_scatter",
	 MPI_CALL_Reduce_scatter,
	 {0, 0, COUNTS, 8, 0, FAKE_WORLD},
	 48,
	 16,
	 ON_LINE},
	{"its block", MPI_CALL_Reduce_scatter_block, {0, 0, 5, 8, 0, FAKE_WORLD}, 160, 40, ON_LINE},
	{"one element", MPI_CALL_Fetch_and_op, {0, 0, 8, 2, 0, 0, 0}, 8, 8, ON_LINE},
	{"partitions", MPI_CALL_Psend_init, {0, DIRTY(3), 7, 8, 2, 0, FAKE_WORLD}, 168, 0, ON_LINE},
	{"neighbours",
	 MPI_CALL_Neighbor_alltoall,
	 {0, 5, 4, 0, 5, 8, FAKE_WORLD},
	 40,
	 120,
	 ON_LINE},
	{"their list",
	 MPI_CALL_Neighbor_alltoallv,
	 {0, COUNTS, 0, 4, 0, COUNTS, 0, 8},
	 12,
	 48,
	 ON_LINE},
	{"their types",
	 MPI_CALL_Neighbor_alltoallw,
	 {0, COUNTS, 0, TYPES, 0, COUNTS, 0, TYPES},
	 16,
	 22,
	 ON_LINE},
	{"no flow", MPI_CALL_Barrier, {FAKE_WORLD}, 0, 0, ON_LINE},
	{"at an end", MPI_CALL_Neighbor_alltoall, {0, 5, 4, 0, 5, 8}, 40, 80, ON_GRID},
	{"at an end: same", MPI_CALL_Neighbor_allgather, {0, 5, 4, 0, 5, 8}, 20, 80, ON_GRID},
	{"at an end: lists",
	 MPI_CALL_Neighbor_alltoallv,
	 {0, COUNTS, 0, 4, 0, COUNTS, 0, 8},
	 16,
	 32,
	 ON_GRID},
	{"at an end: lists and types",
	 MPI_CALL_Neighbor_alltoallw,
	 {0, COUNTS, 0, TYPES, 0, COUNTS, 0, TYPES},
	 14,
	 14,
	 ON_GRID},
	{"as the status says", MPI_CALL_Recv, {0, 10, 8, 2, 0, FAKE_WORLD, 1}, 0, 0, ON_LINE},

	{"groups: gathers",
	 MPI_CALL_Gather,
	 {0, 5, WRONG, 0, 5, 8, DIRTY(ROOT), GROUPS},
	 0,
	 120,
	 BETWEEN_GROUPS},
	{"groups: gives",
	 MPI_CALL_Gather,
	 {0, 5, 4, 0, 5, WRONG, RANK, GROUPS},
	 20,
	 0,
	 BETWEEN_GROUPS},
	{"groups: idle",
	 MPI_CALL_Gather,
	 {0, 5, WRONG, 0, 5, WRONG, DIRTY(NOBODY)},
	 0,
	 0,
	 BETWEEN_GROUPS},
	{"groups: scatters",
	 MPI_CALL_Scatter,
	 {0, 5, 4, 0, 5, WRONG, DIRTY(ROOT)},
	 60,
	 0,
	 BETWEEN_GROUPS},
	{"groups: gets",
	 MPI_CALL_Scatter,
	 {0, 5, WRONG, 0, 5, 8, 0, GROUPS},
	 0,
	 40,
	 BETWEEN_GROUPS},
	{"groups: sends", MPI_CALL_Bcast, {0, 5, 8, DIRTY(ROOT), GROUPS}, 40, 0, BETWEEN_GROUPS},
	{"groups: all", MPI_CALL_Allgather, {0, 5, 4, 0, 3, 8, GROUPS}, 20, 72, BETWEEN_GROUPS},
};

static struct mpi_comm *comm_of(const struct row *row)
{
	static struct mpi_comm groups = {.size = RANKS, .rank = RANK, .peers = 3, .is_inter = true};
	static struct mpi_comm line = {
		.size = RANKS, .rank = RANK, .peers = RANKS, .in_degree = 3, .out_degree = 2};
	static struct mpi_comm grid = {.size = RANKS,
				       .rank = RANK,
				       .peers = RANKS,
				       .in_degree = 4,
				       .out_degree = 4,
				       .absent = 1 << 1 | 1 << 3};

	if (row->where == ON_GRID)
		return &grid;
	return row->where == BETWEEN_GROUPS ? &groups : &line;
}

START_TEST(bytes_are_what_the_arguments_say)
{
	fake_mpi_start(RANKS, RANK);
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
		const struct row *row = &flows[i];
		const struct mpi_call *call = &mpi_calls[row->number];
		struct mpi_state state = {
			.mpi = &mpi, .comm = comm_of(row), .number = (uint16_t)row->number};
		uint64_t sent = mpi_message_bytes(&state, &call->send, row->arguments);
		uint64_t received = mpi_message_bytes(&state, &call->receive, row->arguments);
		ck_assert_msg(sent == row->sent, "%s: %lu bytes sent, expected %lu", row->name,
			      sent, row->sent);
		ck_assert_msg(received == row->received, "%s: %lu bytes received, expected %lu",
			      row->name, received, row->received);
	}
}
END_TEST

/* A null type ends the job when it is asked about, and may stand where nothing moves. */
START_TEST(types_are_asked_about_only_where_data_move)
{
	fake_mpi_start(RANKS, RANK);
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
		const struct row *row = &flows[i];
		const struct mpi_call *call = &mpi_calls[row->number];
		struct mpi_state state = {
			.mpi = &mpi, .comm = comm_of(row), .number = (uint16_t)row->number};
		mpi_type_freed(); /* ask anew */
		fake_mpi_sizes_asked = 0;
		mpi_message_bytes(&state, &call->send, row->arguments);
		ck_assert_msg(!fake_mpi_sizes_asked == !row->sent, "%s: sent", row->name);
		mpi_type_freed();
		fake_mpi_sizes_asked = 0;
		mpi_message_bytes(&state, &call->receive, row->arguments);
		ck_assert_msg(!fake_mpi_sizes_asked == !row->received, "%s: received", row->name);
	}
}
END_TEST

START_TEST(sizes_are_asked_for_once_until_a_type_is_freed)
{
	fake_mpi_start(RANKS, RANK);
	for (int round = 0; round < 3; round++)
		ck_assert_uint_eq(mpi_type_bytes(&mpi, 12), 12);
	ck_assert_uint_eq(fake_mpi_sizes_asked, 1);
	mpi_type_freed();
	ck_assert_uint_eq(mpi_type_bytes(&mpi, 12), 12);
	ck_assert_uint_eq(fake_mpi_sizes_asked, 2);
	for (mpi_word type = 1; type < 500; type++) /* more than are remembered */
		ck_assert_uint_eq(mpi_type_bytes(&mpi, type), type);
}
END_TEST

/* Rows of peers: thousands, and those beyond together in one. */
START_TEST(peers_beyond_the_table_are_counted_together)
{
	enum { PEERS = 10000 };
	struct thread *thread = calloc(1, sizeof *thread);
	uint64_t kept = 0;

	ck_assert_int_eq(scratch_open(), 0);
	struct mpi_thread *own = mpi_thread_of(thread);
	for (int round = 0; round < 2; round++)
		for (int32_t rank = 0; rank < PEERS; rank++)
			mpi_peer_row(own, rank)->bytes_sent += 3;
	for (uint64_t rank = 0; rank < PEERS; rank++)
		kept += scratch_sum(TABLE_mpi_peers, rank + 1,
				    offsetof(struct row_mpi_peers, bytes_sent));
	uint64_t others = scratch_sum(TABLE_mpi_peers, UINT32_MAX,
				      offsetof(struct row_mpi_peers, bytes_sent));
	ck_assert_uint_eq(kept + others, 2 * 3 * PEERS);
	ck_assert_uint_gt(kept, 2 * 3 * 3000);
	ck_assert_uint_gt(others, 0);
}
END_TEST

UNIT_MAIN("mpi_message_bytes", bytes_are_what_the_arguments_say,
	  types_are_asked_about_only_where_data_move,
	  sizes_are_asked_for_once_until_a_type_is_freed,
	  peers_beyond_the_table_are_counted_together)

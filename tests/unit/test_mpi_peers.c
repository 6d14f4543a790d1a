/* SPDX-License-Identifier: MIT */
/* Pairs of ranks: threads of a rank count as one, and too many are reduced without losing what
 * matters. */
#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_pairs.h"
#include "analyze/model/process/mpi_source.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

static void add(struct mpi_pairs *pairs, uint64_t rank, struct profile_mpi_peer *rows, size_t count)
{
	struct profile profile = {.mpi_peers = {.rows = rows, .count = count}};
	struct mpi_source source = {.profile = &profile, .rank = rank};

	mpi_pairs_add(pairs, &source);
}

static const struct mpi_pair *find(const struct mpi_pairs *pairs, uint64_t rank, uint64_t peer)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->rows[i].rank == rank && pairs->rows[i].peer == peer)
			return &pairs->rows[i];
	return NULL;
}

START_TEST(threads_of_a_rank_are_one)
{
	struct mpi_pairs pairs = {0};
	struct profile_mpi_peer rows[] = {
		{.thread = 1, .peer = 1 + 5, .messages_sent = 2, .bytes_sent = 20},
		{.thread = 1, .peer = 1 + 6, .messages_sent = 1, .bytes_sent = 100},
		{.thread = 2, .peer = 1 + 5, .messages_sent = 3, .bytes_sent = 30, .wait_ns = 7},
	};

	add(&pairs, 4, rows, 3);
	mpi_pairs_finish(&pairs);
	ck_assert_uint_eq(pairs.count, 2);
	ck_assert_uint_eq(pairs.rows[0].peer, 6); /* the most bytes first */
	ck_assert_uint_eq(find(&pairs, 4, 5)->messages_sent, 5);
	ck_assert_uint_eq(find(&pairs, 4, 5)->bytes_sent, 50);
	ck_assert_uint_eq(find(&pairs, 4, 5)->wait_ns, 7);
	mpi_pairs_clear(&pairs);
}
END_TEST

/* Rank 0 fills the accumulator. Rank 1 has 100 peers: bytes grow with the peer's number, and it
 * waited for peer 3 alone. */
START_TEST(whoever_was_waited_for_is_kept)
{
	struct mpi_pairs pairs = {0};
	struct profile_mpi_peer *rows = memory_allocate(MPI_PEERS_MAX, sizeof *rows);
	uint64_t bytes = 0;

	for (size_t i = 0; i < MPI_PEERS_MAX; i++)
		rows[i] = (struct profile_mpi_peer){.peer = i + 1, .messages_sent = 1};
	add(&pairs, 0, rows, MPI_PEERS_MAX);
	for (size_t i = 0; i < 100; i++)
		rows[i] = (struct profile_mpi_peer){
			.peer = i + 1, .bytes_sent = i, .wait_ns = i == 3 ? 9000 : 0};
	add(&pairs, 1, rows, 100);
	ck_assert_uint_eq(pairs.count, MPI_PEERS_MAX + 13);
	ck_assert_ptr_nonnull(find(&pairs, 1, 3));
	ck_assert_uint_eq(find(&pairs, 1, 3)->wait_ns, 9000);
	ck_assert_ptr_nonnull(find(&pairs, 1, 99));
	ck_assert_ptr_nonnull(find(&pairs, 1, MPI_NO_PEER));
	for (size_t i = MPI_PEERS_MAX; i < pairs.count; i++)
		bytes += pairs.rows[i].bytes_sent;
	ck_assert_uint_eq(bytes, 99 * 100 / 2);
	free(rows);
	mpi_pairs_clear(&pairs);
}
END_TEST

UNIT_MAIN("mpi_peers", threads_of_a_rank_are_one, whoever_was_waited_for_is_kept)

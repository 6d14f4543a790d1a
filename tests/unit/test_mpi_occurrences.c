/* SPDX-License-Identifier: MIT */
/* Occurrences of collective calls are the same in whatever order, and in whatever parts, the ranks
 * are added. */
#include "analyze/model/mpi/mpi_occurrences.h"
#include "tests/unit/unit.h"

#define RANKS 200u

static struct symbolizer *symbolizer;
static struct names *names;

static struct mpi_occurrence entry_of(uint64_t rank, struct mpi_moment *moment)
{
	*moment = (struct mpi_moment){.rank = rank, .leave = 1000};
	return (struct mpi_occurrence){
		.identity = 1,
		.call = names_keep(names, "MPI_Bcast"),
		.size = RANKS,
		.ranks = 1,
		.base_ns = 5000 + (rank * 37) % RANKS,
		.last = {.rank = rank},
		.root = {.rank = rank == 7 ? rank : MPI_NO_RANK},
		.moments = moment,
		.moment_count = 1,
		.moment_stride = 1,
	};
}

static void add(struct mpi_occurrences *accumulator, uint64_t rank)
{
	struct mpi_moment moment;
	struct mpi_occurrence entry = entry_of(rank, &moment);

	ck_assert_ptr_nonnull(mpi_occurrences_unite(accumulator, &entry));
}

static uint64_t latest(const struct mpi_occurrence *row)
{
	return row->base_ns + (uint64_t)(int64_t)row->latest_enter;
}

static void check_same(const struct mpi_occurrence *a, const struct mpi_occurrence *b)
{
	uint64_t ranks[2] = {0, 0};

	ck_assert_uint_eq(a->ranks, b->ranks);
	ck_assert_uint_eq(latest(a), latest(b));
	ck_assert_uint_eq(a->last.rank, b->last.rank);
	ck_assert_uint_eq(a->root.rank, b->root.rank);
	ck_assert_uint_eq(a->moment_stride, b->moment_stride);
	ck_assert_uint_eq(a->moment_count, b->moment_count);
	for (size_t i = 0; i < a->moment_count; i++) {
		ranks[0] += a->moments[i].rank * a->moments[i].rank;
		ranks[1] += b->moments[i].rank * b->moments[i].rank;
	}
	ck_assert_uint_eq(ranks[0], ranks[1]);
}

START_TEST(order_and_parts_do_not_matter)
{
	struct mpi_occurrences up, down, parts[2];

	symbolizer = symbolizer_create(NULL);
	names = names_create(symbolizer);
	mpi_occurrences_create(&up, names);
	mpi_occurrences_create(&down, names);
	for (size_t i = 0; i < 2; i++)
		mpi_occurrences_create(&parts[i], names);
	for (uint64_t rank = 0; rank < RANKS; rank++) {
		add(&up, rank);
		add(&down, RANKS - 1 - rank);
		add(&parts[rank < 30], rank);
	}
	mpi_occurrences_unite(&parts[1], parts[0].all[0]);
	ck_assert_uint_eq(up.all[0]->ranks, RANKS);
	ck_assert_uint_eq(up.all[0]->moment_stride, 4); /* 50 of 200 ranks */
	ck_assert_uint_eq(up.all[0]->moment_count, 50);
	ck_assert_uint_eq(latest(up.all[0]), 5000 + RANKS - 1);
	ck_assert_uint_eq(up.all[0]->root.rank, 7);
	check_same(up.all[0], down.all[0]);
	check_same(up.all[0], parts[1].all[0]);
	mpi_occurrences_clear(&up);
	mpi_occurrences_clear(&down);
	for (size_t i = 0; i < 2; i++)
		mpi_occurrences_clear(&parts[i]);
	names_destroy(names);
	symbolizer_destroy(symbolizer);
}
END_TEST

/* A damaged file: the same rank, again and again, of a communicator of unbelievable size. */
START_TEST(a_rank_that_comes_again_and_again_is_no_end_of_memory)
{
	struct mpi_occurrences accumulator;

	symbolizer = symbolizer_create(NULL);
	names = names_create(symbolizer);
	mpi_occurrences_create(&accumulator, names);
	for (int i = 0; i < 100000; i++)
		add(&accumulator, 0);
	ck_assert_uint_le(accumulator.all[0]->moment_count, MPI_MOMENTS_MAX);
	mpi_occurrences_clear(&accumulator);
	names_destroy(names);
	symbolizer_destroy(symbolizer);
}
END_TEST

START_TEST(calls_are_known_by_whom_they_wait_for)
{
	ck_assert_int_eq(mpi_rooting_of("MPI_Barrier"), MPI_ALL_FOR_ALL);
	ck_assert_int_eq(mpi_rooting_of("MPI_Reduce_scatter_block"), MPI_ALL_FOR_ALL);
	ck_assert_int_eq(mpi_rooting_of("MPI_Alltoallw"), MPI_ALL_FOR_ALL);
	ck_assert_int_eq(mpi_rooting_of("MPI_Reduce"), MPI_ROOT_FOR_ALL);
	ck_assert_int_eq(mpi_rooting_of("MPI_Reduce_c"), MPI_ROOT_FOR_ALL);
	ck_assert_int_eq(mpi_rooting_of("MPI_Gatherv"), MPI_ROOT_FOR_ALL);
	ck_assert_int_eq(mpi_rooting_of("MPI_Bcast"), MPI_ALL_FOR_ROOT);
	ck_assert_int_eq(mpi_rooting_of("MPI_Scatterv_c"), MPI_ALL_FOR_ROOT);
	ck_assert_int_eq(mpi_rooting_of("MPI_Scan"), MPI_UNROOTED);
	ck_assert_int_eq(mpi_rooting_of("MPI_Alloc_mem"), MPI_UNROOTED);
}
END_TEST

UNIT_MAIN("mpi_occurrences", order_and_parts_do_not_matter,
	  a_rank_that_comes_again_and_again_is_no_end_of_memory,
	  calls_are_known_by_whom_they_wait_for)

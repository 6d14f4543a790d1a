/* SPDX-License-Identifier: MIT */
/* The matrices of plots: who kept whom waiting, who sent to whom; and time lines in means. */
#include "analyze/model/mpi/mpi_matrix.h"
#include "analyze/model/sync/sync_matrix.h"
#include "analyze/model/time/timeline_mean.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

static uint64_t sum_of(const struct sync_matrix *matrix)
{
	uint64_t sum = 0;

	for (size_t h = 0; h <= SYNC_MATRIX_SIDE; h++)
		for (size_t v = 0; v <= SYNC_MATRIX_SIDE; v++)
			sum += matrix->cells[h][v];
	return sum;
}

START_TEST(holders_and_victims_are_sorted_by_their_sums)
{
	struct sync_pair rows[] = {{{0, 1, 5, 10, 0, 60, GRADE_EXACT}},
				   {{0, 2, 5, 10, 0, 50, GRADE_EXACT}},
				   {{0, 2, 5, 11, 0, 40, GRADE_ESTIMATED}},
				   {{0, 1, 6, 10, 0, 1, GRADE_EXACT}}};
	struct sync_pairs pairs = {.rows = rows, .count = 4};
	struct sync_matrix matrix = sync_matrix_of(&pairs);

	ck_assert_uint_eq(matrix.holder_count, 3); /* a line is a place of its own */
	ck_assert_uint_eq(matrix.victim_count, 2);
	ck_assert_uint_eq(matrix.holders[0].routine, 2);
	ck_assert_uint_eq(matrix.holders[0].time_ns, 90);
	ck_assert_uint_eq(matrix.victims[0].routine, 10);
	ck_assert_uint_eq(matrix.victims[0].time_ns, 111);
	ck_assert_uint_eq(matrix.cells[0][1], 40);
	ck_assert_uint_eq(matrix.most_ns, 60);
	ck_assert_uint_eq(matrix.total_ns, 151);
	ck_assert_uint_eq(sum_of(&matrix), 151);
	ck_assert_int_eq(matrix.grade, GRADE_ESTIMATED);
}
END_TEST

START_TEST(what_remains_is_one_row_and_column)
{
	enum { COUNT = 12 };
	struct sync_pair rows[COUNT];
	struct sync_pairs pairs = {.rows = rows, .count = COUNT};
	uint64_t rest = 0;

	for (size_t i = 0; i < COUNT; i++)
		rows[i] = (struct sync_pair){.holder = i, .victim = 100 + i, .time_ns = 1000 - i};
	for (size_t i = SYNC_MATRIX_SIDE; i < COUNT; i++)
		rest += 1000 - i;
	struct sync_matrix matrix = sync_matrix_of(&pairs);

	ck_assert_uint_eq(matrix.holder_count, SYNC_MATRIX_SIDE);
	ck_assert_uint_eq(matrix.other_holder_count, COUNT - SYNC_MATRIX_SIDE);
	ck_assert_uint_eq(matrix.holders[SYNC_MATRIX_SIDE].time_ns, rest);
	ck_assert_uint_eq(matrix.cells[SYNC_MATRIX_SIDE][SYNC_MATRIX_SIDE], rest);
	ck_assert_uint_eq(sum_of(&matrix), matrix.total_ns);
}
END_TEST

START_TEST(no_pairs_no_matrix)
{
	struct sync_pairs pairs = {0};
	struct sync_matrix matrix = sync_matrix_of(&pairs);

	ck_assert_uint_eq(matrix.holder_count + matrix.victim_count + matrix.total_ns, 0);
}
END_TEST

static struct mpi_matrix ring(uint64_t ranks, size_t side_max, struct mpi_pair *rows)
{
	struct mpi_pairs pairs = {.rows = rows, .count = ranks};

	for (uint64_t i = 0; i < ranks; i++)
		rows[i] = (struct mpi_pair){
			.rank = i, .peer = (i + 1) % ranks, .messages_sent = 2, .bytes_sent = 10};
	return mpi_matrix_of(&pairs, side_max);
}

START_TEST(few_ranks_have_a_cell_each)
{
	struct mpi_pair rows[4];
	struct mpi_matrix matrix = ring(4, 64, rows);

	ck_assert_uint_eq(matrix.side, 4);
	ck_assert_uint_eq(matrix.ranks_a_cell, 1);
	ck_assert_uint_eq(matrix.cells[0 * 4 + 1].bytes, 10);
	ck_assert_uint_eq(matrix.cells[3 * 4 + 0].messages, 2);
	ck_assert_uint_eq(matrix.cells[1 * 4 + 0].bytes, 0);
	ck_assert_uint_eq(matrix.most.bytes, 10);
	mpi_matrix_clear(&matrix);
}
END_TEST

static uint64_t bytes_of(const struct mpi_matrix *matrix)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < matrix->side * matrix->side; i++)
		sum += matrix->cells[i].bytes;
	return sum;
}

START_TEST(many_ranks_share_cells_and_nothing_is_lost)
{
	static const uint64_t counts[] = {63, 64, 65, 127, 128, 129, 1000, 4097};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct mpi_pair *rows = calloc(counts[i], sizeof *rows);
		struct mpi_matrix matrix = ring(counts[i], 64, rows);

		ck_assert_uint_le(matrix.side, 64);
		ck_assert_uint_ge(matrix.side, 32);
		ck_assert_uint_ge(matrix.side * matrix.ranks_a_cell, counts[i]);
		ck_assert_uint_eq(bytes_of(&matrix), counts[i] * 10);
		mpi_matrix_clear(&matrix);
		free(rows);
	}
}
END_TEST

START_TEST(peers_that_were_not_kept_are_in_no_cell)
{
	struct mpi_pair rows[] = {
		{.rank = 0, .peer = 1, .messages_sent = 1, .bytes_sent = 8},
		{.rank = 1, .peer = MPI_NO_PEER, .messages_sent = 3, .bytes_sent = 7}};
	struct mpi_pairs pairs = {.rows = rows, .count = 2};
	struct mpi_matrix matrix = mpi_matrix_of(&pairs, 64);

	ck_assert_uint_eq(matrix.side, 2);
	ck_assert_uint_eq(bytes_of(&matrix), 8);
	ck_assert_uint_eq(matrix.unplaced.bytes, 7);
	ck_assert_uint_eq(matrix.unplaced.messages, 3);
	mpi_matrix_clear(&matrix);
	pairs.count = 0;
	ck_assert_uint_eq(mpi_matrix_of(&pairs, 64).side, 0);
}
END_TEST

START_TEST(means_of_a_time_line)
{
	double useful[] = {50, 100, 0}, on[] = {100, 200, 50};
	struct run_timeline timeline = {
		.bin_ns = 100, .count = 3, .useful_ns = useful, .on_processor_ns = on};
	struct timeline_mean mean = timeline_mean_of(&timeline, 0, 2);
	struct timeline_means means = timeline_means_of(&timeline);

	ck_assert_double_eq_tol(mean.to_ns - mean.from_ns, 200, 1e-9);
	ck_assert_double_eq_tol(mean.useful, 0.75, 1e-12);
	ck_assert_double_eq_tol(mean.on_processor, 1.5, 1e-12);
	ck_assert_double_eq_tol(means.on_processor[2], 0.5, 1e-12);
	ck_assert_double_eq_tol(means.most, 2, 1e-12);
	ck_assert_double_eq_tol(means.on_processor_ns, 350, 1e-9);
	timeline_means_clear(&means);
}
END_TEST

UNIT_MAIN("matrices", holders_and_victims_are_sorted_by_their_sums,
	  what_remains_is_one_row_and_column, no_pairs_no_matrix, few_ranks_have_a_cell_each,
	  many_ranks_share_cells_and_nothing_is_lost, peers_that_were_not_kept_are_in_no_cell,
	  means_of_a_time_line)

/* SPDX-License-Identifier: MIT */
/* The job between MPI_Init and MPI_Finalize: time in MPI, useful time, the tree of a hybrid job. */
#include "analyze/model/mpi/mpi_between.h"
#include "analyze/model/mpi/mpi_window.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/unit.h"

#include <math.h>

#define MS     1000000ull
#define SECOND (1000 * MS)
#define SHIFT  20
#define BIN    (UINT64_C(1) << SHIFT)

/* Lives from 10 s to 20 s, is in MPI_Init from 11 s to 12 s and in MPI_Finalize from 18 s to 19 s.
 */
static struct mpi_rank a_rank(uint64_t number, uint64_t units, uint64_t useful_ms, uint64_t mpi_ms)
{
	return (struct mpi_rank){.rank = number,
				 .host = "a",
				 .units = units,
				 .start_ns = 10 * SECOND,
				 .end_ns = 20 * SECOND,
				 .init_begin_ns = 11 * SECOND,
				 .init_end_ns = 12 * SECOND,
				 .finalize_begin_ns = 18 * SECOND,
				 .finalize_end_ns = 19 * SECOND,
				 .useful_ns = (double)((useful_ms + 500) * MS),
				 .useful_between_ns = (double)(useful_ms * MS),
				 .mpi_ns = (mpi_ms + 2000) * MS,
				 .mpi_threads = 1,
				 .mpi_most_ns = (mpi_ms + 2000) * MS,
				 .mpi_between_ns = mpi_ms * MS};
}

static struct mpi_between between_of(struct mpi_rank *rows, size_t count)
{
	struct mpi_ranks ranks = {.rows = rows, .count = count};
	struct mpi_clocks clocks = mpi_clocks_of(&ranks);
	struct mpi_between between = mpi_between_of(&ranks, &clocks);

	mpi_clocks_clear(&clocks);
	return between;
}

START_TEST(start_and_end_of_mpi_are_left_out)
{
	struct mpi_rank rows[] = {a_rank(0, 1, 4500, 1000), a_rank(1, 1, 3000, 2000)};
	struct mpi_between between = between_of(rows, 2);

	ck_assert(between.is_known);
	ck_assert_double_eq_tol(between.useful.elapsed_ns, 6.0 * SECOND, 1);
	ck_assert_double_eq_tol(between.useful.parallel, 7.5 / 12, 1e-12);
	ck_assert_double_eq_tol(between.useful.load_balance, 3.75 / 4.5, 1e-12);
	ck_assert_double_eq_tol(between.useful.communication, 4.5 / 6, 1e-12);
	ck_assert_uint_eq(between.useful.min_rank, 1);
	ck_assert_double_eq_tol(between.init_ns, 1.0 * SECOND, 1);
	ck_assert_double_eq_tol(between.finalize_ns, 1.0 * SECOND, 1);
	ck_assert_double_eq_tol(between.elsewhere_ns, 2.0 * SECOND, 1);
	ck_assert(isnan(between.threads));
}
END_TEST

/* Of elapsed time, however many threads a rank has; of several threads in MPI a lower bound. */
START_TEST(time_in_mpi_is_a_share_of_elapsed_time)
{
	struct mpi_rank rows[] = {a_rank(0, 4, 4500, 1000), a_rank(1, 4, 3000, 2000)};
	struct mpi_between between = between_of(rows, 2);

	ck_assert_double_eq_tol(between.share.fraction, 3.0 / 12, 1e-12);
	ck_assert_double_eq_tol(between.whole_share.fraction, 7.0 / 20, 1e-12);
	ck_assert_int_eq(between.whole_share.grade, GRADE_EXACT);
	rows[0].mpi_threads = 2;
	rows[0].mpi_ns *= 2;
	between = between_of(rows, 2);
	ck_assert_double_eq_tol(between.whole_share.fraction, 7.0 / 20, 1e-12);
	ck_assert_int_eq(between.whole_share.grade, GRADE_ESTIMATED);
}
END_TEST

/* Two threads each, for 6 s; the ranks were outside of MPI for 5 s and 3 s. */
START_TEST(efficiency_of_a_hybrid_job_is_that_of_mpi_times_that_of_threads)
{
	struct mpi_rank rows[] = {a_rank(0, 2, 6000, 1000), a_rank(1, 2, 3000, 3000)};
	struct mpi_between between = between_of(rows, 2);

	ck_assert_double_eq_tol(between.useful.parallel, 9.0 / 24, 1e-12);
	ck_assert_double_eq_tol(between.outside.parallel, 8.0 / 12, 1e-12);
	ck_assert_double_eq_tol(between.outside.load_balance, 4.0 / 5, 1e-12);
	ck_assert_double_eq_tol(between.outside.communication, 5.0 / 6, 1e-12);
	ck_assert_double_eq_tol(between.threads, 9.0 / 16, 1e-12);
	/* ranks of more threads weigh more */
	rows[0].units = 4;
	between = between_of(rows, 2);
	ck_assert_double_eq_tol(between.threads, 9.0 / (4 * 5 + 2 * 3), 1e-12);
	ck_assert_double_eq_tol(between.outside.load_balance * between.outside.communication *
					between.threads,
				between.useful.parallel, 1e-12);
}
END_TEST

/* One was killed in MPI_Finalize, and its last sign of life was before it; the other one never came
 * there. */
START_TEST(a_window_is_within_the_life_of_the_rank)
{
	struct mpi_rank rows[] = {a_rank(0, 1, 4500, 1000), a_rank(1, 1, 3000, 2000)};

	rows[0].end_ns = 17 * SECOND;
	rows[1].finalize_begin_ns = rows[1].finalize_end_ns = 0;
	struct mpi_between between = between_of(rows, 2);

	ck_assert_double_eq_tol(mpi_between_window_ns(&rows[0]), 5.0 * SECOND, 1);
	ck_assert_double_eq_tol(mpi_between_window_ns(&rows[1]), 8.0 * SECOND, 1);
	ck_assert_double_eq_tol(between.finalize_ns, 0, 1);
	ck_assert_double_eq_tol(between.elsewhere_ns, 1.0 * SECOND, 1);
	ck_assert_double_eq_tol(between.useful.elapsed_ns, 8.0 * SECOND, 1);
}
END_TEST

START_TEST(what_files_do_not_say_is_not_known)
{
	struct mpi_rank rows[] = {a_rank(0, 1, 4500, 1000), a_rank(1, 1, 3000, 2000)};

	rows[1].mpi_threads = 0; /* an older merged run */
	ck_assert(!between_of(rows, 2).is_known);
	ck_assert(isnan(between_of(rows, 2).share.fraction));
	rows[1] = a_rank(1, 1, 3000, 2000);
	rows[1].finalize_begin_ns = rows[1].init_end_ns; /* no window */
	ck_assert(!between_of(rows, 2).is_known);
	ck_assert_double_eq_tol(between_of(rows, 2).whole_share.fraction, 7.0 / 20, 1e-12);
	ck_assert(!between_of(rows, 0).is_known);
}
END_TEST

/* ---- one rank */

static struct profile_timeline bin(uint64_t number, uint64_t time_ns)
{
	return (struct profile_timeline){
		.metric = TIMELINE_USEFUL, .shift = SHIFT, .bin = number, .time_ns = time_ns};
}

/* In MPI_Init from bin 10 to the middle of bin 20, in MPI_Finalize from bin 40 and a quarter. */
static struct mpi_rank measured(struct profile_timeline *bins, size_t count, uint64_t init_begin_ns)
{
	struct profile profile = {.timeline = {.rows = bins, .count = count}};
	struct mpi_source source = {.profile = &profile};
	struct mpi_rank rank = {.units = 1,
				.end_ns = 60 * BIN,
				.init_begin_ns = init_begin_ns,
				.init_end_ns = 20 * BIN + BIN / 2,
				.finalize_begin_ns = 40 * BIN + BIN / 4,
				.finalize_end_ns = 50 * BIN,
				.useful_ns = 6.0 * MS};

	mpi_window_measure(&rank, &source);
	return rank;
}

START_TEST(useful_time_between_is_that_of_the_time_line)
{
	struct profile_timeline bins[] = {bin(5, MS), bin(20, MS / 2), bin(30, MS), bin(40, MS / 4),
					  bin(55, MS / 4)};
	struct mpi_rank rank = measured(bins, 5, 10 * BIN);

	/* 1.75 ms of 3 ms, which stand for 6 ms */
	ck_assert_double_eq_tol(rank.useful_between_ns, 3.5 * MS, 1);
	ck_assert_uint_eq(rank.between_grade, GRADE_EXACT);
	/* MPI_Init took half a bin: the quarter before it may have been as useful as the half
	 * behind */
	rank = measured(bins, 5, 20 * BIN + BIN / 4);
	ck_assert_double_eq_tol(rank.useful_between_ns, 2 * (MS / 3.0 + 1.25 * MS), 10);
	ck_assert_uint_eq(rank.between_grade, GRADE_ESTIMATED);
}
END_TEST

START_TEST(without_a_time_line_useful_time_is_shared_out)
{
	struct mpi_rank rank = measured(NULL, 0, 10 * BIN);

	ck_assert_double_eq_tol(rank.useful_between_ns, 6.0 * MS * 19.75 / 60, 10);
	ck_assert_uint_eq(rank.between_grade, GRADE_ESTIMATED);
}
END_TEST

/* The first thread begins and ends MPI; another one makes the calls in between, and is in one. */
START_TEST(threads_in_mpi_are_told_apart)
{
	struct profile_mpi_name names[] = {
		{.class = 0}, {.class = MPI_CLASS_LIFE}, {.class = MPI_CLASS_RECEIVE}};
	struct profile_mpi_call calls[] = {{.thread = 0, .call = 1, .sum_ns = 5 * MS},
					   {.thread = 0, .call = 2, .sum_ns = 1 * MS},
					   {.thread = 1, .call = 2, .sum_ns = 3 * MS}};
	struct profile_thread rows[] = {
		{.flags = THREAD_FIRST},
		{.flags = THREAD_ALIVE, .waiting_cause = CAUSE_MPI, .waiting_call = 2},
		{.flags = THREAD_ALIVE}};
	struct thread_time times[] = {{.thread = &rows[0], .index = 0},
				      {.thread = &rows[1], .index = 1},
				      {.thread = &rows[2], .index = 2}};
	struct profile profile = {.threads = {.rows = rows, .count = 3},
				  .mpi_names = {.rows = names, .count = 3},
				  .mpi_calls = {.rows = calls, .count = 3}};
	struct mpi_source source = {.profile = &profile, .threads = times, .thread_count = 3};
	struct mpi_rank rank = {.end_ns = 20 * MS};

	times[0].mpi_ns = 6 * MS;
	times[1].mpi_ns = 5 * MS;
	times[1].open_wait_ns = 2 * MS;
	mpi_window_measure(&rank, &source);
	ck_assert_uint_eq(rank.mpi_threads, 2);
	ck_assert_uint_eq(rank.mpi_between_ns, 5 * MS);
	ck_assert_uint_eq(rank.mpi_most_ns, 10 * MS);
}
END_TEST

UNIT_MAIN("mpi_between", start_and_end_of_mpi_are_left_out, time_in_mpi_is_a_share_of_elapsed_time,
	  efficiency_of_a_hybrid_job_is_that_of_mpi_times_that_of_threads,
	  a_window_is_within_the_life_of_the_rank, what_files_do_not_say_is_not_known,
	  useful_time_between_is_that_of_the_time_line,
	  without_a_time_line_useful_time_is_shared_out, threads_in_mpi_are_told_apart)

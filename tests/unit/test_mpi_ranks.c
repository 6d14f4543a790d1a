/* SPDX-License-Identifier: MIT */
/* Ranks of a job whose times are known: efficiency, outliers, clocks of hosts. */
#include "analyze/model/mpi/mpi_clocks.h"
#include "analyze/model/mpi/mpi_jobs.h"
#include "analyze/model/mpi/mpi_outliers.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

#define MS     1000000ull
#define SECOND (1000 * MS)
#define EPOCH  (1700000000 * SECOND)

static struct mpi_rank a_rank(uint64_t number, const char *host, uint64_t useful_ms)
{
	return (struct mpi_rank){.rank = number,
				 .host = host,
				 .units = 1,
				 .start_ns = 10 * SECOND,
				 .end_ns = 20 * SECOND,
				 .useful_ns = (double)(useful_ms * MS)};
}

/* Enters MPI_Init 1 s after the start and leaves it with all others after 2 s; the same at the end.
 * On its host everything is `shift` later, and the time of day is wrong by `drift`. */
static void set_instants(struct mpi_rank *rank, uint64_t late_ms, uint64_t shift, int64_t drift)
{
	rank->start_ns += shift;
	rank->end_ns += shift;
	rank->init_begin_ns = 11 * SECOND + late_ms * MS + shift;
	rank->init_end_ns = 12 * SECOND + shift;
	rank->init_realtime_ns = EPOCH + 12 * SECOND + (uint64_t)drift;
	rank->finalize_begin_ns = 18 * SECOND + late_ms * MS + shift;
	rank->finalize_end_ns = 19 * SECOND + shift;
	rank->finalize_realtime_ns = EPOCH + 19 * SECOND + (uint64_t)drift;
}

START_TEST(efficiencies_are_those_of_the_formulas)
{
	struct mpi_rank rows[] = {a_rank(0, "a", 8000), a_rank(1, "a", 4000), a_rank(2, "a", 6000)};
	struct mpi_ranks ranks = {.rows = rows, .count = 3};
	struct mpi_clocks clocks = mpi_clocks_of(&ranks);
	struct mpi_efficiency efficiency = mpi_efficiency_of(&ranks, &clocks);

	ck_assert_double_eq_tol(efficiency.parallel, 0.6, 1e-12);
	ck_assert_double_eq_tol(efficiency.load_balance, 0.75, 1e-12);
	ck_assert_double_eq_tol(efficiency.communication, 0.8, 1e-12);
	ck_assert_double_eq_tol(efficiency.average_active, 1.8, 1e-12);
	ck_assert(isnan(efficiency.inner_load_balance));
	mpi_clocks_clear(&clocks);
}
END_TEST

START_TEST(a_rank_of_more_threads_weighs_more)
{
	struct mpi_rank rows[] = {a_rank(0, "a", 20000), a_rank(1, "a", 5000)};
	struct mpi_ranks ranks = {.rows = rows, .count = 2};

	rows[0].units = 4;
	struct mpi_clocks clocks = mpi_clocks_of(&ranks);
	struct mpi_efficiency efficiency = mpi_efficiency_of(&ranks, &clocks);

	/* 25 s useful of 5 x 10 s; each unit was useful for 5 s */
	ck_assert_double_eq_tol(efficiency.parallel, 0.5, 1e-12);
	ck_assert_double_eq_tol(efficiency.load_balance, 1, 1e-12);
	ck_assert_double_eq_tol(efficiency.average_active / (double)efficiency.units,
				efficiency.parallel, 1e-12);
	mpi_clocks_clear(&clocks);
}
END_TEST

/* The same job twice, 100 s apart, the second spawned by the first: 60 % each, not 6 %. One of the
 * three children that were started is not there. */
START_TEST(each_job_is_judged_by_its_own_time)
{
	struct mpi_rank rows[] = {a_rank(1, "a", 4000), a_rank(0, "a", 8000), a_rank(0, "a", 8000),
				  a_rank(1, "a", 4000)};
	struct mpi_ranks ranks = {.rows = rows, .count = 4};

	for (size_t i = 0; i < 4; i++) {
		bool is_second = i % 2;
		rows[i].job = is_second ? 5 : 7;
		rows[i].rank = i / 2;
		rows[i].size = 2;
		rows[i].flags = is_second ? MPI_SPAWNED : 0;
		rows[i].spawned = !is_second && i == 0 ? 3 : 0;
		rows[i].useful_ns = (double)((i / 2 ? 4000 : 8000) * MS);
		set_instants(&rows[i], 0, is_second * 100 * SECOND,
			     is_second * 100 * (int64_t)SECOND);
	}
	mpi_ranks_finish(&ranks);
	struct mpi_clocks clocks = mpi_clocks_of(&ranks);
	struct mpi_efficiency all = mpi_efficiency_of(&ranks, &clocks);
	struct mpi_jobs jobs = mpi_jobs_of(&ranks, &clocks);

	ck_assert_uint_eq(jobs.count, 2);
	ck_assert_uint_eq(jobs.rows[0].id, 7); /* the one that started first */
	ck_assert_uint_eq(mpi_jobs_number(&jobs, 5), 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(jobs.rows[i].count, 2);
		ck_assert_double_eq_tol(jobs.rows[i].efficiency.parallel, 0.6, 1e-12);
	}
	ck_assert_uint_eq(jobs.rows[1].parent, 0);
	ck_assert_uint_eq(jobs.rows[0].parent, MPI_NO_JOB);
	ck_assert_uint_eq(jobs.unseen, 1);
	ck_assert_double_eq_tol(all.parallel, 0.6, 1e-12);
	ck_assert_double_eq_tol(all.load_balance * all.communication, all.parallel, 1e-12);
	mpi_jobs_clear(&jobs);
	mpi_clocks_clear(&clocks);
}
END_TEST

START_TEST(load_balance_is_inner_times_outer)
{
	struct mpi_rank rows[] = {a_rank(0, "a", 8000), a_rank(1, "a", 6000), a_rank(2, "b", 3000),
				  a_rank(3, "b", 1000)};
	struct mpi_ranks ranks = {.rows = rows, .count = 4};

	for (size_t i = 0; i < 4; i++)
		set_instants(&rows[i], 0, 0, 0);
	struct mpi_clocks clocks = mpi_clocks_of(&ranks);
	struct mpi_efficiency efficiency = mpi_efficiency_of(&ranks, &clocks);

	ck_assert_double_eq_tol(efficiency.inner_load_balance, 7.0 / 8, 1e-12);
	ck_assert_double_eq_tol(efficiency.outer_load_balance, 4.5 / 7, 1e-12);
	ck_assert_double_eq_tol(efficiency.inner_load_balance * efficiency.outer_load_balance,
				efficiency.load_balance, 1e-12);
	mpi_clocks_clear(&clocks);
}
END_TEST

/* The clock of b is 1000 s ahead; its time of day is right, wrong by little, and absurd. */
START_TEST(offsets_of_hosts_are_found_within_the_error_stated)
{
	static const int64_t drifts[] = {0, 400 * (int64_t)MS, -3600 * (int64_t)SECOND};

	for (size_t d = 0; d < 3; d++) {
		struct mpi_rank rows[] = {a_rank(0, "a", 1), a_rank(1, "b", 1), a_rank(2, "b", 1)};
		struct mpi_ranks ranks = {.rows = rows, .count = 3};

		set_instants(&rows[0], 900, 0, 0);
		set_instants(&rows[1], 700, 1000 * SECOND, drifts[d]);
		set_instants(&rows[2], 100, 1000 * SECOND, drifts[d]);
		struct mpi_clocks clocks = mpi_clocks_of(&ranks);
		double offset = mpi_clocks_offset(&clocks, 2), truth = -1000.0 * SECOND;

		ck_assert_uint_eq(clocks.host_count, 2);
		ck_assert_double_le(fabs(offset - truth), clocks.hosts[1].error_ns);
		/* b left after a had entered, a after b had: between -0.1 s and 0.3 s */
		ck_assert_double_le(clocks.hosts[1].error_ns, 400.0 * MS);
		ck_assert_double_eq(mpi_clocks_offset(&clocks, 0), 0);
		mpi_clocks_clear(&clocks);
	}
}
END_TEST

START_TEST(a_host_that_never_finalized_is_aligned_by_the_time_of_day)
{
	struct mpi_rank rows[] = {a_rank(0, "a", 1), a_rank(1, "b", 1)};
	struct mpi_ranks ranks = {.rows = rows, .count = 2};

	set_instants(&rows[0], 0, 0, 0);
	set_instants(&rows[1], 0, 5 * SECOND, 2 * MS);
	rows[1].init_begin_ns = rows[1].init_end_ns = 0;
	rows[1].finalize_begin_ns = 0;
	struct mpi_clocks clocks = mpi_clocks_of(&ranks);

	ck_assert_double_eq_tol(mpi_clocks_offset(&clocks, 1), -5.0 * SECOND + 2.0 * MS, 1e3);
	mpi_clocks_clear(&clocks);
}
END_TEST

START_TEST(the_rank_that_differs_comes_first_and_says_why)
{
	struct mpi_rank rows[20];
	struct mpi_ranks ranks = {.rows = rows, .count = 20};

	for (size_t i = 0; i < 20; i++)
		rows[i] = a_rank(i, "a", 4000 + i);
	rows[7].useful_ns = 9000.0 * MS;
	struct mpi_outlier *outliers = mpi_outliers_of(&ranks);

	ck_assert_uint_eq(outliers[0].index, 7);
	ck_assert_str_eq(outliers[0].why, "more useful time");
	for (size_t i = 1; i < 20; i++)
		ck_assert_ptr_null(outliers[i].why);
	free(outliers);
}
END_TEST

/* Beyond two deviations, but by a thousandth of the elapsed time. */
START_TEST(a_small_difference_makes_no_outlier)
{
	struct mpi_rank rows[20];
	struct mpi_ranks ranks = {.rows = rows, .count = 20};

	for (size_t i = 0; i < 20; i++)
		rows[i] = a_rank(i, "a", i == 3 ? 4010 : 4000);
	struct mpi_outlier *outliers = mpi_outliers_of(&ranks);

	ck_assert_uint_eq(outliers[0].index, 3);
	ck_assert_ptr_null(outliers[0].why);
	free(outliers);
}
END_TEST

/* Of the rank's threads two of the program, one of the library and an idle one were alive at once.
 * Idle ones and the library's are no units, and their waits are not the rank's. */
START_TEST(useful_time_is_inferred_and_units_are_counted)
{
	struct profile_thread threads[] = {
		{.flags = THREAD_ALIVE, .birth_ns = 0},
		{.birth_ns = 1 * SECOND, .updated_ns = 2 * SECOND},
		{.birth_ns = 2 * SECOND, .updated_ns = 3 * SECOND},
		{.flags = THREAD_OF_MPI, .birth_ns = 0, .updated_ns = 1 * SECOND},
		{.flags = THREAD_OF_MPI | THREAD_ALIVE, .birth_ns = 1 * SECOND},
		{.flags = THREAD_ADOPTED | THREAD_ALIVE, .birth_ns = 0},
	};
	struct thread_time times[6] = {0};
	struct profile_mpi_process row = {.size = 1, .library = ""};
	struct profile profile = {.process = {.host = "a", .threads_peak = 4, .threads_started = 6},
				  .mpi_process = {.rows = &row, .count = 1}};
	struct names *names = names_create(NULL);
	struct mpi_source source = {.names = names,
				    .profile = &profile,
				    .end_ns = 4 * SECOND,
				    .threads = times,
				    .thread_count = 6};
	struct mpi_ranks ranks = {0};

	for (size_t i = 0; i < 6; i++)
		times[i].thread = &threads[i];
	/* 4 s: 3 s in MPI, which polled; of the rest it was on a processor for 3 parts of 4 */
	times[0].lifetime_ns = 4 * SECOND;
	times[0].mpi_ns = 3 * SECOND;
	times[0].user_ns = 3 * SECOND;
	times[0].ready_ns = 1 * SECOND;
	times[4].user_ns = times[4].lifetime_ns = 3 * SECOND; /* the library's own work */
	times[1].lifetime_ns = times[1].by_cause_ns[CAUSE_BARRIER] = 1 * SECOND;
	times[5].lifetime_ns = times[5].by_cause_ns[CAUSE_EVENTS] = 4 * SECOND; /* idle */
	mpi_ranks_add(&ranks, &source);
	ck_assert_uint_eq(ranks.count, 1);
	ck_assert_uint_eq(ranks.rows[0].units, 2);
	ck_assert_uint_eq(ranks.rows[0].wait_ns, 1 * SECOND);
	ck_assert_double_eq_tol(ranks.rows[0].useful_ns, 0.75 * SECOND, 1e3);
	ck_assert_int_eq(ranks.rows[0].useful_grade, GRADE_ESTIMATED);
	mpi_ranks_clear(&ranks);
	names_destroy(names);
}
END_TEST

UNIT_MAIN("mpi_ranks", useful_time_is_inferred_and_units_are_counted,
	  efficiencies_are_those_of_the_formulas, a_rank_of_more_threads_weighs_more,
	  each_job_is_judged_by_its_own_time, load_balance_is_inner_times_outer,
	  offsets_of_hosts_are_found_within_the_error_stated,
	  a_host_that_never_finalized_is_aligned_by_the_time_of_day,
	  the_rank_that_differs_comes_first_and_says_why, a_small_difference_makes_no_outlier)

/* SPDX-License-Identifier: MIT */
/* T_i over the ranks of a job, from time lines whose answer is known. */
#include "analyze/model/mpi/job_concurrency.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

#define SHIFT  20
#define BIN_NS (1ull << SHIFT)
#define RANKS  200

static struct mpi_rank ranks_rows[RANKS];

/* A rank that lives for four bins, with a share of each useful; bins of 2^shift ns. Its useful time
 * is known to be `known` times what they say. */
static void add_known_rank(struct job_concurrency *job, struct mpi_ranks *ranks,
			   const double *shares, unsigned shift, double known)
{
	struct profile_timeline rows[64];
	unsigned more = 1u << (SHIFT - shift), count = 0;
	struct mpi_rank rank = {.rank = ranks->count,
				.process = ranks->count,
				.host = "a",
				.units = 1,
				.start_ns = 100 * BIN_NS,
				.end_ns = 104 * BIN_NS};

	for (unsigned i = 0; i < 4 * more; i++) {
		uint64_t ns = (uint64_t)(shares[i / more] * (double)(BIN_NS / more));

		rank.useful_ns += (double)ns;
		rows[count++] = (struct profile_timeline){.metric = TIMELINE_USEFUL,
							  .shift = shift,
							  .bin = 100 * more + i,
							  .time_ns = ns};
	}
	struct profile profile = {.timeline = {.rows = rows, .count = count}};
	struct mpi_source source = {.profile = &profile, .process = ranks->count};

	rank.useful_ns *= known;
	ranks->rows = ranks_rows;
	ranks->rows[ranks->count++] = rank;
	job_concurrency_add(job, &source, &rank);
}

static void add_rank(struct job_concurrency *job, struct mpi_ranks *ranks, const double *shares,
		     unsigned shift)
{
	add_known_rank(job, ranks, shares, shift, 1);
}

static struct efficiency finish_on(struct job_concurrency *job, struct mpi_ranks *ranks,
				   uint64_t processors)
{
	struct mpi_clocks clocks = mpi_clocks_of(ranks);
	struct efficiency useful =
		job_concurrency_of(job, JOB_USEFUL, ranks, &clocks, ranks->count, processors);

	mpi_clocks_clear(&clocks);
	job_concurrency_clear(job);
	return useful;
}

static struct efficiency finish(struct job_concurrency *job, struct mpi_ranks *ranks)
{
	return finish_on(job, ranks, 0);
}

static double level_bins(const struct efficiency *efficiency, uint64_t level)
{
	return (double)efficiency_level_ns(efficiency, level) / (double)BIN_NS;
}

static double sum_of_levels(const struct efficiency *efficiency)
{
	double sum = 0;

	for (size_t i = 0; i < efficiency->level_count; i++)
		sum += (double)efficiency->levels[i].time_ns;
	return sum;
}

/* Together in bin 0, alone in bins 1 and 2, nobody in bin 3: no guess is needed. */
START_TEST(full_and_empty_bins_say_it_all)
{
	static const double first[] = {1, 1, 0, 0}, second[] = {1, 0, 1, 0};
	struct job_concurrency job = {0};
	struct mpi_ranks ranks = {0};

	add_rank(&job, &ranks, first, SHIFT);
	add_rank(&job, &ranks, second, SHIFT - 3); /* shorter bins: brought to the longer ones */
	struct efficiency useful = finish(&job, &ranks);

	ck_assert_double_eq_tol(level_bins(&useful, 0), 1, 1e-4);
	ck_assert_double_eq_tol(level_bins(&useful, 1), 2, 1e-4);
	ck_assert_double_eq_tol(level_bins(&useful, 2), 1, 1e-4);
	ck_assert_double_eq_tol(useful.average, 1, 1e-4);
	ck_assert_double_eq_tol(useful.efficiency_percent, 50, 1e-2);
	ck_assert_int_eq(useful.grade, GRADE_ESTIMATED);
	efficiency_clear(&useful);
}
END_TEST

START_TEST(partial_bins_are_independent_chances)
{
	static const double first[] = {0.5, 0.5, 0.5, 0.5}, second[] = {0.25, 0.25, 0.25, 0.25};
	struct job_concurrency job = {0};
	struct mpi_ranks ranks = {0};

	add_rank(&job, &ranks, first, SHIFT);
	add_rank(&job, &ranks, second, SHIFT);
	struct efficiency useful = finish(&job, &ranks);

	ck_assert_double_eq_tol(level_bins(&useful, 0), 4 * 0.375, 1e-4);
	ck_assert_double_eq_tol(level_bins(&useful, 1), 4 * 0.5, 1e-4);
	ck_assert_double_eq_tol(level_bins(&useful, 2), 4 * 0.125, 1e-4);
	efficiency_clear(&useful);
}
END_TEST

/* Time lines that are off by 1.5 % would make the job's T_i break the law of a single process. */
START_TEST(time_lines_agree_with_what_is_known_within_one_percent)
{
	static const double shares[] = {1, 0.5, 0.5, 0};
	static const double known[] = {1 / 1.015, 1.015, 1.005};
	static const double expected[] = {2 / 1.015, 2 * 1.015, 2};

	for (int i = 0; i < 3; i++) {
		struct job_concurrency job = {0};
		struct mpi_ranks ranks = {0};

		add_known_rank(&job, &ranks, shares, SHIFT, known[i]);
		add_known_rank(&job, &ranks, shares, SHIFT, known[i]);
		struct efficiency useful = finish(&job, &ranks);

		ck_assert_double_eq_tol(useful.average, 2 * expected[i] / 4, 0.002);
		efficiency_clear(&useful);
	}
}
END_TEST

/* Four ranks that share two processors: independent, three or four would be active at times. */
START_TEST(never_more_are_active_than_there_are_processors)
{
	static const double shares[] = {0.4, 0.5, 0.05, 0};
	struct job_concurrency job = {0};
	struct mpi_ranks ranks = {0};

	for (int i = 0; i < 4; i++)
		add_rank(&job, &ranks, shares, SHIFT);
	struct efficiency useful = finish_on(&job, &ranks, 2);

	ck_assert_uint_eq(useful.levels[useful.level_count - 1].active, 2);
	ck_assert_double_eq_tol(useful.average, (1.6 + 2 + 0.2) / 4, 1e-4);
	ck_assert_double_eq_tol(sum_of_levels(&useful), 4.0 * (double)BIN_NS, 10);
	/* bin 0: 0.1792 beyond two take the place of what was at one; bin 1 is full */
	ck_assert_double_eq_tol(level_bins(&useful, 0), 0.1296 + 0 + 0.8145 + 1, 1e-3);
	ck_assert_double_eq_tol(level_bins(&useful, 2), 0.7296 + 1 + 0.0145, 1e-3);
	efficiency_clear(&useful);
}
END_TEST

/* 200 chances of 0.3, and their sum: the normal distribution instead of 2^200 cases. */
START_TEST(many_ranks_keep_mean_and_time)
{
	static const double shares[] = {0.3, 0.3, 1, 0};
	struct job_concurrency job = {0};
	struct mpi_ranks ranks = {0};

	for (size_t i = 0; i < RANKS; i++)
		add_rank(&job, &ranks, shares, SHIFT);
	struct efficiency useful = finish(&job, &ranks);

	ck_assert_double_eq_tol(useful.average, RANKS * 0.4, 0.01);
	ck_assert_double_eq_tol(level_bins(&useful, RANKS), 1, 1e-4);
	ck_assert_double_eq_tol(level_bins(&useful, 0), 1, 1e-4);
	/* binomial: C(200, 60) 0.3^60 0.7^140 = 0.0615 */
	ck_assert_double_eq_tol(level_bins(&useful, 60), 2 * 0.0615, 0.001);
	ck_assert_double_eq_tol(sum_of_levels(&useful), 4.0 * BIN_NS, 200);
	efficiency_clear(&useful);
}
END_TEST

START_TEST(a_rank_without_time_line_leaves_it_unknown)
{
	static const double shares[] = {1, 1, 1, 1};
	struct job_concurrency job = {0};
	struct mpi_ranks ranks = {0};

	add_rank(&job, &ranks, shares, SHIFT);
	add_rank(&job, &ranks, shares, SHIFT);
	ranks_rows[ranks.count++] =
		(struct mpi_rank){.rank = 2, .process = 2, .host = "a", .units = 1};
	struct efficiency useful = finish(&job, &ranks);

	ck_assert_int_eq(useful.grade, GRADE_UNKNOWN);
	ck_assert(isnan(useful.average));
	efficiency_clear(&useful);
}
END_TEST

UNIT_MAIN("job_concurrency", never_more_are_active_than_there_are_processors,
	  full_and_empty_bins_say_it_all, partial_bins_are_independent_chances,
	  time_lines_agree_with_what_is_known_within_one_percent, many_ranks_keep_mean_and_time,
	  a_rank_without_time_line_leaves_it_unknown)

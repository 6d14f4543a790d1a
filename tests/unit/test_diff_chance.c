/* SPDX-License-Identifier: MIT */
/* How often ptrace-diff is wrong: runs whose times vary by chance, of one program and of one that
 * takes longer. Elapsed times are lognormal, and one run in ten takes 1.2 to 2 times as long; CPU
 * times vary by 0.7 of that, half of it together with elapsed time. The numbers are made by a
 * generator with a fixed seed, so that each run of this test sees the same ones.
 *
 * CHANCE_TRIALS=20000 in the environment prints the table of docs/diff.md, of so many trials. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "tests/unit/drawn_runs.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TRIALS       1500 /* of runs that do not differ; a third of runs that do */
#define FACTOR_COUNT 3

static const double factors[FACTOR_COUNT] = {1.21, 1.4, 1.8};

static int draw_status(size_t runs, const double noise[2], double factor)
{
	struct side sides[2];

	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(runs, sizeof *sides->runs), runs};
		for (size_t i = 0; i < runs; i++)
			sides[side].runs[i] = draw_run(noise[side], side ? factor : 1);
	}
	struct changes changes = changes_of(sides, 5);
	int status = changes_status(&changes);

	changes_clear(&changes);
	side_clear(&sides[0]);
	side_clear(&sides[1]);
	return status;
}

/* The share of trials, percent, in which there is a change: for the worse, if there is one. */
static double rate_of(size_t runs, const double noise[2], double factor, int trials)
{
	int count = 0;

	draw_begin();
	for (int i = 0; i < trials; i++) {
		int status = draw_status(runs, noise, factor);

		count += factor > 1 ? status == 1 : status != 0;
	}
	return 100.0 * count / trials;
}

/* What is allowed, percent: false alarms at most, found at least, by factors[]. */
struct chance {
	size_t runs;
	double noise[2]; /* of the sides */
	double alarms, found[FACTOR_COUNT];
};

static void print_row(const struct chance *row, int trials)
{
	printf("| %zu | %.0f %% and %.0f %% | %.2f %% |", row->runs, 100 * row->noise[0],
	       100 * row->noise[1], rate_of(row->runs, row->noise, 1, trials));
	for (size_t i = 0; i < FACTOR_COUNT; i++)
		printf(" %.0f %% |", rate_of(row->runs, row->noise, factors[i], trials / 10));
	printf("\n");
	fflush(stdout);
}

static void check(const struct chance *row)
{
	const char *trials = getenv("CHANCE_TRIALS");

	if (trials) {
		print_row(row, atoi(trials));
		return;
	}
	double alarms = rate_of(row->runs, row->noise, 1, TRIALS);

	ck_assert_msg(alarms <= row->alarms, "false alarms: %g %%", alarms);
	for (size_t i = 0; i < FACTOR_COUNT; i++) {
		double found = rate_of(row->runs, row->noise, factors[i], TRIALS / 3);

		ck_assert_msg(found >= row->found[i], "x%g is found in %g %%", factors[i], found);
	}
}

#define CHANCE(name, ...)                                                                          \
	START_TEST(name)                                                                           \
	{                                                                                          \
		check(&(const struct chance){__VA_ARGS__});                                        \
	}                                                                                          \
	END_TEST

CHANCE(two_quiet, 2, {0.01, 0.01}, 1.5, {55, 60, 70})
CHANCE(two_usual, 2, {0.05, 0.05}, 2, {25, 55, 70})
CHANCE(two_noisy, 2, {0.15, 0.15}, 4, {5, 15, 40})
CHANCE(three_quiet, 3, {0.01, 0.01}, 0.5, {48, 60, 92})
CHANCE(three_usual, 3, {0.05, 0.05}, 1, {43, 60, 88})
CHANCE(three_noisy, 3, {0.15, 0.15}, 2, {6, 27, 68})
CHANCE(three_unequal, 3, {0.15, 0.01}, 3.5, {14, 40, 78})
CHANCE(five_quiet, 5, {0.01, 0.01}, 0.3, {45, 90, 99})
CHANCE(five_usual, 5, {0.05, 0.05}, 0.8, {45, 85, 99})
CHANCE(five_noisy, 5, {0.15, 0.15}, 1.5, {14, 55, 95})
CHANCE(five_unequal, 5, {0.15, 0.01}, 1.8, {22, 66, 96})

UNIT_MAIN("chance", two_quiet, two_usual, two_noisy, three_quiet, three_usual, three_noisy,
	  three_unequal, five_quiet, five_usual, five_noisy, five_unequal)

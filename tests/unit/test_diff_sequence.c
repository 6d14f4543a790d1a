/* SPDX-License-Identifier: MIT */
/* How often a series of runs that ends as soon as it is certain (ptrace-diff --run) is wrong: each
 * look at the runs so far is one more chance to err.
 *
 * CHANCE_TRIALS=20000 in the environment prints the table of docs/diff.md, of so many trials. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/sequence.h"
#include "tests/unit/drawn_runs.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#define PAIRS  10  /* at most */
#define TRIALS 600 /* of runs that do not differ; a third of runs that do */

static struct side sides[2];

#define BESIDE 0 /* in place of a spread: beside other programs */

static struct drawn_load load;

/* Old, new, new, old and so on. */
static void draw_pair(double noise, double factor)
{
	for (size_t i = 0, first = sides[0].count % 2; i < 2; i++) {
		size_t side = i ^ first;
		double takes = side ? factor : 1;

		sides[side].runs[sides[side].count++] =
			noise > BESIDE ? draw_run(noise, takes) : draw_run_beside(&load, takes);
	}
}

/* The verdict so far; is it certain? */
static bool look(int *status)
{
	struct changes changes = changes_of(sides, 5);
	bool is_certain = sequence_is_certain(&changes);

	*status = changes_status(&changes);
	changes_clear(&changes);
	return is_certain;
}

static int draw_series(double noise, double factor, size_t *pairs)
{
	int status = 0;

	load = (struct drawn_load){.drift = noise > BESIDE ? 0 : DRIFT * draw_normal(),
				   .inflation = 0.3};
	for (size_t side = 0; side < 2; side++)
		sides[side] = (struct side){memory_allocate(PAIRS, sizeof *sides->runs), 0};
	for (size_t made = 1; made <= PAIRS; made++) {
		draw_pair(noise, factor);
		*pairs = made;
		if (sequence_is_look(made, PAIRS) && look(&status))
			break;
	}
	side_clear(&sides[0]);
	side_clear(&sides[1]);
	return status;
}

struct rate {
	double percent; /* of the series with a change: for the worse, if there is one */
	double pairs;   /* on average */
};

static struct rate rate_of(double noise, double factor, int trials)
{
	struct rate rate = {0, 0};

	draw_begin();
	for (int i = 0; i < trials; i++) {
		size_t pairs = 0;
		int status = draw_series(noise, factor, &pairs);

		rate.percent += 100.0 / trials * (factor > 1 ? status == 1 : status != 0);
		rate.pairs += (double)pairs / trials;
	}
	return rate;
}

static void print_row(double noise, int trials)
{
	static const double factors[] = {1, 1.1, 1.21, 1.4};

	printf("| %.0f %% |", 100 * noise);
	for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
		struct rate rate = rate_of(noise, factors[i], i ? trials / 10 : trials);

		printf(" %.*f %%, %.1f |", i ? 0 : 2, rate.percent, rate.pairs);
	}
	printf("\n");
	fflush(stdout);
}

/* alarms: percent at most; found, of +40 %: at least; with at most so many pairs on average. */
static void check(double noise, double alarms, double found, double pairs)
{
	const char *trials = getenv("CHANCE_TRIALS");

	if (trials) {
		print_row(noise, atoi(trials));
		return;
	}
	struct rate same = rate_of(noise, 1, TRIALS), slower = rate_of(noise, 1.4, TRIALS / 3);

	ck_assert_msg(same.percent <= alarms, "false alarms: %g %%", same.percent);
	ck_assert_msg(slower.percent >= found, "x1.4 is found in %g %%", slower.percent);
	ck_assert_msg(slower.pairs <= pairs, "it takes %g pairs", slower.pairs);
}

START_TEST(quiet)
{
	check(0.01, 0.7, 99, 5.5);
}
END_TEST

START_TEST(usual)
{
	check(0.05, 1, 98, 7);
}
END_TEST

START_TEST(noisy)
{
	check(0.15, 2, 70, 10);
}
END_TEST

/* Their share hides all at the first look. */
START_TEST(beside_others)
{
	check(BESIDE, 0.5, 98, 8);
}
END_TEST

/* Few looks, and always one at the end. */
START_TEST(looks)
{
	static const size_t pairs[] = {3, 5, 8, 10};
	size_t count = 0;

	for (size_t i = 1; i <= 10; i++)
		if (sequence_is_look(i, 10))
			ck_assert_uint_eq(i, pairs[count++]);
	ck_assert_uint_eq(count, 4);
	ck_assert(sequence_is_look(1, 1));
	ck_assert(!sequence_is_look(1, 2) && sequence_is_look(2, 2));
}
END_TEST

UNIT_MAIN("sequence", quiet, usual, noisy, beside_others, looks)

/* SPDX-License-Identifier: MIT */
/* Several runs a side beside other programs that have most of the time: their CPU times are judged
 * by their spread, if they were taken in turn. How often that is wrong, and what it finds.
 *
 * CHANCE_TRIALS=20000 in the environment prints the table of docs/diff/evidence.md, of so many
 * trials. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/headline.h"
#include "analyze/diff/metrics.h"
#include "tests/unit/drawn_runs.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIALS 1500 /* of runs that do not differ; a third of runs that do */

static struct side sides[2];

/* A, B, B, A, A, B and so on. */
static void draw_sides(size_t runs, double inflation, double factor)
{
	struct drawn_load load = {.drift = DRIFT * draw_normal(), .inflation = inflation};

	for (size_t side = 0; side < 2; side++)
		sides[side] = (struct side){memory_allocate(runs, sizeof *sides->runs), 0};
	for (size_t i = 0; i < 2 * runs; i++) {
		size_t side = (i + i / 2) % 2;

		sides[side].runs[sides[side].count++] = draw_run_beside(&load, side ? factor : 1);
	}
}

static int status_of(unsigned metrics)
{
	struct changes changes = changes_of_metrics(sides, 5, metrics);
	int status = changes_status(&changes);

	changes_clear(&changes);
	return status;
}

static void clear(void)
{
	side_clear(&sides[0]);
	side_clear(&sides[1]);
}

/* The share of trials, percent, in which there is a change: for the worse, if there is one. */
static double rate_of(size_t runs, double inflation, double factor, int trials)
{
	int count = 0;

	draw_begin();
	for (int i = 0; i < trials; i++) {
		draw_sides(runs, inflation, factor);
		int status = status_of(METRICS_DEFAULT);

		count += factor > 1 ? status == 1 : status != 0;
		clear();
	}
	return 100.0 * count / trials;
}

static void print_row(size_t runs, double inflation, int trials)
{
	static const double factors[] = {1.1, 1.25, 1.4};

	printf("| %zu | %.1f | %.2f %% |", runs, inflation, rate_of(runs, inflation, 1, trials));
	for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
		printf(" %.0f %% |", rate_of(runs, inflation, factors[i], trials / 10));
	printf("\n");
	fflush(stdout);
}

/* alarms: percent at most; found, of +25 %: at least. */
static void check(size_t runs, double inflation, double alarms, double found)
{
	const char *trials = getenv("CHANCE_TRIALS");

	if (trials) {
		print_row(runs, inflation, atoi(trials));
		return;
	}
	double wrong = rate_of(runs, inflation, 1, TRIALS);
	double right = rate_of(runs, inflation, 1.25, TRIALS / 3);

	ck_assert_msg(wrong <= alarms, "false alarms: %g %%", wrong);
	ck_assert_msg(right >= found, "+25 %% is found in %g %%", right);
}

#define CHANCE(name, ...)                                                                          \
	START_TEST(name)                                                                           \
	{                                                                                          \
		check(__VA_ARGS__);                                                                \
	}                                                                                          \
	END_TEST

CHANCE(three_a_side, 3, 0.3, 0.5, 0)
CHANCE(five_a_side, 5, 0.3, 0.5, 90)
CHANCE(ten_a_side, 10, 0.3, 0.5, 99)
CHANCE(three_much_longer, 3, 1.2, 0.5, 0)
CHANCE(five_much_longer, 5, 1.2, 0.5, 70)
CHANCE(ten_much_longer, 10, 1.2, 0.5, 95)

/* ---- what the rule asks for */

static void set_time(struct side_run *run, double cpu_ns, double others)
{
	*run = (struct side_run){.figures = figures_create(), .elapsed_ns = cpu_ns / (1 - others)};
	run->figures->neighbours = others;
	add_disturbed(run->figures, "elapsed time", run->elapsed_ns, others * run->elapsed_ns,
		      false);
	add_disturbed(run->figures, "CPU time", cpu_ns, others * cpu_ns, true);
}

/* others: their share of the time, of each side. B takes a quarter more than A, and the runs of a
 * side differ by 1 %. */
static void make_sides(size_t runs, double others_of_a, double others_of_b)
{
	const double others[] = {others_of_a, others_of_b}, factors[] = {1, 1.25};

	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(runs, sizeof *sides->runs), runs};
		for (size_t i = 0; i < runs; i++)
			set_time(&sides[side].runs[i],
				 350e6 * factors[side] * (1 + 0.01 * (double)(i % 3)),
				 others[side]);
	}
}

static void set_starts(bool is_in_turn)
{
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side].count; i++)
			sides[side].runs[i].start =
				memory_print("2026-01-01T00:%02zu:%02zu+00:00",
					     is_in_turn ? i : side, is_in_turn ? side : i);
}

static int status_of_cpu(void)
{
	int status = status_of(METRIC_BIT(METRIC_CPU));

	clear();
	return status;
}

START_TEST(five_runs_in_turn_show_a_quarter)
{
	make_sides(5, 0.7, 0.7);
	set_starts(true);
	ck_assert_int_eq(status_of_cpu(), 1);
	make_sides(5, 0.7, 0.7); /* nothing is known about their order */
	ck_assert_int_eq(status_of_cpu(), 1);
}
END_TEST

START_TEST(four_runs_do_not)
{
	make_sides(4, 0.7, 0.7);
	set_starts(true);
	ck_assert_int_eq(status_of_cpu(), 0);
}
END_TEST

/* Other programs may have changed in the meantime, and no spread shows that. */
START_TEST(nor_does_one_side_after_the_other)
{
	make_sides(5, 0.7, 0.7);
	set_starts(false);
	ck_assert_int_eq(status_of_cpu(), 0);
}
END_TEST

/* 1.5 x (0.75 - 0.55) is more than a quarter; less load beside B makes the change only larger. */
START_TEST(nor_with_more_load_beside_one_side)
{
	make_sides(5, 0.55, 0.75);
	set_starts(true);
	ck_assert_int_eq(status_of_cpu(), 0);
	make_sides(5, 0.75, 0.55);
	set_starts(true);
	ck_assert_int_eq(status_of_cpu(), 1);
}
END_TEST

/* ---- the routine in which it is spent */

#define MS 1e6

/* Samples are few, so that a routine's time is told to a quarter: it takes 2.25 times as long,
 * which is beyond its noise, and not beyond twice that. */
static void add_routines(void)
{
	static const double times_ms[2][5] = {{50, 60, 70, 85, 100}, {112, 135, 158, 191, 225}};

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < 5; i++)
			figures_add(sides[side].runs[i].figures,
				    &(struct figure){.section = SECTION_ROUTINES,
						     .key = "transform",
						     .metric = "self",
						     .unit = UNIT_NS,
						     .sense = SENSE_LESS,
						     .role = ROLE_CAUSE,
						     .grade = GRADE_SAMPLED,
						     .value = times_ms[side][i] * MS,
						     .error = 5 * MS,
						     .effect_ns = times_ms[side][i] * MS,
						     .is_cpu = true});
}

START_TEST(routine_decides_with_a_certain_cpu_time)
{
	make_sides(5, 0.7, 0.7);
	add_routines();
	ck_assert_int_eq(status_of(METRIC_BIT(METRIC_ROUTINES)), 1);
	clear();
	make_sides(5, 0.7, 0.7); /* as little certain as three runs are */
	add_routines();
	set_starts(false);
	ck_assert_int_eq(status_of(METRIC_BIT(METRIC_ROUTINES)), 0);
	clear();
}
END_TEST

/* ---- what the first line names */

/* Three runs a side beside calm neighbours, with a routine that is new and one that hardly counts.
 */
static void make_calm_sides(double others)
{
	static const double cpu_ms[2][3] = {{337, 343, 344}, {386, 383, 382}};

	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(3, sizeof *sides->runs), 3};
		for (size_t i = 0; i < 3; i++)
			set_time(&sides[side].runs[i], cpu_ms[side][i] * MS,
				 others + 0.1 * (double)((i + side) % 3));
	}
}

static void add_new_routine(void)
{
	static const char *const metrics[] = {"self", "total"};

	for (size_t i = 0; i < 6; i++)
		figures_add(sides[1].runs[i / 2].figures,
			    &(struct figure){.section = SECTION_ROUTINES,
					     .key = "verify (app)",
					     .shown = "verify (app.c)",
					     .at = "verify (app.c:19)",
					     .metric = metrics[i % 2],
					     .unit = UNIT_NS,
					     .sense = SENSE_LESS,
					     .role = i % 2 ? ROLE_EXPLAINS : ROLE_CAUSE,
					     .grade = GRADE_SAMPLED,
					     .value = 42 * MS,
					     .error = 7 * MS,
					     .effect_ns = 42 * MS,
					     .is_cpu = true});
}

START_TEST(first_line_names_the_evidence)
{
	make_calm_sides(0.2);
	add_new_routine();
	struct changes changes = changes_of_metrics(sides, 5, METRICS_DEFAULT);
	char *headline = headline_text(&changes, sides);

	ck_assert_str_eq(headline, "worse: CPU time 343 ms -> 383 ms (+12 %): new: verify "
				   "(app.c:19), 11 % of the CPU time; elapsed undecided, "
				   "neighbours used 0.30 processors");
	free(headline);
	changes_clear(&changes);
	clear();
}
END_TEST

/* CPU time is certain, and where it went is not. */
START_TEST(first_line_says_what_it_may_be)
{
	static const double times_ms[2][3] = {{30, 60, 110}, {60, 100, 160}};

	make_calm_sides(0.2);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < 3; i++)
			figures_add(sides[side].runs[i].figures,
				    &(struct figure){.section = SECTION_ROUTINES,
						     .key = "transform",
						     .metric = "self",
						     .unit = UNIT_NS,
						     .sense = SENSE_LESS,
						     .role = ROLE_CAUSE,
						     .grade = GRADE_SAMPLED,
						     .value = times_ms[side][i] * MS,
						     .error = 10 * MS,
						     .effect_ns = times_ms[side][i] * MS,
						     .is_cpu = true});
	struct changes changes = changes_of_metrics(sides, 5, METRICS_DEFAULT);
	char *headline = headline_text(&changes, sides);
	static const char begin[] = "worse: CPU time 343 ms -> 383 ms (+12 %): perhaps transform "
				    "60.0 ms -> 100 ms (+67 %, within noise: would need ";

	ck_assert_msg(!strncmp(headline, begin, strlen(begin)), "%s", headline);
	free(headline);
	changes_clear(&changes);
	clear();
}
END_TEST

UNIT_MAIN("beside", three_a_side, five_a_side, ten_a_side, three_much_longer, five_much_longer,
	  ten_much_longer, five_runs_in_turn_show_a_quarter, four_runs_do_not,
	  nor_does_one_side_after_the_other, nor_with_more_load_beside_one_side,
	  routine_decides_with_a_certain_cpu_time, first_line_names_the_evidence,
	  first_line_says_what_it_may_be)

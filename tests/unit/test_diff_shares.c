/* SPDX-License-Identifier: MIT */
/* How often evidence by shares of the CPU time is wrong, and how often it finds what times do not
 * show: runs beside other programs, whose times vary by 30 %, of a program with a dozen routines,
 * whose parts of it vary by 4 % and by sampling (a sample a millisecond).
 *
 * CHANCE_TRIALS=20000 in the environment prints the rates of docs/diff.md, of so many trials. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/metrics.h"
#include "tests/unit/drawn_runs.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#define NOISE    0.3
#define UNEVEN   0.04
#define TRIALS   400
#define ROUTINES 12
#define TIMES    (METRIC_BIT(METRIC_ELAPSED) | METRIC_BIT(METRIC_CPU))

/* Percent of the CPU time. */
static const double parts[ROUTINES] = {30, 20, 12, 8, 7, 6, 5, 4, 3, 2, 2, 1};

static void add_routine(struct figures *figures, size_t number, double ns)
{
	char name[8];
	double samples = fmax(1, ns / 1e6),
	       told = ns * fmax(0.1, 1 + draw_normal() / sqrt(samples));

	snprintf(name, sizeof name, "r%zu", number);
	figures_add(figures, &(struct figure){.section = SECTION_ROUTINES,
					      .key = name,
					      .metric = "self",
					      .unit = UNIT_NS,
					      .sense = SENSE_LESS,
					      .role = ROLE_CAUSE,
					      .grade = GRADE_SAMPLED,
					      .value = told,
					      .error = told / sqrt(samples),
					      .effect_ns = told,
					      .is_cpu = true});
}

/* added: percent of the CPU time that the first routine takes more. */
static struct side_run draw_program(double added)
{
	struct side_run run = draw_run(NOISE, 1 + added / 100);
	double cpu = figures_find(run.figures, SECTION_OVERVIEW, "CPU time", "time")->value;

	for (size_t i = 0; i < ROUTINES; i++) {
		double percent = parts[i] + (i ? 0 : added);

		add_routine(run.figures, i,
			    cpu * percent / (100 + added) * exp(UNEVEN * draw_normal()));
	}
	return run;
}

static int draw_status(size_t runs, double added, unsigned metrics)
{
	struct side sides[2];

	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(runs, sizeof *sides->runs), runs};
		for (size_t i = 0; i < runs; i++)
			sides[side].runs[i] = draw_program(side ? added : 0);
	}
	struct changes changes = changes_of_metrics(sides, 5, metrics);
	int status = changes_status(&changes);

	changes_clear(&changes);
	side_clear(&sides[0]);
	side_clear(&sides[1]);
	return status;
}

/* Percent of the trials with a change: for the worse, if there is one. */
static double rate_of(size_t runs, double added, unsigned metrics, int trials)
{
	int count = 0;

	draw_begin();
	for (int i = 0; i < trials; i++) {
		int status = draw_status(runs, added, metrics);

		count += added > 0 ? status == 1 : status != 0;
	}
	return 100.0 * count / trials;
}

static void print_row(size_t runs, int trials)
{
	static const unsigned metrics[] = {TIMES, METRICS_DEFAULT};

	printf("| %zu |", runs);
	for (size_t i = 0; i < 2; i++)
		printf(" %.2f %% |", rate_of(runs, 0, metrics[i], trials));
	for (size_t i = 0; i < 2; i++)
		printf(" %.0f %% |", rate_of(runs, 25, metrics[i], trials / 10));
	printf("\n");
}

/* alarms: percent at most; found, of +25 %: at least, and more than times find. */
static void check(size_t runs, double alarms, double found)
{
	const char *trials = getenv("CHANCE_TRIALS");

	if (trials) {
		print_row(runs, atoi(trials));
		return;
	}
	double wrong = rate_of(runs, 0, METRICS_DEFAULT, TRIALS);
	double right = rate_of(runs, 25, METRICS_DEFAULT, TRIALS / 4);

	ck_assert_msg(wrong <= alarms, "false alarms: %g %%", wrong);
	ck_assert_msg(right >= found, "+25 %% is found in %g %%", right);
	ck_assert_msg(right > rate_of(runs, 25, TIMES, TRIALS / 4), "times find as much");
}

START_TEST(three_a_side)
{
	check(3, 4, 18);
}
END_TEST

START_TEST(five_a_side)
{
	check(5, 3, 50);
}
END_TEST

START_TEST(ten_a_side)
{
	check(10, 2, 68);
}
END_TEST

UNIT_MAIN("shares", three_a_side, five_a_side, ten_a_side)

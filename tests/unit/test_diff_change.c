/* SPDX-License-Identifier: MIT */
/* Matching of figures, verdicts, and which of them decide. */
#include "analyze/diff/change.h"
#include "analyze/diff/headline.h"
#include "analyze/memory.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS 1e6

static struct side sides[2];

static struct side_run a_run(double elapsed_ms, double cpu_ms)
{
	struct side_run run = {.figures = figures_create(), .elapsed_ns = elapsed_ms * MS};
	struct figure figure = {.section = SECTION_OVERVIEW,
				.metric = "time",
				.unit = UNIT_NS,
				.sense = SENSE_LESS,
				.role = ROLE_DECIDES};

	figure.key = "elapsed time";
	figure.value = figure.effect_ns = elapsed_ms * MS;
	figures_add(run.figures, &figure);
	figure.key = "CPU time";
	figure.value = cpu_ms * MS;
	figure.effect_ns = figure.value / fmax(1, cpu_ms / elapsed_ms);
	figures_add(run.figures, &figure);
	return run;
}

static struct side a_side(size_t count, const double *elapsed_ms, double cpu_ms)
{
	struct side side = {memory_allocate(count, sizeof *side.runs), count};

	for (size_t i = 0; i < count; i++)
		side.runs[i] = a_run(elapsed_ms[i], cpu_ms);
	return side;
}

static void start(size_t count, const double *a_ms, const double *b_ms)
{
	sides[0] = a_side(count, a_ms, 500);
	sides[1] = a_side(count, b_ms, 500);
}

/* A cause of one run each, of which all is elapsed time. */
static void add_routine(size_t side, const char *name, double ms, double error_ms)
{
	figures_add(sides[side].runs[0].figures, &(struct figure){.section = SECTION_ROUTINES,
								  .key = name,
								  .metric = "self",
								  .unit = UNIT_NS,
								  .sense = SENSE_LESS,
								  .role = ROLE_CAUSE,
								  .value = ms * MS,
								  .error = error_ms * MS,
								  .effect_ns = ms * MS});
}

static struct changes end(void)
{
	return changes_of(sides, 5);
}

static void clear(struct changes *changes)
{
	changes_clear(changes);
	side_clear(&sides[0]);
	side_clear(&sides[1]);
}

static void check_elapsed(size_t count, const double *a_ms, const double *b_ms,
			  enum verdict verdict, int status)
{
	start(count, a_ms, b_ms);
	struct changes changes = end();

	ck_assert_int_eq(changes.elapsed->verdict, verdict);
	ck_assert_int_eq(changes_status(&changes), status);
	clear(&changes);
}

#define ELAPSED(verdict, status, count, ...)                                                       \
	do {                                                                                       \
		const double both[2][count] = __VA_ARGS__;                                         \
		check_elapsed(count, both[0], both[1], verdict, status);                           \
	} while (0)

START_TEST(one_run_a_side)
{
	ELAPSED(VERDICT_NONE, 0, 1, {{1000}, {1049}});
	ELAPSED(VERDICT_WORSE, 1, 1, {{1000}, {1051}});
	ELAPSED(VERDICT_BETTER, 3, 1, {{1000}, {900}});
}
END_TEST

START_TEST(several_runs_a_side)
{
	ELAPSED(VERDICT_WORSE, 1, 3, {{1000, 1010, 990}, {1200, 1210, 1190}});
	ELAPSED(VERDICT_BETTER, 3, 3, {{1000, 1010, 990}, {800, 810, 790}});
	/* They do not overlap, but lie no further apart than the runs of a side. */
	ELAPSED(VERDICT_NOISE, 0, 3, {{900, 1000, 950}, {1010, 1110, 1060}});
	/* One overlaps. */
	ELAPSED(VERDICT_NOISE, 0, 3, {{1000, 1010, 1205}, {1200, 1210, 1190}});
	/* Beyond noise, but less than 5 %. */
	ELAPSED(VERDICT_NONE, 0, 3, {{1000, 1001, 999}, {1040, 1041, 1039}});
	ELAPSED(VERDICT_WORSE, 1, 2, {{1000, 1010}, {1200, 1190}});
}
END_TEST

/* 100 ms +- 10 against 130 ms +- 11: three errors are 45 ms. */
START_TEST(sampling_errors)
{
	const double a[] = {1000}, b[] = {1200};

	start(1, a, b);
	add_routine(0, "unsure", 100, 10);
	add_routine(1, "unsure", 130, 11);
	add_routine(0, "sure", 100, 1);
	add_routine(1, "sure", 160, 1);
	struct changes changes = end();

	ck_assert_int_eq(changes_find(&changes, SECTION_ROUTINES, "unsure", "self")->verdict,
			 VERDICT_NOISE);
	const struct change *sure = changes_find(&changes, SECTION_ROUTINES, "sure", "self");

	ck_assert_int_eq(sure->verdict, VERDICT_WORSE);
	ck_assert(sure->counts);
	ck_assert_ptr_eq(headline_cause(&changes), sure);
	char *headline = headline_text(&changes, sides);

	ck_assert_str_eq(headline, "worse: elapsed time 1.00 s -> 1.20 s (+20 %): "
				   "sure takes 60.0 ms more CPU time (+60 %)");
	free(headline);
	clear(&changes);
}
END_TEST

/* A routine that got another name: new, gone, and no change of the run. */
START_TEST(renamed_routine)
{
	const double a[] = {1000}, b[] = {1001};

	start(1, a, b);
	add_routine(0, "old", 500, 5);
	add_routine(1, "new", 500, 5);
	struct changes changes = end();
	const struct change *gone = changes_find(&changes, SECTION_ROUTINES, "old", "self");

	ck_assert_int_eq(gone->verdict, VERDICT_GONE);
	ck_assert_int_eq(changes_find(&changes, SECTION_ROUTINES, "new", "self")->verdict,
			 VERDICT_NEW);
	ck_assert(gone->counts && !gone->decides);
	ck_assert_int_eq(changes_status(&changes), 0);
	ck_assert_double_eq_tol(gone->effect_ns, -500 * MS, 1);
	clear(&changes);
}
END_TEST

/* Figures of one name are one, and what is unknown of one run takes no part. */
START_TEST(uniting)
{
	struct figures *figures = figures_create();
	struct figure figure = {
		.section = SECTION_WAITS, .key = "k", .metric = "m", .value = 3, .error = 3};

	figures_add(figures, &figure);
	figure.value = 4;
	figure.error = 4;
	figures_add(figures, &figure);
	figure.metric = "largest";
	figure.unite = UNITE_MAX;
	figures_add(figures, &figure);
	figure.value = 2;
	figures_add(figures, &figure);
	ck_assert_uint_eq(figures->count, 2);
	ck_assert_double_eq(figures_find(figures, SECTION_WAITS, "k", "m")->value, 7);
	ck_assert_double_eq(figures_find(figures, SECTION_WAITS, "k", "m")->error, 5);
	ck_assert_double_eq(figures_find(figures, SECTION_WAITS, "k", "largest")->value, 4);
	ck_assert_ptr_null(figures_find(figures, SECTION_MPI, "k", "m"));
	figures_destroy(figures);
}
END_TEST

UNIT_MAIN("changes", one_run_a_side, several_runs_a_side, sampling_errors, renamed_routine, uniting)

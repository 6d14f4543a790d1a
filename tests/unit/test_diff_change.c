/* SPDX-License-Identifier: MIT */
/* Matching of figures, verdicts, and which of them decide. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/headline.h"
#include "analyze/diff/metrics.h"
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

static void check_headline(const struct changes *changes, const char *wanted)
{
	char *headline = headline_text(changes, sides);

	ck_assert_str_eq(headline, wanted);
	free(headline);
}

/* A spread of a tenth on both sides: a quarter of the time is no chance. */
START_TEST(ratios_with_a_spread)
{
	ELAPSED(VERDICT_BETTER, 3, 3, {{1720, 1560, 1900}, {460, 420, 510}});
	ELAPSED(VERDICT_WORSE, 1, 3, {{460, 420, 510}, {1720, 1560, 1900}});
}
END_TEST

/* The limit stands in the first line, and how many runs it would take. */
START_TEST(undecided_says_what_it_would_take)
{
	const double a[] = {1000, 1150, 900}, b[] = {760, 880, 700}, c[] = {940, 1080, 850};
	const double d[] = {1010, 1160, 910};

	start(3, a, b);
	struct changes changes = end();
	size_t runs = changes_runs_needed(&changes);

	ck_assert_int_eq(changes.elapsed->verdict, VERDICT_NOISE);
	ck_assert(changes_is_unsure(&changes) && runs > 3 && runs < 12);
	char *wanted = memory_print(
		"cannot tell: elapsed time 1.00 s -> 760 ms (-24 %%, would need "
		"%.0f %%): about %zu runs a side would",
		-100 * changes.elapsed->limit / changes.elapsed->sides[0].median, runs);

	check_headline(&changes, wanted);
	free(wanted);
	ck_assert_double_gt(changes.elapsed->limit, 0.24 * 1000 * MS);
	clear(&changes);
	start(3, a, c);
	changes = end();
	ck_assert_uint_gt(changes_runs_needed(&changes), 30);
	char *headline = headline_text(&changes, sides);

	ck_assert_ptr_nonnull(strstr(headline, "it would take more than 30 runs a side"));
	free(headline);
	clear(&changes);
	/* and of no change, which ones would not have shown */
	start(3, a, d);
	changes = end();
	ck_assert(!changes_is_unsure(&changes));
	ck_assert_uint_eq(changes_runs_needed(&changes), 0);
	headline = headline_text(&changes, sides);
	ck_assert_ptr_nonnull(strstr(headline,
				     "no significant change: elapsed time 1.00 s -> 1.01 s "
				     "(+1.0 %, would show from +"));
	free(headline);
	clear(&changes);
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

/* ---- on a busy machine */

/* What each run had of elapsed time and CPU time, and of it beta; what neighbours had, in
 * processors; all of which they may account for. */
struct busy {
	double elapsed_ms, cpu_ms, beta_ms, neighbours;
};

static void add_busy(size_t side, size_t run, const struct busy *busy)
{
	struct side_run *row = &sides[side].runs[run];
	double share = busy->neighbours / (busy->neighbours + busy->cpu_ms / busy->elapsed_ms);
	struct figure figure = {.section = SECTION_OVERVIEW,
				.metric = "time",
				.unit = UNIT_NS,
				.sense = SENSE_LESS,
				.role = ROLE_DECIDES};

	*row = (struct side_run){.figures = figures_create(), .elapsed_ns = busy->elapsed_ms * MS};
	row->figures->neighbours = busy->neighbours;
	figure.key = "elapsed time";
	figure.value = figure.effect_ns = busy->elapsed_ms * MS;
	figure.disturbance = busy->neighbours * busy->elapsed_ms * MS;
	figures_add(row->figures, &figure);
	figure.key = "CPU time";
	figure.is_cpu = true;
	figure.value = figure.effect_ns = busy->cpu_ms * MS;
	figure.disturbance = share * figure.value;
	figures_add(row->figures, &figure);
	figure.section = SECTION_ROUTINES;
	figure.key = "beta";
	figure.metric = "self";
	figure.role = ROLE_CAUSE;
	figure.value = figure.effect_ns = busy->beta_ms * MS;
	figure.disturbance = share * figure.value;
	figure.error = 3 * MS;
	figures_add(row->figures, &figure);
}

static struct changes compare_busy(size_t count, const struct busy *a, const struct busy *b)
{
	const struct busy *both[] = {a, b};

	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(count, sizeof(struct side_run)), count};
		for (size_t run = 0; run < count; run++)
			add_busy(side, run, &both[side][run]);
	}
	return end();
}

/* Neighbours made elapsed time so unsteady that it says nothing; CPU times are not affected. */
START_TEST(cpu_times_have_a_spread_of_their_own)
{
	static const struct busy a[] = {
		{1000, 900, 101, 0.4}, {1600, 905, 99, 0.6}, {1300, 895, 100, 0.5}};
	static const struct busy b[] = {
		{1200, 982, 182, 0.5}, {1900, 977, 181, 0.6}, {1500, 987, 183, 0.4}};
	struct changes changes = compare_busy(3, a, b);
	const struct change *beta = changes_find(&changes, SECTION_ROUTINES, "beta", "self");

	ck_assert_int_eq(changes.elapsed->verdict, VERDICT_NOISE);
	ck_assert(changes.is_undecided);
	ck_assert_int_eq(beta->verdict, VERDICT_WORSE);
	ck_assert(beta->counts && beta->decides);
	ck_assert_int_eq(changes_status(&changes), 1);
	check_headline(&changes, "worse: beta: +82 % CPU time; elapsed undecided, neighbours used "
				 "0.50 processors");
	clear(&changes);
}
END_TEST

/* The same program, with more other programs beside it the second time. */
START_TEST(one_run_a_side_beside_others_cannot_tell)
{
	static const struct busy calm = {1000, 500, 100, 0.5}, crowded = {1800, 650, 140, 1.3};
	struct changes changes = compare_busy(1, &calm, &crowded);

	ck_assert(changes_cannot_tell(&changes));
	ck_assert_int_eq(changes_status(&changes), 0);
	check_headline(&changes, "cannot tell: elapsed time 1.00 s -> 1.80 s (+80 %), CPU time "
				 "500 ms -> 650 ms (+30 %): neighbours used 0.90 processors");
	clear(&changes);
	changes = compare_busy(1, &crowded, &calm);
	ck_assert_int_eq(changes_status(&changes), 0);
	clear(&changes);
	/* more than all that others can have taken */
	static const struct busy slow = {4000, 650, 140, 0.5}; /* of 4 s at most 2 s */

	changes = compare_busy(1, &calm, &slow);
	ck_assert(!changes_cannot_tell(&changes));
	ck_assert_int_eq(changes.elapsed->verdict, VERDICT_WORSE);
	ck_assert_int_eq(changes_status(&changes), 1);
	clear(&changes);
}
END_TEST

/* Three runs a side do not help where others had most of the time: CPU times cannot be relied on
 * then. They do where others had little of it, and shares of the CPU time do at any time. */
START_TEST(several_runs_a_side_beside_others)
{
	static const struct busy a[] = {
		{2600, 201, 100, 1.7}, {1900, 201, 100, 1.3}, {2000, 201, 100, 1.4}};
	static const struct busy b[] = {
		{2000, 301, 200, 1.2}, {2700, 301, 200, 1.6}, {2800, 301, 200, 1.7}};
	struct changes changes = compare_busy(3, a, b);

	ck_assert_int_eq(changes_status(&changes), 1);
	check_headline(&changes, "worse: beta: 66 % of the CPU time instead of 50 %; elapsed time "
				 "2.00 s -> 2.70 s (+35 %, within noise: would need x2.3)");
	changes_clear(&changes);
	changes = changes_of_metrics(sides, 5, METRIC_BIT(METRIC_ELAPSED) | METRIC_BIT(METRIC_CPU));
	ck_assert(changes_cannot_tell(&changes));
	char *headline = headline_text(&changes, sides);

	ck_assert_ptr_nonnull(strstr(headline, "(+35 %, within noise: would need x"));
	ck_assert_ptr_nonnull(strstr(headline, "1.48 processors: it would take more than 30 runs"));
	free(headline);
	ck_assert_int_eq(changes_status(&changes), 0);
	clear(&changes);
	static const struct busy c[] = {
		{1000, 900, 101, 0.4}, {1600, 905, 99, 0.6}, {1300, 895, 100, 0.5}};
	static const struct busy d[] = {
		{1200, 902, 101, 0.5}, {1900, 897, 100, 0.6}, {1500, 907, 102, 0.4}};

	changes = compare_busy(3, c, d);
	ck_assert(!changes_cannot_tell(&changes));
	ck_assert_int_eq(changes_status(&changes), 0);
	check_headline(&changes, "no significant change: CPU time 900 ms -> 902 ms (+0.2 %); "
				 "elapsed undecided, neighbours used 0.50 processors");
	clear(&changes);
}
END_TEST

/* Elapsed time is a little disturbed, CPU time hardly: CPU time decides. */
START_TEST(quiet_cpu_time_is_the_judge)
{
	static const struct busy a = {1000, 4000, 1000, 0.1}, same = {1090, 4020, 1010, 0.12};
	static const struct busy more = {1090, 4900, 1820, 0.12};
	struct changes changes = compare_busy(1, &a, &same);

	ck_assert(!changes_cannot_tell(&changes));
	ck_assert_int_eq(changes_status(&changes), 0);
	check_headline(&changes, "no significant change: CPU time 4.00 s -> 4.02 s (+0.5 %); "
				 "elapsed undecided, neighbours used 0.11 processors");
	clear(&changes);
	changes = compare_busy(1, &a, &more);
	ck_assert_int_eq(changes_status(&changes), 1);
	check_headline(&changes, "worse: beta: +82 % CPU time; elapsed undecided, neighbours used "
				 "0.11 processors");
	clear(&changes);
}
END_TEST

/* Nobody else was there: elapsed time is what it is. */
START_TEST(without_neighbours_nothing_is_undecided)
{
	static const struct busy a = {1000, 500, 100, 0.01}, b = {1200, 500, 100, 0.02};
	struct changes changes = compare_busy(1, &a, &b);

	ck_assert(!changes.is_undecided);
	ck_assert_int_eq(changes.elapsed->verdict, VERDICT_WORSE);
	clear(&changes);
}
END_TEST

UNIT_MAIN("changes", cpu_times_have_a_spread_of_their_own, one_run_a_side_beside_others_cannot_tell,
	  several_runs_a_side_beside_others, quiet_cpu_time_is_the_judge,
	  without_neighbours_nothing_is_undecided, one_run_a_side, several_runs_a_side,
	  ratios_with_a_spread, undecided_says_what_it_would_take, sampling_errors, renamed_routine,
	  uniting)

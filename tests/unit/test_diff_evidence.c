/* SPDX-License-Identifier: MIT */
/* What tells two programs apart at any noise, and when it decides. The times of these runs are so
 * unsteady that they decide nothing. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/decide.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/headline.h"
#include "analyze/diff/metrics.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS   1e6
#define RUNS 4

/* How much longer than they should each run took, on either side. */
static const double slow[2][RUNS] = {{1, 1.6, 1.1, 2.4}, {1.3, 1, 2.2, 1.7}};

static struct side sides[2];

static void add_time(size_t side, size_t run, const char *key, double ns, bool is_cpu)
{
	figures_add(sides[side].runs[run].figures, &(struct figure){.section = SECTION_OVERVIEW,
								    .key = key,
								    .metric = "time",
								    .unit = UNIT_NS,
								    .sense = SENSE_LESS,
								    .role = ROLE_DECIDES,
								    .value = ns,
								    .effect_ns = ns,
								    .is_cpu = is_cpu});
}

/* cpu_ms: of a run that nothing slows down, on either side. */
static void start(double a_ms, double b_ms)
{
	const double cpu_ms[] = {a_ms, b_ms};

	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(RUNS, sizeof *sides->runs), RUNS};
		for (size_t i = 0; i < RUNS; i++) {
			double ns = cpu_ms[side] * slow[side][i] * MS;

			sides[side].runs[i] =
				(struct side_run){.figures = figures_create(), .elapsed_ns = ns};
			add_time(side, i, "elapsed time", ns, false);
			add_time(side, i, "CPU time", ns, true);
		}
	}
}

static void add_routine_time(size_t side, size_t run, const char *name, const char *metric,
			     double ms)
{
	bool is_self = !strcmp(metric, "self");
	double ns = ms * slow[side][run] * MS;

	figures_add(sides[side].runs[run].figures,
		    &(struct figure){.section = SECTION_ROUTINES,
				     .key = name,
				     .at = name,
				     .metric = metric,
				     .unit = UNIT_NS,
				     .sense = SENSE_LESS,
				     .role = is_self ? ROLE_CAUSE : ROLE_EXPLAINS,
				     .grade = GRADE_SAMPLED,
				     .value = ns,
				     .error = sqrt(ns * MS), /* a sample a millisecond */
				     .effect_ns = ns,
				     .is_cpu = true});
}

/* In all runs of the side, if it takes any time. */
static void add_routine(size_t side, const char *name, double self_ms, double total_ms)
{
	for (size_t i = 0; i < RUNS && total_ms > 0; i++) {
		add_routine_time(side, i, name, "self", self_ms);
		add_routine_time(side, i, name, "total", total_ms);
	}
}

static void add_path(size_t side, const char *path, double ms)
{
	for (size_t i = 0; i < RUNS; i++)
		figures_add(sides[side].runs[i].figures,
			    &(struct figure){.section = SECTION_PATHS,
					     .key = path,
					     .metric = "self",
					     .unit = UNIT_NS,
					     .sense = SENSE_LESS,
					     .value = ms * slow[side][i] * MS,
					     .effect_ns = MS,
					     .is_cpu = true});
}

static void add_count(size_t side, const char *key, const double values[RUNS])
{
	for (size_t i = 0; i < RUNS; i++)
		figures_add(sides[side].runs[i].figures, &(struct figure){.section = SECTION_WAITS,
									  .key = key,
									  .metric = "calls",
									  .unit = UNIT_COUNT,
									  .value = values[i],
									  .effect_ns = NAN});
}

static void add_steady_count(size_t side, const char *key, double value)
{
	const double values[RUNS] = {value, value, value, value};

	add_count(side, key, values);
}

static struct changes end(unsigned metrics)
{
	return changes_of_metrics(sides, 5, metrics);
}

static void clear(struct changes *changes)
{
	changes_clear(changes);
	side_clear(&sides[0]);
	side_clear(&sides[1]);
}

/* The only evidence in words, or the first; "" if there is none. */
static void check_first(const struct changes *changes, size_t wanted, const char *text)
{
	size_t count;
	const struct change **rows = evidence_rows(changes, &count);
	char *first = count ? evidence_text(rows[0]) : memory_copy_text("");

	ck_assert_uint_eq(count, wanted);
	ck_assert_str_eq(first, text);
	free(first);
	free(rows);
}

static void check_headline(const struct changes *changes, const char *begin, const char *end_of_it)
{
	char *headline = headline_text(changes, sides);

	ck_assert_msg(!strncmp(headline, begin, strlen(begin)), "%s", headline);
	ck_assert_msg(strstr(headline, end_of_it), "%s", headline);
	free(headline);
}

/* ---- routines */

START_TEST(a_new_routine_decides)
{
	start(1000, 1124);
	add_routine(0, "main", 1000, 1000);
	add_routine(1, "main", 1000, 1124);
	add_routine(1, "verify", 124, 124);
	struct changes changes = end(METRICS_DEFAULT);

	ck_assert(!changes.elapsed->decides && !changes.cpu->decides);
	check_first(&changes, 1, "new: verify, 11 % of the CPU time");
	ck_assert_int_eq(changes_status(&changes), 1);
	check_headline(&changes,
		       "worse: new: verify, 11 % of the CPU time; elapsed time 1.35 s -> ",
		       "within noise");
	clear(&changes);
}
END_TEST

START_TEST(a_routine_that_is_gone_decides)
{
	start(1124, 1000);
	add_routine(0, "main", 1000, 1124);
	add_routine(1, "main", 1000, 1000);
	add_routine(0, "verify", 124, 124);
	struct changes changes = end(METRICS_DEFAULT);

	check_first(&changes, 1, "gone: verify, 11 % of the CPU time");
	ck_assert_int_eq(changes_status(&changes), 3);
	clear(&changes);
}
END_TEST

START_TEST(a_small_one_is_no_evidence)
{
	start(1000, 1040);
	add_routine(0, "main", 1000, 1000);
	add_routine(1, "main", 1000, 1040);
	add_routine(1, "verify", 40, 40);
	struct changes changes = end(METRICS_DEFAULT);

	check_first(&changes, 0, "");
	ck_assert_int_eq(changes_status(&changes), 0);
	clear(&changes);
}
END_TEST

START_TEST(one_that_a_run_lacks_is_no_evidence)
{
	start(1000, 1200);
	add_routine(0, "main", 1000, 1000);
	add_routine(1, "main", 1000, 1200);
	for (size_t i = 1; i < RUNS; i++)
		add_routine_time(1, i, "retry", "total", 200);
	struct changes changes = end(METRICS_DEFAULT);

	check_first(&changes, 0, "");
	clear(&changes);
}
END_TEST

/* It got another name. */
START_TEST(a_renamed_routine_decides_nothing)
{
	start(1000, 1000);
	add_routine(0, "check", 300, 300);
	add_routine(1, "verify", 300, 300);
	struct changes changes = end(METRICS_DEFAULT);

	check_first(&changes, 2,
		    "new: verify, 30 % of the CPU time, in place of what is gone or was elsewhere");
	ck_assert_int_eq(changes_status(&changes), 0);
	check_headline(&changes, "", "; new: verify, 30 % of the CPU time");
	clear(&changes);
}
END_TEST

/* It was a part of main before: inlined, or not yet a routine. The other times are larger than the
 * unsteady ones of these runs allow to see, so that main's own has to tell. */
START_TEST(one_that_came_out_of_its_caller_decides_nothing)
{
	start(1000, 1000);
	add_routine(0, "main", 1000, 1000);
	add_routine(1, "main", 400, 1000);
	add_routine(1, "verify", 600, 600);
	add_path(1, "main > verify", 600);
	struct changes changes = end(METRICS_DEFAULT);

	ck_assert_int_eq(changes_status(&changes), 0);
	clear(&changes);
}
END_TEST

/* It only calls what something else called before, or main itself. */
START_TEST(a_new_caller_of_old_routines_decides_nothing)
{
	for (int renamed = 0; renamed < 2; renamed++) {
		start(1000, 1000);
		for (size_t side = 0; side < 2; side++) {
			add_routine(side, "main", 100, 1000);
			add_routine(side, "parse", 900, 900);
		}
		if (renamed)
			add_routine(0, "work", 0, 900);
		add_path(0, renamed ? "main > work > parse" : "main > parse", 900);
		add_routine(1, "step", 0, 900);
		add_path(1, "main > step > parse", 900);
		struct changes changes = end(METRICS_DEFAULT);

		check_first(
			&changes, renamed ? 2 : 1,
			"new: step, 90 % of the CPU time, in place of what is gone or was elsewhere");
		ck_assert_int_eq(changes_status(&changes), 0);
		clear(&changes);
	}
}
END_TEST

/* What it calls was called before as well, as often as it still is elsewhere. */
START_TEST(a_new_caller_that_adds_to_old_routines_decides)
{
	start(1000, 1300);
	for (size_t side = 0; side < 2; side++) {
		add_routine(side, "main", 500, side ? 1300 : 1000);
		add_routine(side, "parse", side ? 800 : 500, side ? 800 : 500);
		add_path(side, "main > parse", 500);
	}
	add_routine(1, "step", 0, 300);
	add_path(1, "main > step > parse", 300);
	struct changes changes = end(METRICS_DEFAULT);

	check_first(&changes, 2, "new: step, 23 % of the CPU time"); /* and the share of parse */
	ck_assert_int_eq(changes_status(&changes), 1);
	clear(&changes);
}
END_TEST

static void add_unsampled(size_t side, double ms)
{
	for (size_t i = 0; i < RUNS; i++)
		add_routine_time(side, i, "[unsampled]", "self", ms);
}

/* Threads of the other side had no timer: it may have been there, too. */
START_TEST(one_that_may_be_hidden_is_no_evidence)
{
	for (int hidden = 0; hidden < 2; hidden++) {
		start(1000, 1124);
		double unsampled = hidden ? 200 : 50;

		add_routine(0, "main", 1000 - unsampled, 1000 - unsampled);
		add_unsampled(0, unsampled);
		add_routine(1, "main", 1000, 1124);
		add_routine(1, "verify", 124, 124);
		struct changes changes = end(METRICS_DEFAULT);

		const struct change *verify =
			changes_find(&changes, SECTION_ROUTINES, "verify", "total");

		ck_assert_int_eq(verify->evidence, hidden ? EVIDENCE_NONE : EVIDENCE_NEW);
		clear(&changes);
	}
}
END_TEST

START_TEST(of_a_chain_the_outermost_is_named)
{
	start(1000, 1200);
	add_routine(0, "main", 1000, 1000);
	add_routine(1, "main", 1000, 1200);
	add_routine(1, "verify", 80, 200);
	add_routine(1, "hash", 120, 120);
	add_path(1, "main > verify > hash", 120);
	struct changes changes = end(METRICS_DEFAULT);

	check_first(&changes, 1, "new: verify, 17 % of the CPU time");
	clear(&changes);
}
END_TEST

/* CPU time of the run is known so well that nothing can have been added. */
START_TEST(one_for_which_there_is_no_room_decides_nothing)
{
	const double as_before[RUNS] = {1000, 1001, 999, 1000};

	start(1000, 1000);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < RUNS; i++) {
			figures_destroy(sides[side].runs[i].figures);
			sides[side].runs[i].figures = figures_create();
			add_time(side, i, "elapsed time", as_before[i] * MS, false);
			add_time(side, i, "CPU time", as_before[i] * MS, true);
		}
	add_routine(1, "verify", 300, 300);
	struct changes changes = end(METRICS_DEFAULT);

	ck_assert(!changes.cpu->counts);
	ck_assert_int_eq(changes_status(&changes), 0);
	clear(&changes);
}
END_TEST

/* ---- shares */

START_TEST(a_larger_share_decides)
{
	start(1000, 1250);
	for (size_t side = 0; side < 2; side++) {
		add_routine(side, "parse", side ? 750 : 500, side ? 750 : 500);
		add_routine(side, "store", 500, 500);
	}
	struct changes changes = end(METRICS_DEFAULT);
	const struct change *parse = changes_find(&changes, SECTION_ROUTINES, "parse", "self");

	ck_assert(!changes.elapsed->decides && !changes.cpu->decides);
	ck_assert_int_eq(parse->evidence, EVIDENCE_SHARE);
	ck_assert(fabs(parse->share_effect - 25) < 0.1);
	ck_assert_int_eq(changes_status(&changes), 1);
	ck_assert_int_eq(decide_metric(&changes, parse), METRIC_ROUTINES);
	check_headline(&changes, "worse: parse: 60 % of the CPU time instead of 50 %; elapsed", "");
	clear(&changes);
}
END_TEST

/* All of it took longer: the machine was slower. */
START_TEST(the_same_shares_are_no_evidence)
{
	start(1000, 1250);
	for (size_t side = 0; side < 2; side++) {
		add_routine(side, "parse", side ? 625 : 500, side ? 625 : 500);
		add_routine(side, "store", side ? 625 : 500, side ? 625 : 500);
	}
	struct changes changes = end(METRICS_DEFAULT);

	check_first(&changes, 0, "");
	ck_assert_int_eq(changes_status(&changes), 0);
	clear(&changes);
}
END_TEST

/* ---- counts */

START_TEST(a_count_decides_where_it_is_asked_for)
{
	start(1000, 1000);
	add_steady_count(0, "mutex table, lock", 800);
	add_steady_count(1, "mutex table, lock", 1000);
	struct changes changes = end(METRIC_BIT(METRIC_COUNTS));

	check_first(&changes, 1,
		    "calls of mutex table, lock: 800 -> 1000 (+25 %), the same in each run");
	ck_assert_int_eq(changes_status(&changes), 1);
	check_headline(&changes, "worse: calls of mutex table, lock: 800 -> 1000 (+25 %)",
		       "; elapsed");
	clear(&changes);
}
END_TEST

START_TEST(a_count_that_varies_is_judged_by_its_spread)
{
	const double a[RUNS] = {700, 800, 900, 760}, b[RUNS] = {900, 1000, 840, 1100};

	start(1000, 1000);
	add_count(0, "mutex table, lock", a);
	add_count(1, "mutex table, lock", b);
	struct changes changes = end(METRIC_BIT(METRIC_COUNTS));

	check_first(&changes, 0, "");
	ck_assert_int_eq(changes_status(&changes), 0);
	clear(&changes);
}
END_TEST

START_TEST(a_few_calls_more_are_no_evidence)
{
	start(1000, 1000);
	add_steady_count(0, "file /etc/x, read", 4);
	add_steady_count(1, "file /etc/x, read", 8);
	struct changes changes = end(METRIC_BIT(METRIC_COUNTS));

	check_first(&changes, 0, "");
	clear(&changes);
}
END_TEST

/* By themselves they are shown and decide nothing; where time moved with them, they do. */
START_TEST(more_work_decides_with_time)
{
	for (int grown = 0; grown < 2; grown++) {
		start(1000, grown ? 1250 : 900);
		add_steady_count(0, "mutex table, lock", 800);
		add_steady_count(1, "mutex table, lock", 1000);
		struct changes changes = end(METRICS_DEFAULT);

		ck_assert(!changes.elapsed->decides && !changes.cpu->decides);
		ck_assert_int_eq(changes_status(&changes), grown ? 1 : 0);
		if (!grown)
			check_headline(&changes, "", "; changed: calls of mutex table, lock");
		clear(&changes);
	}
}
END_TEST

static void add_instructions(size_t side, double thousands)
{
	for (size_t i = 0; i < RUNS; i++)
		figures_add(sides[side].runs[i].figures,
			    &(struct figure){.section = SECTION_COUNTERS,
					     .key = "the run",
					     .metric = "instructions",
					     .unit = UNIT_COUNT,
					     .value = 1000 * thousands + 37.0 * (double)i,
					     .effect_ns = NAN});
}

/* They hardly vary, and are no time: in the default they need one that moved with them. */
START_TEST(instructions_decide_where_they_are_asked_for)
{
	static const unsigned metrics[] = {METRICS_DEFAULT, METRIC_BIT(METRIC_INSTRUCTIONS)};

	for (int asked = 0; asked < 2; asked++) {
		start(1000, 900);
		add_instructions(0, 1000);
		add_instructions(1, 1100);
		struct changes changes = end(metrics[asked]);
		const struct change *row =
			changes_find(&changes, SECTION_COUNTERS, "the run", "instructions");

		ck_assert_int_eq(row->evidence, EVIDENCE_COUNT);
		ck_assert_int_eq(changes_status(&changes), asked ? 1 : 0);
		ck_assert(!asked || decide_metric(&changes, row) == METRIC_INSTRUCTIONS);
		clear(&changes);
	}
}
END_TEST

/* ---- what is asked for */

START_TEST(only_what_is_asked_for_decides)
{
	start(1000, 1124);
	add_routine(1, "verify", 124, 124);
	struct changes changes = end(METRIC_BIT(METRIC_CPU));

	check_first(&changes, 1, "new: verify, 11 % of the CPU time");
	ck_assert_int_eq(changes_status(&changes), 0);
	ck_assert_ptr_eq(changes_judged(&changes), changes.cpu);
	clear(&changes);
}
END_TEST

START_TEST(a_list_of_metrics)
{
	ck_assert_uint_eq(metrics_read("cpu,counts"),
			  METRIC_BIT(METRIC_CPU) | METRIC_BIT(METRIC_COUNTS));
	ck_assert_uint_eq(metrics_read("elapsed,cpu,routines,new,work"), METRICS_DEFAULT);
	ck_assert_str_eq(metrics_name(0), "elapsed");
	ck_assert_ptr_null(metrics_name(METRIC_LIMIT));
}
END_TEST

UNIT_MAIN("evidence", a_new_routine_decides, a_routine_that_is_gone_decides,
	  a_small_one_is_no_evidence, one_that_a_run_lacks_is_no_evidence,
	  a_renamed_routine_decides_nothing, one_that_came_out_of_its_caller_decides_nothing,
	  a_new_caller_of_old_routines_decides_nothing,
	  a_new_caller_that_adds_to_old_routines_decides, one_that_may_be_hidden_is_no_evidence,
	  of_a_chain_the_outermost_is_named, one_for_which_there_is_no_room_decides_nothing,
	  a_larger_share_decides, the_same_shares_are_no_evidence,
	  a_count_decides_where_it_is_asked_for, a_count_that_varies_is_judged_by_its_spread,
	  a_few_calls_more_are_no_evidence, instructions_decide_where_they_are_asked_for,
	  more_work_decides_with_time, only_what_is_asked_for_decides, a_list_of_metrics)

/* SPDX-License-Identifier: MIT */
/* What was asked for by --metric: in the first line where nothing has changed, and first in its
 * table. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/headline.h"
#include "analyze/diff/metrics.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS   1e6
#define RUNS 5

static struct side sides[2];

static void add(size_t side, const struct figure *figure)
{
	for (size_t i = 0; i < RUNS; i++) {
		struct figure of_run = *figure;

		of_run.value *= 1 + 0.001 * (double)i;
		figures_add(sides[side].runs[i].figures, &of_run);
	}
}

static void add_time(size_t side, const char *key, double ms, double others)
{
	add(side, &(struct figure){.section = SECTION_OVERVIEW,
				   .key = key,
				   .metric = "time",
				   .unit = UNIT_NS,
				   .sense = SENSE_LESS,
				   .role = ROLE_DECIDES,
				   .value = ms * MS,
				   .effect_ns = ms * MS,
				   .disturbance = ms * others * MS,
				   .is_cpu = !strcmp(key, "CPU time")});
}

/* others: part of the time that other programs took. */
static void start(double cpu_of_b_ms, double others)
{
	for (size_t side = 0; side < 2; side++) {
		double cpu_ms = side ? cpu_of_b_ms : 400;

		sides[side] = (struct side){memory_allocate(RUNS, sizeof *sides->runs), RUNS};
		for (size_t i = 0; i < RUNS; i++) {
			sides[side].runs[i] = (struct side_run){.figures = figures_create(),
								.elapsed_ns = 500 * MS};
			sides[side].runs[i].figures->neighbours = others;
		}
		add_time(side, "elapsed time", side && others > 0 ? 600 : 500,
			 side ? 2 * others : others);
		add_time(side, "CPU time", cpu_ms, others);
	}
}

static void add_figure(enum figure_section section, const char *key, const char *metric,
		       enum figure_unit unit, double a, double b)
{
	const double values[] = {a, b};

	for (size_t side = 0; side < 2; side++)
		add(side, &(struct figure){.section = section,
					   .key = key,
					   .metric = metric,
					   .unit = unit,
					   .sense = SENSE_MORE,
					   .value = values[side],
					   .effect_ns = NAN});
}

static void add_routine(const char *name, double a_ms, double b_ms)
{
	const double values[] = {a_ms, b_ms};

	for (size_t side = 0; side < 2; side++)
		add(side, &(struct figure){.section = SECTION_ROUTINES,
					   .key = name,
					   .metric = "self",
					   .unit = UNIT_NS,
					   .sense = SENSE_LESS,
					   .role = ROLE_CAUSE,
					   .value = values[side] * MS,
					   .error = MS,
					   .effect_ns = values[side] * MS,
					   .is_cpu = true});
}

static void clear(void)
{
	side_clear(&sides[0]);
	side_clear(&sides[1]);
}

static void check_headline(unsigned metrics, const char *wanted)
{
	struct changes changes = changes_of_metrics(sides, 5, metrics);
	char *headline = headline_text(&changes, sides);

	ck_assert_str_eq(headline, wanted);
	free(headline);
	changes_clear(&changes);
}

START_TEST(first_line_is_of_what_was_asked_for)
{
	start(400, 0);
	add_figure(SECTION_REQUESTS, "server", REQUESTS_A_SECOND, UNIT_NUMBER, 7399, 7411);
	add_figure(SECTION_OVERVIEW, "largest process", "memory", UNIT_BYTES, 1 << 20, 1 << 20);
	add_figure(SECTION_COUNTERS, "the run", "instructions", UNIT_COUNT, 1e6, 1e6 + 20000);
	add_routine("parse", 200, 204);
	add_routine("store", 200, 199);
	check_headline(METRIC_BIT(METRIC_REQUESTS),
		       "no significant change: requests a second 7414 -> 7426 (+0.2 %)");
	check_headline(METRIC_BIT(METRIC_MEMORY),
		       "no significant change: memory 1.00 MiB -> 1.00 MiB (+0.0 %)");
	check_headline(METRIC_BIT(METRIC_INSTRUCTIONS),
		       "no significant change: instructions 1002000 -> 1022040 (+2.0 %)");
	check_headline(METRIC_BIT(METRIC_CPU),
		       "no significant change: CPU time 401 ms -> 401 ms (+0.0 %)");
	check_headline(METRIC_BIT(METRIC_ROUTINES),
		       "no significant change: the routine that changed most: CPU time of parse "
		       "200 ms -> 204 ms (+2.0 %)");
	check_headline(METRIC_BIT(METRIC_NEW) | METRIC_BIT(METRIC_COUNTS) | METRIC_BIT(METRIC_WORK),
		       "no significant change: no routine is new or gone, no count has changed");
	check_headline(METRIC_BIT(METRIC_CPU) | METRIC_BIT(METRIC_MEMORY),
		       "no significant change: CPU time 401 ms -> 401 ms (+0.0 %), memory "
		       "1.00 MiB -> 1.00 MiB (+0.0 %)");
	check_headline(METRICS_DEFAULT,
		       "no significant change: elapsed time 501 ms -> 501 ms (+0.0 %)");
	clear();
}
END_TEST

START_TEST(of_several_servers_the_one_that_changed_most)
{
	start(400, 0);
	add_figure(SECTION_REQUESTS, "front", REQUESTS_A_SECOND, UNIT_NUMBER, 1000, 1010);
	add_figure(SECTION_REQUESTS, "back", REQUESTS_A_SECOND, UNIT_NUMBER, 1000, 980);
	check_headline(METRIC_BIT(METRIC_REQUESTS),
		       "no significant change: requests a second of back 1002 -> 982 (-2.0 %)");
	clear();
}
END_TEST

/* A change of CPU time that does not decide is no reason to say that nothing has changed. */
START_TEST(undecided_beside_a_change_that_was_not_asked_for)
{
	start(500, 0.3);
	struct changes changes = changes_of_metrics(sides, 5, METRIC_BIT(METRIC_ELAPSED));

	ck_assert(changes.is_undecided && changes.cpu->counts);
	ck_assert(changes_cannot_tell(&changes));
	changes_clear(&changes);
	clear();
}
END_TEST

static void check_first_row(unsigned metrics, enum figure_section section, const char *metric,
			    const char *key)
{
	const struct diff_options options = {.metrics = metrics, .top = 1};
	struct diff diff = {.options = &options, .changes = changes_of_metrics(sides, 5, metrics)};
	size_t count;
	const struct change **rows = diff_rows(&diff, section, 1, &count);

	ck_assert_uint_ge(count, 1);
	ck_assert_str_eq(rows[0]->figure->metric, metric);
	ck_assert_str_eq(rows[0]->figure->key, key);
	free(rows);
	changes_clear(&diff.changes);
}

/* Others of its table come first by their names, or have larger effects. */
START_TEST(first_row_is_what_was_asked_for)
{
	start(400, 0);
	add_figure(SECTION_REQUESTS, "server", "CPU each", UNIT_NUMBER, 2, 1);
	add_figure(SECTION_REQUESTS, "server", REQUESTS_A_SECOND, UNIT_NUMBER, 1000, 1010);
	check_first_row(METRIC_BIT(METRIC_REQUESTS), SECTION_REQUESTS, REQUESTS_A_SECOND, "server");
	check_first_row(METRICS_DEFAULT, SECTION_REQUESTS, "CPU each", "server");
	clear();
}
END_TEST

START_TEST(first_row_is_what_decides)
{
	start(480, 0);
	add_routine("idle", 300, 210); /* for the better */
	add_routine("parse", 20, 100);
	check_first_row(METRIC_BIT(METRIC_ROUTINES), SECTION_ROUTINES, "self", "parse");
	clear();
}
END_TEST

static void add_wait(const char *metric, enum figure_unit unit, double a, double b)
{
	const double values[] = {a, b};

	for (size_t side = 0; side < 2; side++)
		add(side, &(struct figure){.section = SECTION_WAITS,
					   .key = "mutex table, lock",
					   .metric = metric,
					   .unit = unit,
					   .sense = unit == UNIT_NS ? SENSE_LESS : SENSE_NEUTRAL,
					   .value = values[side],
					   .effect_ns = unit == UNIT_NS ? values[side] : NAN});
}

/* They are listed as evidence, and would hide the waits. */
START_TEST(counts_come_first_if_they_are_asked_for)
{
	start(480, 0);
	add_wait("calls", UNIT_COUNT, 1000, 1200);
	add_wait("wait", UNIT_NS, 100 * MS, 200 * MS);
	check_first_row(METRIC_BIT(METRIC_COUNTS), SECTION_WAITS, "calls", "mutex table, lock");
	check_first_row(METRICS_DEFAULT, SECTION_WAITS, "wait", "mutex table, lock");
	clear();
}
END_TEST

/* A count names no routine: the cause does. */
START_TEST(cause_goes_before_a_count)
{
	start(480, 0.3);
	add_wait("calls", UNIT_COUNT, 1000, 1200);
	add_routine("parse", 100, 180);
	check_headline(METRICS_DEFAULT | METRIC_BIT(METRIC_COUNTS),
		       "worse: parse: +80 % CPU time; elapsed undecided, neighbours used 0.30 "
		       "processors");
	clear();
	start(480, 0.3);
	add_wait("calls", UNIT_COUNT, 1000, 1200);
	check_headline(METRICS_DEFAULT | METRIC_BIT(METRIC_COUNTS),
		       "worse: CPU time 401 ms -> 481 ms (+20 %): calls of mutex table, lock: "
		       "1002 -> 1202 (+20 %), beyond the spread of the runs; elapsed undecided, "
		       "neighbours used 0.30 processors");
	clear();
}
END_TEST

UNIT_MAIN("asked", first_line_is_of_what_was_asked_for,
	  of_several_servers_the_one_that_changed_most,
	  undecided_beside_a_change_that_was_not_asked_for, first_row_is_what_was_asked_for,
	  first_row_is_what_decides, counts_come_first_if_they_are_asked_for,
	  cause_goes_before_a_count)

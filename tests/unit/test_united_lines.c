/* SPDX-License-Identifier: MIT */
/* The lines of several runs side by side. */
#define _GNU_SOURCE 1
#include "analyze/model/lines/united_lines.h"
#include "analyze/report/report_runs.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct scene_run pair[2];
static const struct run *runs[2];
static struct united_lines united;

static void begin(const char *first, const char *second)
{
	runs[0] = scene_run_of(&pair[0], first);
	runs[1] = scene_run_of(&pair[1], second);
	united = united_lines_of(runs, 2);
}

static void end(void)
{
	united_lines_clear(&united);
	scene_run_clear(&pair[0]);
	scene_run_clear(&pair[1]);
}

static uint64_t self_of(const struct source_line *line)
{
	return line && line->cpu ? line->cpu->self_ns : 0;
}

/* All time of each run is in its column, and the sums are those of the columns. */
static void check_sums(void)
{
	uint64_t cpu_ns[2] = {0}, wait_ns[2] = {0}, wanted_ns[2] = {0};

	for (size_t i = 0; i < united.lines.count; i++) {
		const struct source_line *line = &united.lines.rows[i];
		uint64_t sum_ns = 0;

		for (size_t run = 0; run < 2; run++) {
			const struct source_line *own = united_lines_in_run(&united, line, run);

			cpu_ns[run] += self_of(own);
			wait_ns[run] += own ? own->wait_ns : 0;
			sum_ns += self_of(own);
		}
		ck_assert_uint_eq(self_of(line), sum_ns);
		if (i)
			ck_assert_double_ge(source_line_spent_ns(&united.lines.rows[i - 1]),
					    source_line_spent_ns(line));
	}
	for (size_t run = 0; run < 2; run++) {
		ck_assert_uint_eq(cpu_ns[run], runs[run]->cpu_ns);
		for (size_t i = 0; i < runs[run]->synchronization.count; i++)
			wanted_ns[run] += runs[run]->synchronization.rows[i].wait_ns;
		ck_assert_uint_eq(wait_ns[run], wanted_ns[run]);
	}
}

START_TEST(each_run_has_its_own_figures)
{
	begin("workers", "single");
	check_sums();
	end();
}
END_TEST

START_TEST(equal_runs_have_equal_columns)
{
	struct source_lines own;

	begin("workers", "workers");
	own = source_lines_of(runs[0]);
	ck_assert_uint_eq(united.lines.count, own.count);
	for (size_t i = 0; i < united.lines.count; i++) {
		const struct source_line *line = &united.lines.rows[i];

		ck_assert_uint_eq(self_of(united_lines_in_run(&united, line, 0)),
				  self_of(united_lines_in_run(&united, line, 1)));
	}
	check_sums();
	source_lines_clear(&own);
	end();
}
END_TEST

static void print(const char *names, void (*form)(const struct report_runs *, const char *),
		  const char *wanted)
{
	const struct source_query query = {.most = 3};
	struct source_texts *texts[3];
	char *text = NULL;
	size_t bytes;
	struct report report = {
		.out = open_memstream(&text, &bytes), .width = 100, .is_utf8 = true};
	const struct report_runs shown = {&report, &united, texts, &query};

	for (size_t i = 0; i < 3; i++)
		texts[i] = source_texts_create(NULL, 0, 0);
	form(&shown, names);
	fclose(report.out);
	ck_assert_msg(strstr(text, wanted), "no %s in %s", wanted, text);
	free(text);
	for (size_t i = 0; i < 3; i++)
		source_texts_destroy(texts[i]);
}

START_TEST(columns_are_numbered)
{
	begin("workers", "crowd");
	print("lines,source", report_runs_text, "self 2");
	print("lines,source", report_runs_csv, "runs.2.self_seconds");
	ck_assert_ptr_null(report_runs_problem("lines,source"));
	ck_assert_ptr_null(report_runs_problem("lines"));
	ck_assert_ptr_nonnull(report_runs_problem("line"));
	ck_assert_ptr_nonnull(report_runs_problem("lines,threads"));
	ck_assert_ptr_nonnull(report_runs_problem(NULL));
	end();
}
END_TEST

/* Events of a run are those of its own lines; one that did not count them has none. */
START_TEST(counts_are_those_of_each_run)
{
	begin("counted", "workers");
	for (size_t event = 1; event < runs[0]->counters.limit; event++) {
		struct counter_sum sum = {0};

		for (size_t i = 0; i < united.lines.count; i++) {
			const struct source_line *own =
				united_lines_in_run(&united, &united.lines.rows[i], 0);
			const struct source_line *other =
				united_lines_in_run(&united, &united.lines.rows[i], 1);

			if (own && own->counted)
				counter_sum_add(
					&sum, counter_place_sum(own->counted, event, COUNTER_SELF));
			ck_assert(!other || !other->counted);
		}
		ck_assert_uint_eq(sum.count, runs[0]->counters.rows[event].sum);
	}
	print("lines", report_runs_text, "instructions 1");
	print("lines", report_runs_text, "n/a"); /* of the other run */
	print("lines", report_runs_csv, "runs.1.events.page-faults.value");
	end();
}
END_TEST

UNIT_MAIN("united lines", each_run_has_its_own_figures, equal_runs_have_equal_columns,
	  columns_are_numbered, counts_are_those_of_each_run)

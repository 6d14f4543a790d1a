/* SPDX-License-Identifier: MIT */
#include "analyze/model/counters/counter_roles.h"
#include "analyze/model/counters/counter_sharing.h"
#include "analyze/tables/merged.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MILLION 1e6

static size_t event_number(const struct counters *counters, const char *name)
{
	for (size_t i = 1; i < counters->limit; i++)
		if (!strcmp(counters->rows[i].name, name))
			return i;
	ck_abort_msg("no event %s", name);
}

static const struct counter *event_of(const struct counters *counters, const char *name)
{
	return &counters->rows[event_number(counters, name)];
}

static const struct counter_metric *metric_of(const struct counters *counters, const char *name)
{
	for (size_t i = 0; i < counters->metric_count; i++)
		if (!strcmp(counters->metrics[i].name, name))
			return &counters->metrics[i];
	ck_abort_msg("no metric %s", name);
}

static const struct counter_place *routine_of(const struct run *run, const char *name)
{
	const struct counter_places *routines = &run->counters.of[COUNTER_ROUTINE];

	for (size_t i = 0; i < routines->count; i++)
		if (!strcmp(names_routine(run->names, routines->rows[i]->a)->name, name))
			return routines->rows[i];
	ck_abort_msg("nothing was counted in %s", name);
}

/* ---- what must add up */

static struct counter_sum sum_over(const struct counter_places *places, size_t event,
				   enum counter_part part)
{
	struct counter_sum sum = {0};

	for (size_t i = 0; i < places->count; i++)
		counter_sum_add(&sum, counter_place_sum(places->rows[i], event, part));
	return sum;
}

static void check_sums(const struct run *run)
{
	const struct counters *counters = &run->counters;
	const struct counter_places *over[] = {
		&counters->of[COUNTER_ROUTINE], &counters->lines,
		&counters->of[COUNTER_LEVEL],   &counters->of[COUNTER_CAUSE],
		&counters->of[COUNTER_PROCESS], &counters->of[COUNTER_THREAD]};

	for (size_t event = 1; event < counters->limit; event++)
		for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
			struct counter_sum sum = sum_over(over[i], event, COUNTER_SELF);

			ck_assert_uint_eq(sum.count, counters->rows[event].sum);
			ck_assert_double_eq_tol(sum.scaled, counters->rows[event].scaled,
						1e-3 + 1e-9 * sum.scaled);
		}
	ck_assert_uint_eq(sum_over(over[0], COUNTER_CPU, COUNTER_SELF).count, run->cpu_ns);
	ck_assert_uint_eq(sum_over(over[1], COUNTER_CPU, COUNTER_SELF).count, run->cpu_ns);
}

START_TEST(counts_add_up)
{
	struct scene_run scene;

	check_sums(scene_run_of(&scene, "counted"));
	scene_run_clear(&scene);
}
END_TEST

/* ---- totals */

static void check_totals(const struct counters *counters)
{
	const struct counter *instructions = event_of(counters, "instructions");
	const struct counter *branches = event_of(counters, "branch-misses");
	const struct counter *misses = event_of(counters, "cache-misses");

	ck_assert_uint_eq(instructions->sum, 4500000000ull);
	ck_assert_int_eq(instructions->grade, GRADE_EXACT);
	ck_assert_uint_eq(instructions->threads, 2);
	ck_assert_double_eq(instructions->coverage, 1);
	ck_assert_double_eq(instructions->by[BY_THREAD].max_ns, 3000 * MILLION);
	ck_assert_double_eq(instructions->by[BY_THREAD].min_ns, 1500 * MILLION);
	ck_assert_uint_eq(instructions->by[BY_THREAD].max_at.tid, 1000);
	ck_assert_uint_eq(instructions->by[BY_PROCESS].count, 1);

	/* each thread by its own factor: 10 x 2 + 5 x 4 */
	ck_assert_uint_eq(branches->sum, 15000000);
	ck_assert_double_eq(branches->scaled, 40 * MILLION);
	ck_assert_int_eq(branches->grade, GRADE_ESTIMATED);
	ck_assert_double_eq_tol(branches->coverage, 850. / 2200, 1e-9);

	ck_assert_int_eq(misses->grade, GRADE_UNKNOWN);
	ck_assert_uint_eq(misses->threads, 0);
	ck_assert(isnan(counters_value(counters, &counters->whole,
				       event_number(counters, "cache-misses"), COUNTER_SELF)));
}

static void check_metrics(const struct counters *counters)
{
	ck_assert_double_eq_tol(metric_of(counters, "IPC")->value, 4500. / 4000, 1e-9);
	ck_assert_int_eq(metric_of(counters, "IPC")->grade, GRADE_EXACT);
	ck_assert_double_eq_tol(metric_of(counters, "GHz")->value, 4. / 2.2, 1e-9);
	ck_assert_double_eq_tol(metric_of(counters, "fault rate")->value, 75, 1e-9);
	ck_assert(isnan(metric_of(counters, "miss ratio")->value));
	ck_assert_uint_eq(metric_of(counters, "miss ratio")->missing,
			  event_number(counters, "cache-misses"));
	ck_assert_int_eq(metric_of(counters, "miss ratio")->grade, GRADE_UNKNOWN);
	ck_assert(isnan(metric_of(counters, "damaged")->value));
}

static void check_reasons(const struct counters *counters)
{
	char *misses = counters_reason(event_of(counters, "cache-misses"));
	char *branches = counters_reason(event_of(counters, "branch-misses"));

	ck_assert_ptr_null(counters_reason(event_of(counters, "instructions")));
	ck_assert_ptr_nonnull(strstr(misses, "does not have it"));
	ck_assert_ptr_nonnull(strstr(branches, "took turns"));
	ck_assert_ptr_nonnull(strstr(branches, "perf_event_paranoid=1"));
	free(misses);
	free(branches);
}

START_TEST(totals_have_grades_and_reasons)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "counted");

	ck_assert(counters_are_there(&run->counters));
	check_totals(&run->counters);
	check_metrics(&run->counters);
	check_reasons(&run->counters);
	scene_run_clear(&scene);
}
END_TEST

/* ---- places */

static double ipc(const struct run *run, const char *name, enum counter_part part)
{
	return counters_ipc(&run->counters, routine_of(run, name), part);
}

START_TEST(routines_have_their_counts_alone_and_in_company)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "counted");
	const struct counters *counters = &run->counters;
	size_t instructions = event_number(counters, "instructions");
	size_t branches = event_number(counters, "branch-misses");

	ck_assert_double_eq_tol(ipc(run, "serial", COUNTER_ALONE), 2, 1e-9);
	ck_assert(isnan(ipc(run, "serial", COUNTER_COMPANY)));
	ck_assert_double_eq_tol(ipc(run, "worker", COUNTER_ALONE), 1, 1e-9);
	ck_assert_double_eq_tol(ipc(run, "worker", COUNTER_COMPANY), 0.5, 1e-9);
	ck_assert_double_eq_tol(ipc(run, "[unsampled]", COUNTER_SELF), 1.0, 1e-9);
	/* main calls serial and holder */
	ck_assert_double_eq(
		counters_value(counters, routine_of(run, "main"), instructions, COUNTER_TOTAL),
		2700 * MILLION);
	ck_assert_double_eq(
		counters_value(counters, routine_of(run, "main"), instructions, COUNTER_SELF), 0);
	/* of the second thread a fourth was seen, of the first one half */
	ck_assert_double_eq(
		counters_value(counters, routine_of(run, "worker"), branches, COUNTER_SELF),
		16 * MILLION);
	ck_assert_double_eq(
		counters_value(counters, routine_of(run, "serial"), branches, COUNTER_SELF),
		12 * MILLION);
	ck_assert_double_eq(
		counters_value(counters,
			       counters_of_line(counters, routine_of(run, "serial")->a, 0x10 - 1),
			       instructions, COUNTER_SELF),
		2400 * MILLION);
	/* sorted by the first event */
	ck_assert_ptr_eq(counters->of[COUNTER_ROUTINE].rows[0], routine_of(run, "serial"));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(waits_have_what_was_counted_in_them)
{
	struct scene_run scene;
	const struct counters *counters = &scene_run_of(&scene, "counted")->counters;
	const struct counter_places *causes = &counters->of[COUNTER_CAUSE];
	double mutex = 0;

	for (size_t i = 0; i < causes->count; i++)
		if (causes->rows[i]->a == CAUSE_MUTEX)
			mutex = counters_value(counters, causes->rows[i],
					       event_number(counters, "cycles"), COUNTER_SELF);
	ck_assert_double_eq(mutex, 100 * MILLION);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(processes_are_added)
{
	static const char *const names[] = {"counted", "counted", "workers", NULL};
	struct scene_run scene;

	scene_run_read(&scene, names);
	scene_run_model(&scene, 0);
	const struct counter *row = event_of(&scene.run->counters, "instructions");

	ck_assert_uint_eq(row->sum, 9000000000ull);
	ck_assert_uint_eq(row->threads, 4);
	ck_assert_uint_eq(row->by[BY_PROCESS].count, 2);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(without_events_there_is_nothing)
{
	struct scene_run scene;
	const struct counters *counters = &scene_run_of(&scene, "workers")->counters;

	ck_assert(!counters_are_there(counters));
	ck_assert_uint_eq(counters->metric_count, 0);
	ck_assert_uint_eq(counters->of[COUNTER_ROUTINE].count, 0);
	scene_run_clear(&scene);
}
END_TEST

/* Silent threads, factors of 2^64, formulas that are none: unknown, and no more. */
START_TEST(strange_counts_are_unknown)
{
	struct scene_run scene;
	const struct counters *counters = &scene_run_of(&scene, "strange-counts")->counters;
	char *reason = counters_reason(event_of(counters, "instructions"));

	ck_assert_int_eq(event_of(counters, "instructions")->grade, GRADE_UNKNOWN);
	ck_assert_ptr_nonnull(strstr(reason, "nmi_watchdog"));
	free(reason);
	for (size_t i = 0; i < counters->metric_count; i++)
		ck_assert(isnan(counters->metrics[i].value));
	scene_run_clear(&scene);
}
END_TEST

/* One event: each of two threads counted 10, and has 12 in samples. */
static void tell_too_many(struct builder *builder)
{
	struct scene_paths paths;
	struct row_events event = {.type = 1, .config = 2, .flags = EVENT_COUNTED};
	struct row_event_counts count = {
		.event = 1, .count = 10, .enabled_ns = 1000, .running_ns = 1000};
	struct row_event_samples sample = {.event = 1, .count = 12, .samples = 12};

	scene_tell_workers(builder, &paths);
	event.name = builder_text(builder, "page-faults");
	sample.callpath = paths.worker;
	builder_add(builder, TABLE_events, FORMAT_NO_OWNER, &event);
	builder_add(builder, TABLE_event_counts, paths.first, &count);
	builder_add(builder, TABLE_event_counts, paths.second, &count);
	builder_add(builder, TABLE_event_samples, paths.second, &sample);
	builder_add(builder, TABLE_event_samples, paths.first, &sample);
}

START_TEST(samples_that_contradict_the_counts_are_told)
{
	struct scene_run scene;
	const struct counters *counters = &scene_run_told(&scene, tell_too_many, 0)->counters;
	const struct counter *row = event_of(counters, "page-faults");
	char *reason = counters_reason(row);

	ck_assert_uint_eq(row->excess, 4);
	ck_assert_int_eq(row->grade, GRADE_ESTIMATED);
	ck_assert_ptr_nonnull(strstr(reason, "samples have 4 more than the threads counted"));
	free(reason);
	scene_run_clear(&scene);
}
END_TEST

/* From the file to the finding: 7.5 million reads at 40 ns are 300 ms of the 400 ms in company. */
START_TEST(lines_that_others_had_modified_are_counted_in_company)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "shared-lines");
	struct counter_sharing sharing =
		counters_sharing(&run->counters, routine_of(run, "worker"));

	ck_assert_double_eq_tol(sharing.reads, 7.5 * MILLION, 1e-6);
	ck_assert_double_eq_tol(sharing.rate, 37.5, 1e-9);
	ck_assert_double_eq_tol(sharing.rate_alone, 0.05, 1e-9);
	ck_assert_uint_eq(sharing.samples, 80);
	ck_assert_uint_eq(sharing.samples_alone, 120);
	ck_assert_double_eq_tol(sharing.company_ns, 400 * MILLION, 1);
	told_of(run);
	ck_assert_ptr_nonnull(told_finding("shared-lines"));
	ck_assert_ptr_nonnull(strstr(told_finding("shared-lines")->evidence,
				     "another core had modified (at source line "));
	findings_clear(&told);
	scene_run_clear(&scene);
	run = scene_run_of(&scene, "counted"); /* no such event */
	ck_assert(isnan(counters_sharing(&run->counters, routine_of(run, "worker")).rate));
	told_of(run);
	ck_assert_ptr_null(told_finding("shared-lines"));
	findings_clear(&told);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("counters", counts_add_up, totals_have_grades_and_reasons,
	  routines_have_their_counts_alone_and_in_company, waits_have_what_was_counted_in_them,
	  processes_are_added, without_events_there_is_nothing, strange_counts_are_unknown,
	  samples_that_contradict_the_counts_are_told,
	  lines_that_others_had_modified_are_counted_in_company)

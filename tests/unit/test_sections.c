/* SPDX-License-Identifier: MIT */
/* Named parts of a run: their accounts and the laws of these, what took long, marks, names of
 * memory; the same of merged runs. The scene is told in profile_scenes_sections.c. */
#define _GNU_SOURCE 1
#include "analyze/model/run/run_create.h"
#include "analyze/programs/merge_run.h"
#include "analyze/read/profile_read.h"
#include "analyze/report/report_print.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

static struct scene_run scene;
static const struct sections *told;

static void read_scene(void)
{
	told = &scene_run_of(&scene, "sections")->sections;
}

static void clear_scene(void)
{
	scene_run_clear(&scene);
}

static const struct section *find_in(const struct sections *sections, const char *path)
{
	for (size_t i = 0; i < sections->count; i++)
		if (!strcmp(sections->rows[i].path, path))
			return &sections->rows[i];
	ck_abort_msg("no section %s", path);
}

static const struct section *find(const char *path)
{
	return find_in(told, path);
}

static const struct section *rest_in(const struct sections *sections)
{
	return &sections->rows[sections->count - 1];
}

/* ---- rows */

START_TEST(rows_are_a_tree)
{
	static const struct {
		const char *path;
		unsigned depth;
	} rows[] = {{"start", 0}, {"solve", 0}, {"solve/inner", 1}, {"io", 0}, {"", 0}};

	ck_assert_uint_eq(told->count, 5);
	for (size_t i = 0; i < told->count; i++) {
		ck_assert_str_eq(told->rows[i].path, rows[i].path);
		ck_assert_uint_eq(told->rows[i].depth, rows[i].depth);
	}
	ck_assert(section_is_rest(rest_in(told)));
	ck_assert_uint_eq(find("solve")->count, 21);
	ck_assert_uint_eq(find("solve")->open, 1);
	ck_assert_uint_eq(find("solve")->threads, 2);
	ck_assert_uint_eq(find("io")->threads, 1);
}
END_TEST

/* CEFF and its like have the arithmetic of the whole: 2 processors. */
START_TEST(concurrency_is_that_of_the_process_meanwhile)
{
	const struct section *solve = find("solve");

	ck_assert_uint_eq(solve->elapsed_ns, 1000 * MS);
	ck_assert_double_eq_tol(solve->active_ns, 1200e6, 1);
	ck_assert_double_eq_tol(solve->useful_ns, 1100e6, 1);
	ck_assert_double_eq_tol(solve->ceff_percent, 60, 1e-9);
	ck_assert_double_eq_tol(solve->utilization_percent, 80, 1e-9);
	ck_assert_double_eq_tol(solve->limit, 1.25, 1e-9);
	ck_assert_uint_eq(solve->grade, GRADE_EXACT);
	ck_assert_uint_eq(find("io")->elapsed_ns, 300 * MS);
	ck_assert_double_eq_tol(find("io")->ceff_percent, 50, 1e-9);
	ck_assert_double_eq_tol(find("io")->limit, 1, 1e-9);
}
END_TEST

static uint64_t level_ns(const struct section *row, uint64_t active)
{
	for (size_t i = 0; i < row->level_count; i++)
		if (row->levels[i].active == active)
			return row->levels[i].time_ns;
	return 0;
}

/* The whole has T_i of 100, 1600 and 300 ms. */
START_TEST(any_section_and_outside_are_the_whole_process)
{
	const struct section *rest = rest_in(told);

	ck_assert_uint_eq(rest->elapsed_ns, 400 * MS);
	ck_assert_uint_eq(rest->any_ns, 1600 * MS);
	ck_assert_uint_eq(told->elapsed_ns, 2000 * MS);
	ck_assert_uint_eq(level_ns(rest, 0), 100 * MS - 50 * MS);
	ck_assert_uint_eq(level_ns(rest, 1), 1600 * MS - 1350 * MS);
	ck_assert_uint_eq(level_ns(rest, 2), 300 * MS - 200 * MS);
	ck_assert_double_eq_tol(rest->active_ns, 450e6, 1);
	ck_assert_uint_eq(told->overlap_ns, 0);
}
END_TEST

/* Lives of 4 s, 2.2 s of CPU time, 0.7 s of waits. */
START_TEST(outermost_sections_and_outside_are_the_whole_of_threads)
{
	const struct process *process = &scene.run->processes[0];
	uint64_t own_ns = 0, cpu_ns = 0, mutex_ns = 0;

	for (size_t i = 0; i < told->count; i++)
		if (!told->rows[i].depth) {
			own_ns += told->rows[i].own_ns;
			cpu_ns += told->rows[i].own_cpu_ns;
			mutex_ns += told->rows[i].own_wait_ns[CAUSE_MUTEX];
		}
	ck_assert_uint_eq(own_ns, process->sum.lifetime_ns);
	ck_assert_uint_eq(cpu_ns, process->cpu_ns);
	ck_assert_uint_eq(mutex_ns, 700 * MS);
	ck_assert_uint_eq(find("solve")->own_ns, (600 + 1900 + 400) * MS);
	ck_assert_uint_eq(find("solve/inner")->own_ns, 400 * MS);
	ck_assert_uint_eq(rest_in(told)->own_ns, 800 * MS);
}
END_TEST

/* The accounts say mutex, of which the waits with a mark say where; in the phase there was the
 * same.
 */
START_TEST(the_largest_wait_has_a_name)
{
	const struct section *solve = find("solve"), *start = find("start");

	ck_assert_uint_eq(solve->longest.cause, CAUSE_MUTEX);
	ck_assert_uint_eq(solve->longest.time_ns, 200 * MS);
	ck_assert_str_eq(solve->longest.object, "table+0x10");
	ck_assert_uint_eq(start->longest.time_ns, 200 * MS);
	ck_assert_uint_eq(section_waited_ns(solve), 500 * MS);
	ck_assert_uint_eq(section_waited_ns(start), UINT64_MAX);
	ck_assert_uint_eq(find("io")->longest.time_ns, 0);
}
END_TEST

START_TEST(lengths_have_percentiles)
{
	const struct section *solve = find("solve");
	struct histogram_percentile half = section_percentile(solve, 50);

	ck_assert_uint_eq(solve->intervals, 20);
	ck_assert_uint_eq(solve->min_ns, 100 * MS);
	ck_assert_uint_eq(solve->max_ns, 1000 * MS);
	ck_assert(half.low <= 100e6 && 100e6 <= half.high);
	ck_assert_double_eq_tol(section_percentile(solve, 100).value, 1000e6, 1);
	ck_assert_double_nan(section_percentile(rest_in(told), 50).value);
}
END_TEST

START_TEST(what_took_long_has_a_reason)
{
	ck_assert_uint_eq(told->anomaly_count, 1);
	const struct section_anomalies *found = &told->anomalies[0];

	ck_assert_str_eq(told->rows[found->section].path, "solve");
	ck_assert_uint_eq(found->count, 1);
	ck_assert_uint_eq(found->of, 20);
	ck_assert(found->is_exact);
	ck_assert_uint_eq(found->rows[0].number, 10);
	ck_assert_uint_eq(found->rows[0].tid, 1001);
	ck_assert_int_eq(found->rows[0].reason, SECTION_REASON_WAIT);
	ck_assert_uint_eq(found->rows[0].reason_ns, 450 * MS);
	ck_assert_str_eq(found->rows[0].wait_object, "table+0x10");
}
END_TEST

START_TEST(marks_have_a_sign)
{
	ck_assert_uint_eq(told->mark_count, 1);
	const struct section_mark *mark = &told->marks[0];

	ck_assert_str_eq(mark->name, "step");
	ck_assert_uint_eq(mark->count, 10);
	ck_assert_int_eq((int64_t)mark->first_value, 1);
	ck_assert_int_eq((int64_t)mark->last_value, 3);
	ck_assert_int_eq((int64_t)mark->min_value, -7);
	ck_assert_int_eq((int64_t)mark->max_value, 40);
	ck_assert_double_eq_tol(mark->between_mean_ns, 100e6, 1);
}
END_TEST

START_TEST(memory_has_the_name_that_it_was_given)
{
	const struct synchronization *waits = &scene.run->synchronization;

	ck_assert_uint_gt(waits->count, 0);
	for (size_t i = 0; i < waits->count; i++)
		ck_assert_str_ne(waits->names[waits->rows[i].object], "queue_lock");
}
END_TEST

/* ---- reasons, and how many there are */

static struct row_section_longest told_longest;
static uint64_t told_intervals;
static bool is_listed; /* the short ones as well */

static void tell_interval(struct builder *builder)
{
	struct scene_paths paths;
	struct row_sections solve = {.kind = SECTION_CODE, .name = builder_text(builder, "solve")};
	struct row_section_times times = {.section = 1,
					  .count = told_intervals,
					  .ended = told_intervals,
					  .sum_ns = (told_intervals - 1) * MS +
						    told_longest.length_ns,
					  .min_ns = MS,
					  .max_ns = told_longest.length_ns};

	scene_tell_workers(builder, &paths);
	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &solve);
	times.histogram[19] = (uint32_t)told_intervals - 1;
	times.histogram[22] = 1;
	told_longest.section = 1;
	told_longest.number = 5;
	builder_add(builder, TABLE_section_times, paths.first, &times);
	builder_add(builder, TABLE_section_longest, paths.first, &told_longest);
	for (uint32_t slot = 1; is_listed && slot < SECTION_LONGEST; slot++) {
		struct row_section_longest row = {
			.section = 1, .slot = slot, .length_ns = MS, .cpu_ns = MS};

		builder_add(builder, TABLE_section_longest, paths.first, &row);
	}
}

static struct section_interval interval_of(struct row_section_longest row, bool *is_exact)
{
	struct scene_run made;

	told_longest = row;
	const struct sections *sections =
		&scene_run_told(&made, tell_interval, RUN_PATHS)->sections;

	ck_assert_uint_eq(sections->anomaly_count, 1);
	struct section_interval interval = sections->anomalies[0].rows[0];

	*is_exact = sections->anomalies[0].is_exact;
	scene_run_clear(&made);
	return interval;
}

START_TEST(reasons_are_what_most_of_it_was)
{
	struct section_interval interval;
	bool is_exact;

	told_intervals = 8;
	is_listed = true;
	interval = interval_of((struct row_section_longest){.length_ns = 5 * MS, .cpu_ns = MS},
			       &is_exact);
	ck_assert_int_eq(interval.reason, SECTION_REASON_NO_PROCESSOR);
	ck_assert_uint_eq(interval.reason_ns, 4 * MS);
	interval = interval_of((struct row_section_longest){.length_ns = 5 * MS,
							    .cpu_ns = MS,
							    .waited_ns = 3 * MS,
							    .wait_ns = 2 * MS,
							    .wait_cause = CAUSE_SLEEP},
			       &is_exact);
	ck_assert_int_eq(interval.reason, SECTION_REASON_WAIT);
	ck_assert_uint_eq(interval.reason_ns, 2 * MS);
	interval = interval_of(
		(struct row_section_longest){.length_ns = 5 * MS, .cpu_ns = 5 * MS, .faults = 7},
		&is_exact);
	ck_assert_int_eq(interval.reason, SECTION_REASON_FAULTS);
	interval = interval_of((struct row_section_longest){.length_ns = 5 * MS,
							    .cpu_ns = 5 * MS,
							    .faults = UINT64_MAX},
			       &is_exact);
	ck_assert_int_eq(interval.reason, SECTION_REASON_CPU);
	ck_assert(is_exact);
}
END_TEST

/* The shortest that is listed bounds those that are not; without it the bins of the lengths do. */
START_TEST(what_is_not_listed_is_bounded)
{
	const struct row_section_longest row = {.length_ns = 5 * MS, .cpu_ns = MS};
	bool is_exact;

	told_intervals = 100;
	is_listed = true;
	interval_of(row, &is_exact);
	ck_assert(is_exact);
	is_listed = false;
	interval_of(row, &is_exact);
	ck_assert(is_exact);
}
END_TEST

/* 16 of 5 ms, one of which is listed: bins tell that all are longer than 4 x 1 ms, or may be. */
static void tell_many(struct builder *builder)
{
	struct scene_paths paths;
	struct row_sections solve = {.kind = SECTION_CODE, .name = builder_text(builder, "solve")};
	struct row_section_times times = {.section = 1,
					  .count = 36,
					  .ended = 36,
					  .sum_ns = 20 * MS + 16 * told_longest.length_ns,
					  .min_ns = MS,
					  .max_ns = told_longest.length_ns};

	scene_tell_workers(builder, &paths);
	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &solve);
	times.histogram[19] = 20;
	times.histogram[63 - __builtin_clzll(told_longest.length_ns)] = 16;
	told_longest.section = 1;
	builder_add(builder, TABLE_section_times, paths.first, &times);
	builder_add(builder, TABLE_section_longest, paths.first, &told_longest);
}

static struct section_anomalies many_of(uint64_t length_ns)
{
	struct scene_run made;

	told_longest = (struct row_section_longest){.length_ns = length_ns, .number = 1};
	const struct sections *sections = &scene_run_told(&made, tell_many, RUN_PATHS)->sections;
	struct section_anomalies found = sections->anomalies[0];

	scene_run_clear(&made);
	return found;
}

/* 4 ms lie in the bin from 2.1 to 4.2 ms. */
START_TEST(bins_count_what_is_not_listed)
{
	struct section_anomalies sure = many_of(5 * MS), unsure = many_of(4 * MS + 1000);

	ck_assert_uint_eq(sure.count, 16);
	ck_assert(sure.is_exact);
	ck_assert_uint_eq(sure.row_count, 1);
	ck_assert_uint_eq(unsure.count, 1);
	ck_assert(!unsure.is_exact);
}
END_TEST

/* ---- recursion, frequent sections, a thread that is in one still */

static struct row_section_times told_times;
static uint64_t told_level_ns;

static void tell_times(struct builder *builder)
{
	struct scene_paths paths;
	struct row_sections solve = {.kind = SECTION_CODE, .name = builder_text(builder, "solve")};
	struct row_section_levels level = {CONCURRENCY_ON_PROCESSOR, 1, told_level_ns, 1, 0};
	struct row_section_levels any = {CONCURRENCY_ON_PROCESSOR, 1, told_level_ns, 0, 0};

	scene_tell_workers(builder, &paths);
	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &solve);
	told_times.section = 1;
	builder_add(builder, TABLE_section_times, paths.first, &told_times);
	builder_add(builder, TABLE_section_levels, FORMAT_NO_OWNER, &level);
	builder_add(builder, TABLE_section_levels, FORMAT_NO_OWNER, &any);
}

/* Of 1 s a tenth was told. */
START_TEST(frequent_sections_are_scaled)
{
	struct scene_run made;

	told_level_ns = 100 * MS;
	told_times = (struct row_section_times){.count = 1000,
						.ended = 1000,
						.own_ns = 1000 * MS,
						.sum_ns = 1000 * MS,
						.min_ns = MS,
						.max_ns = MS,
						.told_ns = 100 * MS};
	const struct sections *sections = &scene_run_told(&made, tell_times, RUN_PATHS)->sections;
	const struct section *solve = find_in(sections, "solve");

	ck_assert_uint_eq(solve->elapsed_ns, 1000 * MS);
	ck_assert_uint_eq(solve->grade, GRADE_SAMPLED);
	ck_assert_uint_eq(rest_in(sections)->elapsed_ns, 1000 * MS);
	scene_run_clear(&made);
}
END_TEST

/* Begins of recursive ones are counted, and their time once. */
START_TEST(recursive_ones_have_one_length)
{
	struct scene_run made;

	told_level_ns = 100 * MS;
	told_times = (struct row_section_times){.count = 30,
						.ended = 30,
						.own_ns = 100 * MS,
						.sum_ns = 100 * MS,
						.min_ns = 10 * MS,
						.max_ns = 10 * MS,
						.told_ns = 100 * MS};
	told_times.histogram[23] = 10;
	const struct sections *sections = &scene_run_told(&made, tell_times, RUN_PATHS)->sections;
	const struct section *solve = find_in(sections, "solve");

	ck_assert_uint_eq(solve->count, 30);
	ck_assert_uint_eq(solve->open, 0);
	ck_assert_uint_eq(solve->intervals, 10);
	scene_run_clear(&made);
}
END_TEST

/* It ended 2 s after its begin, and was in the section since 1.5 s. */
START_TEST(time_until_the_end_is_in_it)
{
	struct scene_run made;

	told_times = (struct row_section_times){
		.count = 1, .own_ns = 100 * MS, .since_ns = SCENE_START + 1500 * MS};
	const struct sections *sections = &scene_run_told(&made, tell_times, RUN_PATHS)->sections;

	ck_assert_uint_eq(find_in(sections, "solve")->own_ns, 600 * MS);
	ck_assert_uint_eq(find_in(sections, "solve")->open, 1);
	ck_assert_uint_eq(rest_in(sections)->own_ns, 3400 * MS);
	scene_run_clear(&made);
}
END_TEST

/* ---- several processes, and merged runs */

static void read_twice(struct scene_run *made)
{
	static const char *const names[] = {"sections", "sections", "workers", NULL};

	scene_run_read(made, names);
}

/* Who has no sections is no part of it. */
START_TEST(processes_add_up)
{
	struct scene_run made;

	read_twice(&made);
	scene_run_model(&made, RUN_PATHS);
	const struct sections *sections = &made.run->sections;
	const struct section *solve = find_in(sections, "solve");

	ck_assert_uint_eq(sections->elapsed_ns, 4000 * MS);
	ck_assert_uint_eq(solve->elapsed_ns, 2000 * MS);
	ck_assert_double_eq_tol(solve->ceff_percent, 60, 1e-9);
	ck_assert_double_eq_tol(solve->limit, 1.25, 1e-9);
	ck_assert_uint_eq(solve->spread.processes, 2);
	ck_assert_uint_eq(solve->spread.min_ns, 1000 * MS);
	ck_assert_double_eq_tol(solve->spread.mean_ns, 1000e6, 1);
	ck_assert_uint_eq(solve->count, 42);
	ck_assert_uint_eq(rest_in(sections)->elapsed_ns, 800 * MS);
	scene_run_clear(&made);
}
END_TEST

static char *text;
static size_t text_bytes;

static char *json_of(const struct run *run)
{
	struct report report = {.run = run,
				.findings = findings_of(run),
				.out = open_memstream(&text, &text_bytes),
				.width = 80};

	report_print_json(&report, "sections");
	findings_clear(&report.findings);
	fclose(report.out);
	return text;
}

static struct merged_file *merge(void)
{
	struct scene_run made;
	struct merged_writer *writer = merged_writer_create();
	size_t size;
	char *problem = NULL;

	read_twice(&made);
	made.symbolizer = symbolizer_create(NULL);
	made.run = merge_run_read(made.files, made.symbolizer, writer);
	unsigned char *bytes = merged_writer_finish(writer, &size);

	merge_run_destroy(made.run);
	symbolizer_destroy(made.symbolizer);
	run_files_destroy(made.files);
	return merged_file_parse(bytes, size, &problem);
}

START_TEST(a_merged_run_says_the_same)
{
	struct scene_run made, merged = {.files = run_files_create("x")};

	read_twice(&made);
	scene_run_model(&made, RUN_PATHS);
	run_files_add_merged(merged.files, merge());
	scene_run_model(&merged, RUN_PATHS);
	char *plain = json_of(made.run), *united = json_of(merged.run);

	ck_assert_str_eq(plain, united);
	free(plain);
	free(united);
	scene_run_clear(&made);
	scene_run_clear(&merged);
}
END_TEST

/* ---- damage */

START_TEST(strange_sections_are_told_of_all_the_same)
{
	struct scene_run made;
	const struct run *run = scene_run_of(&made, "strange-sections");

	ck_assert(run->files->processes[0].is_torn);
	ck_assert_uint_gt(run->sections.count, 3);
	for (size_t i = 0; i < run->sections.count; i++)
		ck_assert_uint_le(run->sections.rows[i].depth, 3);
	free(json_of(run));
	scene_run_clear(&made);
}
END_TEST

UNIT_MAIN_WITH(read_scene, clear_scene, "sections", rows_are_a_tree,
	       concurrency_is_that_of_the_process_meanwhile,
	       any_section_and_outside_are_the_whole_process,
	       outermost_sections_and_outside_are_the_whole_of_threads, the_largest_wait_has_a_name,
	       lengths_have_percentiles, what_took_long_has_a_reason, marks_have_a_sign,
	       memory_has_the_name_that_it_was_given, reasons_are_what_most_of_it_was,
	       what_is_not_listed_is_bounded, bins_count_what_is_not_listed,
	       frequent_sections_are_scaled, recursive_ones_have_one_length,
	       time_until_the_end_is_in_it, processes_add_up, a_merged_run_says_the_same,
	       strange_sections_are_told_of_all_the_same)

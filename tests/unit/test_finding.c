/* SPDX-License-Identifier: MIT */
#include "tests/unit/scene_run.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

static const struct finding *find(const struct run *run, const char *id)
{
	told_of(run);
	return told_finding(id);
}

START_TEST(a_part_that_runs_alone_is_found)
{
	struct scene_run scene;
	const struct finding *finding = find(scene_run_of(&scene, "workers"), "sequential");

	ck_assert_ptr_nonnull(finding);
	/* T_1 = 1.6 s, less 0.5 s of waiting for a lock, shared out to two processors: of 2 s */
	ck_assert_double_eq_tol(finding->severity_percent, 27.5, 1e-6);
	ck_assert_ptr_nonnull(strstr(finding->evidence, "serial"));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(a_contended_lock_is_found_with_its_holder)
{
	struct scene_run scene;
	const struct finding *finding = find(scene_run_of(&scene, "workers"), "lock-contention");

	ck_assert_ptr_nonnull(finding);
	/* which the one that waits for 0.5 s of 2 s could win */
	ck_assert_double_eq_tol(finding->severity_percent, 25, 1e-6);
	ck_assert_ptr_nonnull(strstr(finding->evidence, "queue_lock"));
	ck_assert_ptr_nonnull(strstr(finding->evidence, "held by holder"));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(a_single_thread_is_too_few)
{
	struct scene_run scene;
	const struct run *run = scene_run_of(&scene, "single");

	ck_assert_ptr_nonnull(find(run, "too-few-threads"));
	ck_assert_ptr_null(find(run, "sequential"));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(findings_come_with_the_worst_first)
{
	struct scene_run scene;
	const struct run *run = scene_run_of(&scene, "workers");

	told_of(run);
	for (size_t i = 1; i < told.count; i++)
		ck_assert_double_ge(told.rows[i - 1].elapsed_percent, told.rows[i].elapsed_percent);
	scene_run_clear(&scene);
}
END_TEST

/* What is lost by waiting is no more than what was not used. */
static bool is_bounded(const char *id)
{
	static const char *const ids[] = {"lock-contention", "barrier-wait",   "condition-wait",
					  "sleep",           "blocked",        "imbalance",
					  "sequential",      "too-few-threads"};

	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (!strcmp(id, ids[i]))
			return true;
	return false;
}

static double unused(const struct run *run)
{
	double used = run->efficiency_percent;

	if (run->process_count == 1)
		used = fmin(used, run->useful.efficiency_percent);
	return 100 - used;
}

static void check(const struct run *run, const struct finding *finding)
{
	ck_assert_double_ge(finding->severity_percent, 0);
	ck_assert_double_le(finding->severity_percent, 100);
	if (is_bounded(finding->id)) {
		ck_assert_double_le(finding->severity_percent, unused(run) + 1e-6);
		ck_assert_double_le(finding->elapsed_percent, unused(run) + 1e-6);
	}
	for (size_t i = 0; i < finding->step_count; i++) {
		ck_assert_ptr_nonnull(finding->steps[i].name);
		ck_assert_double_le(finding->steps[i].share_percent, 100);
	}
}

START_TEST(findings_of_every_scene_are_shares)
{
	size_t seen = 0;

	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		const struct run *run = scene_run_of(&scene, scenes[i].name);

		told_of(run);
		for (size_t j = 0; j < told.count; j++, seen++)
			check(run, &told.rows[j]);
		scene_run_clear(&scene);
	}
	ck_assert_uint_gt(seen, scene_count);
}
END_TEST

#define MS 1000000ull

#define UNKNOWN UINT64_MAX

/* One second; two processors; cpu_ms and ready_ms of each of the threads of one start routine. */
static struct run *run_of_threads(struct scene_run *scene, void (*tell)(struct builder *builder))
{
	return scene_run_told(scene, tell, false);
}

static void add_threads(struct builder *builder, const uint64_t (*times_ms)[2], uint32_t count)
{
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_process process = {
		.pid = 1, .processors = 2, .threads_started = count, .threads_peak = count};

	builder->header.end_ns = 1000 * MS;
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	uint32_t start = builder_callpath(builder, 0, 1, 0x2001);

	for (uint32_t i = 0; i < count; i++) {
		struct row_threads row = {.tid = 10 + i,
					  .lives = 1,
					  .start = start,
					  .updated_ns = 1000 * MS,
					  .ready_known = times_ms[i][1] != UNKNOWN};

		row.user_ns = times_ms[i][0] * MS;
		row.ready_ns = row.ready_known ? times_ms[i][1] * MS : 0;
		builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);
	}
}

static void tell_uneven(struct builder *builder)
{
	static const uint64_t times[][2] = {{1000, 0}, {200, 0}};

	add_threads(builder, times, 2);
}

static void tell_many(struct builder *builder)
{
	static const uint64_t times[][2] = {{500, 500}, {500, 500}, {500, 500}, {500, 500}};

	add_threads(builder, times, 4);
}

static void tell_perfect(struct builder *builder)
{
	static const uint64_t times[][2] = {{1000, 0}, {1000, 0}};

	add_threads(builder, times, 2);
}

START_TEST(uneven_work_is_found)
{
	struct scene_run scene;
	const struct finding *finding = find(run_of_threads(&scene, tell_uneven), "imbalance");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-6); /* 0.8 s of 2 s */
	ck_assert_ptr_nonnull(strstr(finding->evidence, "thread 10"));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(more_threads_than_processors_are_found)
{
	struct scene_run scene;
	const struct finding *finding = find(run_of_threads(&scene, tell_many), "oversubscription");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	ck_assert_str_eq(finding->title, "more threads than processors");
	scene_run_clear(&scene);
}
END_TEST

static void tell_idle(struct builder *builder)
{
	static const uint64_t times[][2] = {{100, 0}, {100, 0}, {100, UNKNOWN}};

	add_threads(builder, times, 3);
}

static void tell_idle_or_ready(struct builder *builder)
{
	static const uint64_t times[][2] = {{100, UNKNOWN}, {100, UNKNOWN}, {100, 0}};

	add_threads(builder, times, 3);
}

/* Ready time that is not known is in the blocked time, which must not be blamed on input and
 * output alone. */
START_TEST(blocked_may_have_been_ready)
{
	struct scene_run scene;
	const struct finding *finding = find(run_of_threads(&scene, tell_idle), "blocked");

	ck_assert_ptr_nonnull(finding);
	ck_assert_str_eq(finding->title, "threads are blocked outside of locks");
	ck_assert_ptr_null(strstr(finding->evidence, "free processor"));
	scene_run_clear(&scene);
	finding = find(run_of_threads(&scene, tell_idle_or_ready), "blocked");
	ck_assert_ptr_nonnull(finding);
	ck_assert_str_eq(finding->title,
			 "threads are blocked outside of locks, or ready for a processor");
	ck_assert_ptr_nonnull(strstr(finding->evidence, "or without a free processor"));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(nothing_is_found_where_nothing_is_lost)
{
	struct scene_run scene;

	const struct run *run = run_of_threads(&scene, tell_perfect);

	told_of(run);
	ck_assert_ptr_null(findings_first(&told));
	/* the scene has no samples, which is said */
	ck_assert_uint_eq(told.count, 1);
	ck_assert_str_eq(told.rows[0].id, "few-samples");
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("finding", findings_of_every_scene_are_shares, a_part_that_runs_alone_is_found,
	  a_contended_lock_is_found_with_its_holder, a_single_thread_is_too_few,
	  findings_come_with_the_worst_first, uneven_work_is_found,
	  more_threads_than_processors_are_found, blocked_may_have_been_ready,
	  nothing_is_found_where_nothing_is_lost)

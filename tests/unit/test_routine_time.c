/* SPDX-License-Identifier: MIT */
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <math.h>

#define MS 1000000ull

START_TEST(self_times_sum_to_the_cpu_time)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	uint64_t sum = 0;

	for (size_t i = 0; i < run->routines.count; i++)
		sum += run->routines.rows[i].self_ns;
	ck_assert_uint_eq(sum, run->cpu_ns);
	ck_assert_uint_eq(scene_run_routine(run, "[unsampled]")->self_ns, 50 * MS);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(total_includes_what_is_called)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	const struct routine_time *in_main = scene_run_routine(run, "main"),
				  *serial = scene_run_routine(run, "serial");

	ck_assert_uint_eq(in_main->self_ns, 0);
	ck_assert_uint_eq(in_main->total_ns, 1150 * MS);
	ck_assert(in_main->is_by_total);
	ck_assert_double_eq(in_main->total_spread.max_ns, in_main->spread.max_ns);
	ck_assert_double_ge(serial->total_spread.max_ns, serial->spread.max_ns);
	ck_assert_uint_eq(serial->self_ns, 1000 * MS);
	ck_assert_uint_eq(in_main->elapsed_ns, 0); /* what can be added up is of its own */
	ck_assert_uint_eq(in_main->alone_ns, 0);
	ck_assert_uint_ge(in_main->total_alone_ns, serial->alone_ns);
	ck_assert_uint_eq(
		serial->line,
		0x0f); /* the return address 0x3010 belongs to what was called before it */
	scene_run_clear(&scene);
}
END_TEST

/* T_1 = 1600 ms and T_2 = 300 ms, of a CPU time of 2200 ms of which 50 ms were not sampled. */
START_TEST(shares_of_elapsed_time_sum_to_it)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	uint64_t elapsed = 0, alone = 0;

	for (size_t i = 0; i < run->routines.count; i++) {
		elapsed += run->routines.rows[i].elapsed_ns;
		alone += run->routines.rows[i].alone_ns;
	}
	ck_assert_uint_eq(elapsed, 1900 * MS);
	ck_assert_uint_eq(alone, 1600 * MS);
	ck_assert_uint_eq(run->processes[0].executing_ns, elapsed);
	ck_assert_uint_eq(run->processes[0].sequential_ns, alone);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(average_concurrency_is_time_over_its_share_of_elapsed_time)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	const struct routine_time *worker = scene_run_routine(run, "worker"),
				  *serial = scene_run_routine(run, "serial");

	ck_assert_double_eq_tol(worker->average_concurrency,
				(double)worker->self_ns / (double)worker->elapsed_ns, 1e-3);
	/* 600 ms alone, 400 ms by two: sampled 1000 / 800; T_2 is longer than was sampled */
	ck_assert_double_ge(worker->average_concurrency, 1.25);
	ck_assert_double_le(worker->average_concurrency, 1.3);
	ck_assert_double_eq_tol(serial->average_concurrency, 1, 0.002);
	ck_assert_double_eq_tol(sample_error_percent(worker->samples), 100 / sqrt(200), 1e-9);
	ck_assert_uint_eq(worker->spread.max_at.tid, 1001);
	scene_run_clear(&scene);
}
END_TEST

/* R runs 120 ms alone and, by two threads, for 120 ms: 360 ms of CPU time in 240 ms. */
static void tell_company(struct builder *builder)
{
	struct row_process process = {
		.processors = 2, .threads_started = 2, .switches_ns = 240 * MS};
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_threads threads[] = {{.tid = 1, .user_ns = 240 * MS},
					{.tid = 2, .user_ns = 120 * MS}};
	struct row_samples samples[] = {
		{.level = 1, .cpu_ns = 120 * MS, .count = 24},
		{.level = 2, .cpu_ns = 120 * MS, .count = 24},
	};
	struct row_concurrency levels[] = {
		{CONCURRENCY_ON_PROCESSOR, 1, 120 * MS},
		{CONCURRENCY_ON_PROCESSOR, 2, 120 * MS},
	};

	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	for (int i = 0; i < 2; i++)
		builder_add(builder, TABLE_concurrency, FORMAT_NO_OWNER, &levels[i]);
	uint32_t path = builder_callpath(builder, 0, 1, 0x2010);
	uint32_t first = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &threads[0]);
	uint32_t second = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &threads[1]);

	for (int i = 0; i < 2; i++) {
		samples[i].callpath = path;
		builder_add(builder, TABLE_samples, first, &samples[i]);
	}
	builder_add(builder, TABLE_samples, second, &samples[1]);
	builder->header.end_ns = builder->header.start_ns + 240 * MS;
}

START_TEST(half_alone_and_half_by_two_is_one_and_a_half)
{
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_company, false);
	const struct routine_time *worker = scene_run_routine(run, "worker");

	ck_assert_uint_eq(worker->elapsed_ns, 240 * MS);
	ck_assert_uint_eq(worker->alone_ns, 120 * MS);
	ck_assert_double_eq_tol(worker->average_concurrency, 1.5, 1e-9);
	scene_run_clear(&scene);
}
END_TEST

/* Samples say 1000 ms of `serial` alone and 1000 ms of `worker` by two; in truth, T_1 = 900 ms,
 * T_2 = 520 ms, and three threads ran at once for 20 ms, which no sample met. */
static void tell_other_levels(struct builder *builder)
{
	struct row_process process = {
		.processors = 4, .threads_started = 2, .switches_ns = 1440 * MS};
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_threads thread = {.tid = 1, .user_ns = 2000 * MS};
	struct row_concurrency levels[] = {
		{CONCURRENCY_ON_PROCESSOR, 1, 900 * MS},
		{CONCURRENCY_ON_PROCESSOR, 2, 520 * MS},
		{CONCURRENCY_ON_PROCESSOR, 3, 20 * MS},
	};

	builder->header.end_ns = builder->header.start_ns + 1440 * MS;
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	for (int i = 0; i < 3; i++)
		builder_add(builder, TABLE_concurrency, FORMAT_NO_OWNER, &levels[i]);
	uint32_t owner = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
	struct row_samples samples[] = {
		{.callpath = builder_callpath(builder, 0, 1, 0x3010), .level = 1},
		{.callpath = builder_callpath(builder, 0, 1, 0x2010), .level = 2},
	};

	for (int i = 0; i < 2; i++) {
		samples[i].cpu_ns = 1000 * MS;
		samples[i].count = 200;
		builder_add(builder, TABLE_samples, owner, &samples[i]);
	}
}

/* Sums over routines are T_i's to the nanosecond; a routine keeps its CPU time. */
START_TEST(samples_give_way_to_levels)
{
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_other_levels, false);
	const struct routine_time *rows[] = {scene_run_routine(run, "serial"),
					     scene_run_routine(run, "worker")};

	ck_assert_uint_eq(rows[0]->elapsed_ns + rows[1]->elapsed_ns, 1440 * MS);
	ck_assert_uint_eq(rows[0]->alone_ns + rows[1]->alone_ns, 900 * MS);
	for (int i = 0; i < 2; i++)
		ck_assert_double_eq_tol(rows[i]->average_concurrency * (double)rows[i]->elapsed_ns,
					1000.0 * MS, 1e-5 * 1000 * MS);
	ck_assert_uint_ge(rows[0]->alone_ns, 899 * MS); /* nobody else was seen alone */
	scene_run_clear(&scene);
}
END_TEST

/* The first thread starts teams: 100 ms in main -> serial, 70 below the OpenMP runtime, 30 below
 * MPI, 5 in main -> worker. The second one starts none: 40 ms. */
static void tell_serial(struct builder *builder)
{
	struct row_modules modules[] = {{.start = 1, .path = builder_text(builder, "program")},
					{.start = 2, .path = builder_text(builder, "libgomp.so.1")},
					{.start = 3, .path = builder_text(builder, "libucp.so.0")}};
	struct row_threads threads[] = {{.tid = 1, .user_ns = 205 * MS},
					{.tid = 2, .user_ns = 40 * MS}};
	struct row_omp_regions region = {.kind = OMP_REGION_PARALLEL};
	struct row_omp_executions execution = {.team = 2, .count = 1};

	for (int i = 0; i < 3; i++)
		builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &modules[i]);
	uint32_t in_main = builder_callpath(builder, 0, 1, 0x1010);
	uint32_t in_gomp = builder_callpath(builder, in_main, 2, 0x5010);
	uint32_t worker = builder_callpath(builder, in_main, 1, 0x2010);
	struct row_samples samples[] = {
		{.callpath = builder_callpath(builder, in_main, 1, 0x3010), .cpu_ns = 100 * MS},
		{.callpath = builder_callpath(builder, in_gomp, 1, 0x2010), .cpu_ns = 70 * MS},
		{.callpath = builder_callpath(builder, in_main, 3, 0x6010), .cpu_ns = 30 * MS},
		{.callpath = worker, .cpu_ns = 5 * MS},
		{.callpath = worker, .cpu_ns = 40 * MS},
	};
	uint32_t first = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &threads[0]);
	uint32_t second = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &threads[1]);

	region.place = worker;
	execution.region = builder_add(builder, TABLE_omp_regions, FORMAT_NO_OWNER, &region);
	builder_add(builder, TABLE_omp_executions, first, &execution);
	for (int i = 0; i < 5; i++) {
		samples[i].count = 1;
		builder_add(builder, TABLE_samples, i < 4 ? first : second, &samples[i]);
	}
}

START_TEST(serial_time_is_outside_of_teams_and_mpi)
{
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_serial, false);
	const struct routine_time *worker = scene_run_routine(run, "worker");

	ck_assert_uint_eq(scene_run_routine(run, "serial")->serial_ns, 100 * MS);
	ck_assert_uint_eq(worker->serial_ns, 5 * MS);
	ck_assert_uint_eq(worker->total_ns, 115 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "main")->total_serial_ns, 105 * MS);
	scene_run_clear(&scene);
}
END_TEST

/* main -> worker -> main -> worker, 10 ms in thread 1 and 30 ms in thread 2. */
static void tell_recursion(struct builder *builder)
{
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_threads threads[] = {{.tid = 1, .user_ns = 10 * MS},
					{.tid = 2, .user_ns = 30 * MS}};
	uint32_t path = 0;

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	for (int i = 0; i < 4; i++)
		path = builder_callpath(builder, path, 1, i % 2 ? 0x2010 : 0x1010);
	for (int i = 0; i < 2; i++) {
		uint32_t thread = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &threads[i]);
		struct row_samples sample = {
			.callpath = path, .cpu_ns = threads[i].user_ns, .count = 1};

		builder_add(builder, TABLE_samples, thread, &sample);
	}
}

START_TEST(recursion_counts_once_per_sample)
{
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_recursion, false);

	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_ns, 40 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "main")->total_ns, 40 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->self_ns, 40 * MS);
	ck_assert(isnan(scene_run_routine(run, "worker")
				->average_concurrency)); /* no sample knew the level */
	scene_run_clear(&scene);
}
END_TEST

START_TEST(the_spread_is_over_threads_or_processes)
{
	struct scene_run scene;
	const struct spread *spread =
		&scene_run_routine(scene_run_told(&scene, tell_recursion, false), "worker")->spread;

	ck_assert_uint_eq(spread->count, 2);
	ck_assert_double_eq_tol(spread->min_ns, 10.0 * MS, 1);
	ck_assert_double_eq_tol(spread->mean_ns, 20.0 * MS, 1);
	ck_assert_double_eq_tol(spread->max_ns, 30.0 * MS, 1);
	ck_assert_double_eq_tol(spread->deviation_ns, 10.0 * MS, 1);
	ck_assert_uint_eq(spread->max_at.tid, 2);
	scene_run_clear(&scene);

	spread = &scene_run_routine(scene_run_told(&scene, tell_recursion, true), "worker")->spread;
	ck_assert_uint_eq(spread->count, 1);
	ck_assert_double_eq_tol(spread->max_ns, 40.0 * MS, 1);
	ck_assert_ptr_null(spread->max_at.name);
	scene_run_clear(&scene);
}
END_TEST

/* Code of the profiler is one routine; a mark and a sample without a path are routines, too. */
static void tell_specials(struct builder *builder)
{
	struct row_modules module = {.start = 1,
				     .path = builder_text(builder, "/lib/libptrace.so")};
	struct row_threads thread = {.tid = 1, .user_ns = 60 * MS};
	struct row_callpaths mark = {.flags = CALLPATH_MARK | CALLPATH_PRESENT,
				     .offset = MARK_TRUNCATED};

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	uint32_t owner = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
	uint32_t cut = builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &mark);
	uint32_t inside =
		builder_callpath(builder, builder_callpath(builder, cut, 1, 0x5010), 1, 0x6010);
	struct row_samples samples[] = {
		{.callpath = inside, .level = 1, .cpu_ns = 10 * MS, .count = 1},
		{.callpath = cut, .level = 1, .cpu_ns = 20 * MS, .count = 1},
		{.level = 1, .cpu_ns = 30 * MS, .count = 1}};

	for (size_t i = 0; i < 3; i++)
		builder_add(builder, TABLE_samples, owner, &samples[i]);
}

START_TEST(what_is_no_code_of_the_program_has_a_name)
{
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_specials, false);

	ck_assert_uint_eq(scene_run_routine(run, "[profiler]")->self_ns, 10 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "[profiler]")->total_ns, 10 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "[truncated]")->self_ns, 20 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "[truncated]")->total_ns, 30 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "[other]")->self_ns, 30 * MS);
	scene_run_clear(&scene);
}
END_TEST

/* A worker for 2 s: 600 ms in a loop that waits, as far as the place is the instruction's own and
 * the code no runtime's. */
static void tell_waiting(struct builder *builder)
{
	static const char *const paths[] = {"/nowhere/program", "/lib/libgomp.so.1-program"};
	struct row_process process = {.pid = 1000,
				      .host = builder_text(builder, SCENE_HOST),
				      .processors = 2,
				      .threads_peak = 1,
				      .threads_started = 1};
	struct row_threads thread = {.tid = 1000,
				     .lives = 1,
				     .flags = THREAD_FIRST,
				     .birth_ns = SCENE_START,
				     .updated_ns = SCENE_START + 2 * SCENE_SECOND,
				     .user_ns = 2000 * MS,
				     .ready_known = 1};
	const struct row_callpaths places[] = {
		{.module = 1, .flags = CALLPATH_PRESENT | CALLPATH_EXACT, .offset = 0xa000 + 70},
		{.module = 1, .flags = CALLPATH_PRESENT | CALLPATH_EXACT, .offset = 0xa000 + 71},
		{.module = 1, .flags = CALLPATH_PRESENT, .offset = 0xa000 + 72},
		{.module = 2, .flags = CALLPATH_PRESENT | CALLPATH_EXACT, .offset = 0xa000 + 70},
		{.module = 1, .flags = CALLPATH_PRESENT | CALLPATH_EXACT, .offset = 0x2000 + 70},
	};

	builder->header.pid = process.pid;
	builder->header.start_ns = SCENE_START;
	builder->header.end_ns = SCENE_START + 2 * SCENE_SECOND;
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	for (size_t i = 0; i < 2; i++) {
		struct row_modules module = {
			.start = 1, .end = 2, .path = builder_text(builder, paths[i])};

		builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	}
	uint32_t owner = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct row_samples sample = {.callpath = builder_add(builder, TABLE_callpaths,
								     FORMAT_NO_OWNER, &places[i]),
					     .level = 1,
					     .cpu_ns = i ? 400 * MS : 200 * MS,
					     .count = 50};

		builder_add(builder, TABLE_samples, owner, &sample);
	}
}

START_TEST(loops_that_wait_are_known_by_their_code)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_waiting, false);
	uint64_t sum = 0;

	for (size_t i = 0; i < run->routines.count; i++)
		sum += run->routines.rows[i].waiting_ns;
	ck_assert_uint_eq(sum, 600 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "f_160")->waiting_ns, 600 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "f_160")->waiting_line, 71);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->waiting_ns, 0);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("routine_time", self_times_sum_to_the_cpu_time, total_includes_what_is_called,
	  shares_of_elapsed_time_sum_to_it,
	  average_concurrency_is_time_over_its_share_of_elapsed_time,
	  half_alone_and_half_by_two_is_one_and_a_half, samples_give_way_to_levels,
	  serial_time_is_outside_of_teams_and_mpi, recursion_counts_once_per_sample,
	  the_spread_is_over_threads_or_processes, what_is_no_code_of_the_program_has_a_name,
	  loops_that_wait_are_known_by_their_code)

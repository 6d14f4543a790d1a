/* SPDX-License-Identifier: MIT */
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#define MS 1000000ull

/* Sum of the elapsed times of the routines themselves. */
static uint64_t elapsed_self_of(const struct run *run)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < run->routines.count; i++)
		ns += run->routines.rows[i].self_ns + run->routines.rows[i].blocked_ns;
	return ns;
}

static void begin(struct builder *builder)
{
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};

	builder->header.start_ns = SCENE_START;
	builder->header.end_ns = SCENE_START + 2 * SCENE_SECOND;
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
}

static uint32_t add_thread(struct builder *builder, uint32_t tid, uint64_t life_ms, uint64_t cpu_ms)
{
	struct row_threads thread = {
		.tid = tid,
		.lives = 1,
		.birth_ns = SCENE_START,
		.updated_ns = SCENE_START + life_ms * MS,
		.user_ns = cpu_ms * MS,
		.ready_known = 1,
	};

	return builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
}

static void add_wait(struct builder *builder, uint32_t thread, uint32_t path, enum cause cause,
		     uint64_t ms)
{
	struct row_waits wait = {.callpath = path,
				 .cause = (uint8_t)cause,
				 .operation = cause == CAUSE_SPINLOCK ? OP_SPIN_LOCK : OP_COND_WAIT,
				 .count = 1,
				 .sum_ns = ms * MS};

	builder_add(builder, TABLE_waits, thread, &wait);
}

static void add_sample(struct builder *builder, uint32_t thread, uint32_t path, enum cause cause,
		       uint64_t ms)
{
	struct row_samples sample = {.callpath = path,
				     .level = 1,
				     .cause = (uint16_t)cause,
				     .cpu_ns = ms * MS,
				     .count = ms};

	builder_add(builder, TABLE_samples, thread, &sample);
}

/* ---- a wait asleep, one that spins, and calls at its place that did not wait */

static void tell_two_waits(struct builder *builder)
{
	begin(builder);
	uint32_t thread = add_thread(builder, 1, 2000, 900);
	uint32_t top = builder_callpath(builder, 0, 1, 0x1010);
	uint32_t asleep = builder_callpath(builder, top, 1, 0x2010);
	uint32_t spins = builder_callpath(builder, top, 1, 0x3010);
	uint32_t library = builder_callpath(builder, spins, 1, 0x10010);

	add_wait(builder, thread, asleep, CAUSE_CONDITION, 300);
	add_wait(builder, thread, spins, CAUSE_SPINLOCK, 500);
	add_sample(builder, thread, library, CAUSE_SPINLOCK, 480);
	add_sample(builder, thread, library, CAUSE_OTHER, 100);
	add_sample(builder, thread, spins, CAUSE_OTHER, 200);
	add_sample(builder, thread, asleep, CAUSE_OTHER, 40);
}

START_TEST(cpu_time_in_a_wait_counts_once)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_two_waits, 0);
	const struct routine_time *asleep = scene_run_routine(run, "worker"),
				  *spins = scene_run_routine(run, "serial");
	const struct routine_time *library = scene_run_routine(run, "f_256"),
				  *top = scene_run_routine(run, "main");

	ck_assert_uint_eq(asleep->blocked_ns, 300 * MS);
	ck_assert_uint_eq(asleep->total_ns + asleep->total_blocked_ns, 340 * MS);
	/* 480 of 500 ms were spun; 100 ms at the same place were in no wait */
	ck_assert_uint_eq(spins->blocked_ns, 20 * MS);
	ck_assert_uint_eq(spins->total_ns + spins->total_blocked_ns, 800 * MS);
	/* the code that waits is no caller of the wait */
	ck_assert_uint_eq(library->total_ns, 580 * MS);
	ck_assert_uint_eq(library->total_blocked_ns, 0);
	ck_assert_uint_eq(top->blocked_ns, 0);
	ck_assert_uint_eq(top->total_ns + top->total_blocked_ns, (820 + 320) * MS);
	/* CPU time + waits - CPU time in waits */
	ck_assert_uint_eq(elapsed_self_of(run), (900 + 800 - 480) * MS);
	ck_assert(top->is_blocked_known);
	scene_run_clear(&scene);
}
END_TEST

/* ---- recursion, and a routine that no sample met */

static void tell_recursion(struct builder *builder)
{
	uint32_t path = 0;

	begin(builder);
	uint32_t thread = add_thread(builder, 1, 2000, 0);

	for (int i = 0; i < 4; i++)
		path = builder_callpath(builder, path, 1, i % 2 ? 0x2010 : 0x1010);
	add_wait(builder, thread, path, CAUSE_CONDITION, 100);
	add_wait(builder, thread, 0, CAUSE_CONDITION, 7);
}

START_TEST(a_wait_counts_once_for_a_routine)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_recursion, 0);

	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_blocked_ns, 100 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->blocked_ns, 100 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_ns, 0);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->line, 0x0f);
	ck_assert_uint_eq(scene_run_routine(run, "main")->total_blocked_ns, 100 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "main")->blocked_ns, 0);
	ck_assert_uint_eq(scene_run_routine(run, "[other]")->blocked_ns,
			  7 * MS); /* it had no call path */
	ck_assert_uint_eq(elapsed_self_of(run), 107 * MS);
	scene_run_clear(&scene);
}
END_TEST

/* ---- samples are taken by chance */

static void tell_chance(struct builder *builder)
{
	begin(builder);
	uint32_t more = add_thread(builder, 1, 1000, 20), less = add_thread(builder, 2, 1000, 800);
	uint32_t first = builder_callpath(builder, 0, 1, 0x2010);
	uint32_t second = builder_callpath(builder, 0, 1, 0x3010);
	uint32_t unknown = builder_callpath(builder, 0, 1, 0x10010);

	/* more than there was */
	add_wait(builder, more, first, CAUSE_SPINLOCK, 10);
	add_sample(builder, more, first, CAUSE_SPINLOCK, 15);
	/* of 900 ms in waits 600 were spun, and less was seen of it: 100 below a path that was cut
	 */
	add_wait(builder, less, first, CAUSE_SPINLOCK, 600);
	add_wait(builder, less, second, CAUSE_SPINLOCK, 300);
	add_sample(builder, less, first, CAUSE_SPINLOCK, 300);
	add_sample(builder, less, unknown, CAUSE_SPINLOCK, 100);
	add_sample(builder, less, second, CAUSE_OTHER, 400);
}

START_TEST(no_thread_waits_longer_than_it_lives)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_chance, 0);

	/* 300 - 50 and 300 - 50 are left; 200 is what the life has besides its samples */
	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_blocked_ns, 100 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "serial")->total_blocked_ns, 100 * MS);
	ck_assert_uint_eq(elapsed_self_of(run), (1000 + 20) * MS);
	scene_run_clear(&scene);
}
END_TEST

/* Samples say more CPU time than the life has room for: the sleep without samples stays exact. */
static void tell_overshoot(struct builder *builder)
{
	begin(builder);
	uint32_t thread = add_thread(builder, 1, 1000, 400);
	uint32_t sleeps = builder_callpath(builder, 0, 1, 0x1010);
	uint32_t spins = builder_callpath(builder, 0, 1, 0x2010);
	uint32_t computes = builder_callpath(builder, 0, 1, 0x3010);

	add_wait(builder, thread, sleeps, CAUSE_SLEEP, 500);
	add_wait(builder, thread, spins, CAUSE_SPINLOCK, 400);
	add_sample(builder, thread, spins, CAUSE_SPINLOCK, 100);
	add_sample(builder, thread, computes, CAUSE_OTHER, 300);
}

START_TEST(what_does_not_fit_into_a_life_is_of_the_waits_with_samples)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_overshoot, 0);

	ck_assert_uint_eq(scene_run_routine(run, "main")->total_blocked_ns, 500 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_blocked_ns, 100 * MS);
	scene_run_clear(&scene);
}
END_TEST

/* ---- paths that were cut */

/* A sample in a wait is deeper than the wait, so it is cut further in. Twice the same call waits,
 * by two paths. */
static void tell_cut(struct builder *builder)
{
	begin(builder);
	uint32_t thread = add_thread(builder, 1, 2000, 300);
	uint32_t outer = builder_callpath(builder, 0, 1, 0x1010);
	uint32_t sleeps = builder_callpath(builder, outer, 1, 0x3010);
	uint32_t spins = builder_callpath(builder, outer, 1, 0x2010);
	uint32_t cut = builder_callpath(builder, 0, 1, 0x2010);
	uint32_t other = builder_callpath(builder, 0, 1, 0x2020);

	add_wait(builder, thread, sleeps, CAUSE_SLEEP, 700);
	add_wait(builder, thread, spins, CAUSE_SLEEP, 500);
	add_wait(builder, thread, other, CAUSE_SLEEP, 100);
	add_sample(builder, thread, builder_callpath(builder, cut, 1, 0x10010), CAUSE_SLEEP, 300);
}

START_TEST(where_a_path_was_cut_the_call_that_waits_decides)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_cut, 0);

	ck_assert_uint_eq(scene_run_routine(run, "serial")->blocked_ns, 700 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->blocked_ns, (500 - 300 + 100) * MS);
	ck_assert_uint_eq(elapsed_self_of(run), (1300 - 300 + 300) * MS);
	scene_run_clear(&scene);
}
END_TEST

/* Two short threads that spin: the sample of one claims the time of the other. */
static void tell_claims(struct builder *builder)
{
	begin(builder);
	uint32_t met = add_thread(builder, 1, 10, 9), unmet = add_thread(builder, 2, 10, 9);
	uint32_t path = builder_callpath(builder, 0, 1, 0x2010);

	add_wait(builder, met, path, CAUSE_SPINLOCK, 9);
	add_wait(builder, unmet, path, CAUSE_SPINLOCK, 9);
	add_sample(builder, met, path, CAUSE_SPINLOCK, 18);
}

START_TEST(time_that_others_claim_is_no_room_to_wait_in)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_claims, 0);

	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_ns, 18 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_blocked_ns, 1 * MS);
	scene_run_clear(&scene);
}
END_TEST

/* ---- OpenMP */

/* A region of 1 s by two: the master is 600 ms in the body, the worker 900. Half of the worker's
 * waits, and 100 of the master's 400 ms, were spun. */
static void tell_team(struct builder *builder)
{
	begin(builder);
	uint32_t master = add_thread(builder, 1, 2000, 700);
	uint32_t worker = add_thread(builder, 2, 2000, 925);
	uint32_t caller = builder_callpath(builder, 0, 1, 0x1010);
	struct row_omp_regions region = {.place = builder_callpath(builder, 0, 1, 0x2010),
					 .caller = caller,
					 .kind = OMP_REGION_PARALLEL};
	uint16_t row = (uint16_t)builder_add(builder, TABLE_omp_regions, FORMAT_NO_OWNER, &region);
	struct row_omp_executions execution = {.region = row,
					       .team = 2,
					       .count = 1,
					       .elapsed_ns = 1000 * MS,
					       .work_ns = 1450 * MS,
					       .wait_ns = 50 * MS,
					       .join_ns = 500 * MS,
					       .members = 2};
	struct row_omp_work works[] = {
		{.region = row, .member = 0, .count = 1, .body_ns = 600 * MS, .work_ns = 600 * MS},
		{.region = row, .member = 1, .count = 1, .body_ns = 900 * MS, .work_ns = 850 * MS},
	};
	struct row_omp_threads threads[] = {
		{.one = 1, .wait_ns = 400 * MS, .outside_ns = 400 * MS},
		{.one = 1, .wait_ns = 150 * MS, .outside_ns = 100 * MS},
	};
	struct row_omp_constructs barrier = {.place = builder_callpath(builder, 0, 1, 0x3010),
					     .region = row,
					     .construct = OMP_CONSTRUCT_BARRIER,
					     .count = 1,
					     .time_ns = 50 * MS};

	builder_add(builder, TABLE_omp_executions, master, &execution);
	builder_add(builder, TABLE_omp_work, master, &works[0]);
	builder_add(builder, TABLE_omp_work, worker, &works[1]);
	builder_add(builder, TABLE_omp_threads, master, &threads[0]);
	builder_add(builder, TABLE_omp_threads, worker, &threads[1]);
	builder_add(builder, TABLE_omp_constructs, worker, &barrier);
	add_sample(builder, master, caller, CAUSE_OPENMP, 100);
	add_sample(builder, master, builder_callpath(builder, caller, 1, 0x2010), CAUSE_OTHER, 600);
	add_sample(builder, worker, builder_callpath(builder, 0, 1, 0x10010), CAUSE_OPENMP, 75);
	add_sample(builder, worker, builder_callpath(builder, 0, 1, 0x2010), CAUSE_OTHER, 850);
}

START_TEST(a_thread_waits_for_its_team_where_it_is_itself)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_team, 0);

	/* the closing barrier is no part of the body, and the worker's is in no routine */
	ck_assert_uint_eq(scene_run_routine(run, "main")->total_ns, 700 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "main")->blocked_ns, 300 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "main")->total_blocked_ns, 300 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->total_blocked_ns, 25 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "serial")->blocked_ns, 25 * MS);
	ck_assert_uint_eq(elapsed_self_of(run), (1625 + 300 + 25) * MS);
	scene_run_clear(&scene);
}
END_TEST

static uint16_t add_region(struct builder *builder, uint32_t caller, uint64_t place)
{
	struct row_omp_regions region = {.place = builder_callpath(builder, 0, 1, place),
					 .caller = caller,
					 .kind = OMP_REGION_PARALLEL};

	return (uint16_t)builder_add(builder, TABLE_omp_regions, FORMAT_NO_OWNER, &region);
}

/* Its only member that is told is 100 ms in its body, and executes tasks. */
static void add_execution(struct builder *builder, uint32_t thread, uint16_t region,
			  uint64_t elapsed_ms, uint64_t tasks_ms)
{
	struct row_omp_executions execution = {
		.region = region, .team = 2, .count = 1, .elapsed_ns = elapsed_ms * MS};
	struct row_omp_work work = {.region = region,
				    .count = 1,
				    .body_ns = 100 * MS,
				    .work_ns = (100 + tasks_ms) * MS};

	builder_add(builder, TABLE_omp_executions, thread, &execution);
	builder_add(builder, TABLE_omp_work, thread, &work);
}

/* Of one thread: a region whose barrier spins, one whose barrier sleeps, one with tasks in its
 * barrier. */
static void tell_regions(struct builder *builder)
{
	begin(builder);
	uint32_t thread = add_thread(builder, 1, 2000, 700);
	uint32_t spins = builder_callpath(builder, 0, 1, 0x1010);
	uint32_t sleeps = builder_callpath(builder, 0, 1, 0x2010);
	uint32_t computes = builder_callpath(builder, 0, 1, 0x3010);
	struct row_omp_threads waits = {.one = 1, .wait_ns = 1000 * MS, .outside_ns = 1000 * MS};

	add_execution(builder, thread, add_region(builder, spins, 0x4010), 500, 0);
	add_execution(builder, thread, add_region(builder, sleeps, 0x5010), 700, 0);
	add_execution(builder, thread, add_region(builder, computes, 0x6010), 400, 300);
	builder_add(builder, TABLE_omp_threads, thread, &waits);
	add_sample(builder, thread, builder_callpath(builder, spins, 1, 0x10010), CAUSE_OPENMP,
		   400);
	add_sample(builder, thread, builder_callpath(builder, computes, 1, 0x6010), CAUSE_OTHER,
		   300);
}

START_TEST(each_region_has_the_waits_at_its_own_barrier)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_regions, 0);

	ck_assert_uint_eq(scene_run_routine(run, "main")->blocked_ns, 0);
	ck_assert_uint_eq(scene_run_routine(run, "worker")->blocked_ns, 600 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "serial")->blocked_ns, 0);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("blocked_waits", cpu_time_in_a_wait_counts_once, a_wait_counts_once_for_a_routine,
	  no_thread_waits_longer_than_it_lives, time_that_others_claim_is_no_room_to_wait_in,
	  what_does_not_fit_into_a_life_is_of_the_waits_with_samples,
	  where_a_path_was_cut_the_call_that_waits_decides,
	  a_thread_waits_for_its_team_where_it_is_itself,
	  each_region_has_the_waits_at_its_own_barrier)

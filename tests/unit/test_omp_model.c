/* SPDX-License-Identifier: MIT */
/* OpenMP regions, read from profiles: sums, places, efficiencies worked by hand. */
#include "analyze/model/openmp/omp_accumulator.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define MS 1000000ull

static const struct omp_region *find_region(const struct run *run, const char *routine)
{
	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];

		if (!strcmp(names_routine(run->names, region->place.routine)->name, routine))
			return region;
	}
	return NULL;
}

static bool has_note(const struct run *run, const char *text)
{
	for (size_t i = 0; i < run->notes.count; i++)
		if (strstr(run->notes.texts[i], text))
			return true;
	return false;
}

START_TEST(executions_are_added_up)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team, false);
	const struct omp_region *region = find_region(run, "f_256");

	ck_assert_uint_eq(run->omp.regions.count, 2);
	ck_assert_ptr_nonnull(region);
	ck_assert_double_eq_tol(region->count, 4, 1e-9);
	ck_assert_uint_eq(region->team_min, 1);
	ck_assert_uint_eq(region->team_max, 2);
	ck_assert_double_eq_tol(omp_region_team(region), 7.0 / 4, 1e-9);
	ck_assert_double_eq_tol(region->elapsed_ns, 400.0 * MS, 1);
	ck_assert_double_eq_tol(region->team_elapsed_ns, 700.0 * MS, 1);
	ck_assert_double_eq_tol(
		region->team_elapsed_ns,
		region->fork_ns + region->work_ns + region->wait_ns + region->join_ns, 1);
	/* 280 - 500 / 2 and 100 - 100 / 1 */
	ck_assert_double_eq_tol(region->imbalance_ns, 30.0 * MS, 1);
	ck_assert_double_eq_tol(region->imbalance_percent, 100 * 50.0 / 700, 1e-9);
	ck_assert_uint_eq(region->min_ns, 90 * MS);
	ck_assert_uint_eq(region->max_ns, 110 * MS);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(members_have_their_own_rows)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team, false);
	const struct omp_region *region = find_region(run, "f_256");

	ck_assert_uint_eq(region->member_count, 2);
	ck_assert_uint_eq(region->member_rows[1].number, 1);
	ck_assert_uint_eq(region->member_rows[1].tid, 1001);
	ck_assert_uint_eq(region->member_rows[1].work_ns, 220 * MS);
	ck_assert_double_eq_tol(region->spread.min_ns, 220.0 * MS, 1);
	ck_assert_double_eq_tol(omp_region_mean_work(region), 300.0 * MS, 1);
	ck_assert_double_eq_tol(region->spread.max_ns, 380.0 * MS, 1);
	ck_assert_uint_eq(region->spread.most.number, 0);
	ck_assert(isnan(omp_region_mean_work(find_region(run, "f_257"))));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(constructs_are_split_by_what_their_time_is)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team, false);
	const struct omp_region *region = find_region(run, "f_256");

	ck_assert_uint_eq(region->construct_count, 4);
	/* a tenth of a millisecond for each of 10 timed pieces, of 1000 */
	ck_assert_double_eq_tol(region->scheduling_ns, 100.0 * MS, 1);
	ck_assert_int_eq(region->scheduling_grade, GRADE_SAMPLED);
	ck_assert_double_eq_tol(region->barrier_ns, 80.0 * MS, 1); /* with the closing one */
	ck_assert_double_eq_tol(region->lock_ns, 8.0 * MS, 1);
	ck_assert_double_eq_tol(region->task_wait_ns, 2.0 * MS, 1);
	/* 50 / 2 at the closing barrier, and 30 of a team of 1.75 */
	ck_assert_double_eq_tol(region->gain_ns, 25.0 * MS + 30.0 * MS / 1.75, 1);
	ck_assert_uint_eq(region->task_count, 1);
	ck_assert_double_eq_tol(region->tasks[0].stolen, 4, 1e-9);
	ck_assert_uint_eq(run->omp.regions.outside.task_count, 1);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(places_are_the_users)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team, false);
	const struct omp_region *outer = find_region(run, "f_256");
	const struct omp_region *inner = find_region(run, "f_257");

	ck_assert_uint_eq(outer->place.line, 14); /* an entry: the very address */
	ck_assert_uint_eq(inner->place.line, 30 + 0x100);
	ck_assert(outer->parent == OMP_NO_REGION);
	ck_assert_ptr_eq(&run->omp.regions.rows[inner->parent], outer);
	for (size_t i = 0; i < outer->construct_count; i++) {
		const struct omp_construct_row *row = &outer->constructs[i];
		const char *name = names_routine(run->names, row->routine)->name;
		bool is_barrier = row->construct == OMP_CONSTRUCT_BARRIER;

		/* a body that ends with a barrier jumps to it: the region itself is the place */
		ck_assert_str_eq(name, is_barrier ? "f_256" : "f_258");
		/* a return address: the instruction before it */
		ck_assert_uint_eq(row->line, is_barrier ? 14 : 0x200 + 20);
	}
	scene_run_clear(&scene);
}
END_TEST

/* P = 2; serial 1000 - 400, work 600: useful 1200. Lost: serial 600 + 100 of the team of one,
 * scheduling 2 x 10, balance (700 - 600) - 20. */
START_TEST(efficiencies_are_those_of_talp)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team, false);
	const struct omp_totals *sums = &run->omp.totals;
	const struct omp_efficiency *efficiency = &run->omp.efficiency;

	ck_assert_double_eq_tol(sums->serial_ns, 600.0 * MS, 1);
	ck_assert_double_eq_tol(sums->region_ns, 400.0 * MS, 1);
	ck_assert_double_eq_tol(sums->lost_serial_ns, 700.0 * MS, 1);
	ck_assert_double_eq_tol(sums->lost_scheduling_ns, 20.0 * MS, 1);
	ck_assert_double_eq_tol(sums->lost_balance_ns, 80.0 * MS, 1);
	ck_assert_double_eq_tol(efficiency->serialization, 1200.0 / 1900, 1e-9);
	ck_assert_double_eq_tol(efficiency->load_balance, 1900.0 / 1980, 1e-9);
	ck_assert_double_eq_tol(efficiency->scheduling, 1980.0 / 2000, 1e-9);
	ck_assert_double_eq_tol(efficiency->parallel, 0.6, 1e-9);
	ck_assert(isnan(efficiency->hybrid_parallel));
	scene_run_clear(&scene);
}
END_TEST

START_TEST(time_in_mpi_stands_beside_the_useful_time)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team_with_mpi, false);
	const struct omp_efficiency *efficiency = &run->omp.efficiency;

	ck_assert_double_eq_tol(efficiency->parallel, 0.6, 1e-9);
	ck_assert_double_eq_tol(efficiency->hybrid_parallel, 1080.0 / 2000, 1e-9);
	ck_assert_double_eq_tol(efficiency->mpi_parallel, 1080.0 / 1200, 1e-9);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(a_region_under_way_is_no_serial_time)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team_under_way, false);

	ck_assert_double_eq_tol(run->omp.totals.serial_ns, 250.0 * MS, 1);
	ck_assert_double_eq_tol(run->omp.totals.region_ns, 750.0 * MS, 1);
	ck_assert_uint_eq(run->omp.regions.count, 1);
	ck_assert_double_eq_tol(run->omp.regions.rows[0].under_way_ns, 750.0 * MS, 1);
	ck_assert(has_note(run, "was in the OpenMP region f_256 (program.c:14) for 750 ms"));
	ck_assert(isnan(run->omp.regions.rows[0].imbalance_percent));
	ck_assert_double_eq_tol(omp_region_team(&run->omp.regions.rows[0]), 0, 1e-9);
	scene_run_clear(&scene);
}
END_TEST

/* The worker waited for 130 ms and has been idle for the last 200: it had 400 ms of CPU time in its
 * 900 ms, so that what is left of them was waiting off the processor. */
START_TEST(waits_are_spun_or_slept_away)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_team, false);
	const struct thread_time *time = &run->processes[0].threads[1];
	const struct omp_totals *totals = &run->omp.totals;

	ck_assert_uint_eq(time->omp_ns, 330 * MS);
	ck_assert_uint_eq(time->omp_open_ns, 200 * MS);
	ck_assert_uint_eq(time->blocked_ns, 500 * MS);
	ck_assert_uint_eq(time->by_cause_ns[CAUSE_OPENMP], 330 * MS);
	ck_assert_uint_eq(thread_time_spin(time), 0);
	/* the master had a processor all the time */
	ck_assert_double_eq_tol(totals->wait_ns, 390.0 * MS, 1);
	ck_assert_double_eq_tol(totals->spin_ns, 60.0 * MS, 1);
	ck_assert_double_eq_tol(totals->blocked_ns, 330.0 * MS, 1);
	/* 150 + 200 outside of bodies; 50 of it at closing barriers, 10 while regions began */
	ck_assert_double_eq_tol(run->omp.idle_ns, 290.0 * MS, 1);
	scene_run_clear(&scene);
}
END_TEST

/* 1.36 s of 1.4 s of CPU time in the body of the region: 40 ms are left for spinning. */
static void tell_computing_team(struct builder *builder)
{
	scene_tell_team(builder);
	uint32_t body = builder_callpath(builder, 0, 1, 0x10000 + 14);
	const struct row_samples master = {
		.callpath = body, .level = 1, .cpu_ns = 1000 * MS, .count = 250};
	const struct row_samples worker = {
		.callpath = body, .level = 2, .cpu_ns = 360 * MS, .count = 90};

	builder_add(builder, TABLE_samples, 1, &master);
	builder_add(builder, TABLE_samples, 2, &worker);
}

START_TEST(no_more_is_spun_than_samples_leave)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_computing_team, false);

	ck_assert_uint_eq(run->cpu_ns, 1400 * MS);
	ck_assert_double_eq_tol(run->omp.totals.spin_ns, 40.0 * MS, 1);
	ck_assert_double_eq_tol(run->omp.totals.wait_ns, 390.0 * MS, 1);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(processes_are_added_up_in_any_order)
{
	static const uint32_t orders[2][2] = {{1000, 2000}, {2000, 1000}};

	for (size_t i = 0; i < 2; i++) {
		struct scene_run scene = {.files = run_files_create("x")};

		for (size_t p = 0; p < 2; p++) {
			scene_team_pid = orders[i][p];
			run_files_add_profile(scene.files, scene_profile(scene_tell_team));
		}
		scene_team_pid = 1000;
		scene_run_model(&scene, false);
		const struct omp_region *region = find_region(scene.run, "f_256");

		ck_assert_uint_eq(scene.run->omp.regions.count, 2);
		ck_assert_double_eq_tol(region->elapsed_ns, 800.0 * MS, 1);
		ck_assert_uint_eq(region->member_count, 4);
		ck_assert_double_eq_tol(scene.run->omp.efficiency.parallel, 0.6, 1e-9);
		scene_run_clear(&scene);
	}
}
END_TEST

START_TEST(references_to_nowhere_become_none)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, scene_tell_strange_team, false);
	const struct omp_regions *regions = &run->omp.regions;

	ck_assert_uint_eq(regions->count, 1); /* both have no place, and so are one */
	ck_assert(regions->rows[0].parent == OMP_NO_REGION);
	ck_assert_double_eq_tol(regions->rows[0].count, 3, 1e-9);
	ck_assert_uint_eq(regions->rows[0].member_count, 0);
	ck_assert_uint_eq(regions->outside.construct_count, 1);
	ck_assert_uint_eq(regions->outside.task_count, 1);
	ck_assert(run->files->processes[0].is_torn);
	scene_run_clear(&scene);
}
END_TEST

/* main -> wrapper -> runtime -> body for 300 ms, and for 100 ms the runtime itself. */
static void tell_samples(struct builder *builder)
{
	scene_tell_team(builder);
	uint32_t in_main = builder_callpath(builder, 0, 1, 0x1000 + 16);
	uint32_t wrapper = builder_callpath(builder, in_main, 3, 0x100);
	uint32_t runtime = builder_callpath(builder, wrapper, 2, 0x200);
	uint32_t body = builder_callpath(builder, runtime, 1, 0x10000 + 20);
	struct row_samples sample = {.callpath = body, .cpu_ns = 300 * MS, .count = 60};

	builder_add(builder, TABLE_samples, 1, &sample);
	sample = (struct row_samples){.callpath = runtime, .cpu_ns = 100 * MS, .count = 20};
	builder_add(builder, TABLE_samples, 1, &sample);
}

START_TEST(what_stands_between_region_and_body_calls_nothing)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_samples, false);

	ck_assert_uint_eq(scene_run_routine(run, "main")->total_ns, 400 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "f_256")->total_ns, 300 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "libgomp.so.1_call")->self_ns, 100 * MS);
	ck_assert_uint_eq(scene_run_routine(run, "libgomp.so.1_call")->total_ns, 100 * MS);
	/* what it passes on is not its own */
	ck_assert_uint_eq(scene_run_routine(run, NAMES_PROFILER)->total_ns, 0);
	scene_run_clear(&scene);
}
END_TEST

/* A critical section of each kind, an ordered block, and an atomic that the runtime does. */
static void tell_locks(struct builder *builder)
{
	static const struct {
		uint16_t module;
		uint64_t offset;
		enum object_kind kind;
		enum operation operation;
	} locks[] = {
		{1, 0x9100, OBJECT_CRITICAL, OP_CRITICAL},
		{1, 0x9200, OBJECT_CRITICAL, OP_CRITICAL},
		{1, 0x9300, OBJECT_CRITICAL, OP_CRITICAL},
		{2, 0x50, OBJECT_CRITICAL, OP_CRITICAL},
		{2, 0x60, OBJECT_ATOMIC, OP_ATOMIC},
		{1, 0x10220, OBJECT_ORDERED, OP_ORDERED},
		{1, 0x9000, OBJECT_OMP_LOCK, OP_OMP_SET_LOCK},
	};

	scene_tell_team(builder);
	for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
		uint32_t path = builder_callpath(builder, 0, 1, 0x10215 + 16 * i);
		struct row_objects object = {.address = 0x1000 + i,
					     .offset = locks[i].offset,
					     .module = locks[i].module,
					     .kind = (uint8_t)locks[i].kind,
					     .birth = path,
					     .members = 1};
		struct row_waits wait = {.callpath = path,
					 .object = (uint16_t)builder_add(builder, TABLE_objects,
									 FORMAT_NO_OWNER, &object),
					 .cause = CAUSE_OPENMP,
					 .operation = (uint8_t)locks[i].operation,
					 .count = 1,
					 .sum_ns = (7 - i) * MS,
					 .max_ns = (7 - i) * MS};

		builder_add(builder, TABLE_waits, 1, &wait);
	}
}

START_TEST(locks_have_the_names_of_the_program)
{
	static const char *const names[] = {
		"critical(till)",     "critical(desk)", "(unnamed critical)",
		"(unnamed critical)", "(atomic)",       "ordered in f_258 (program.c:612)",
		"queue_lock"};
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_locks, false);
	const struct synchronization *all = &run->synchronization;

	/* the unnamed ones of both compilers are one object here: their name is the same */
	ck_assert_uint_eq(all->count, 6);
	ck_assert_uint_eq(all->wait_ns_by_cause[CAUSE_OPENMP], 28 * MS);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		bool is_there = false;

		for (size_t n = 0; n < all->object_count; n++)
			is_there |= !strcmp(all->names[n], names[i]);
		ck_assert_msg(is_there, "no %s", names[i]);
	}
	scene_run_clear(&scene);
}
END_TEST

/* An execution whose parts lack a millisecond. */
static void tell_broken_law(struct builder *builder)
{
	scene_tell_team(builder);
	struct row_omp_executions row = {.region = 1,
					 .team = 3,
					 .count = 1,
					 .elapsed_ns = 10 * MS,
					 .work_ns = 29 * MS,
					 .members = 3};

	builder_add(builder, TABLE_omp_executions, 1, &row);
}

START_TEST(a_broken_law_is_told)
{
	struct scene_run scene;

	ck_assert(!has_note(scene_run_told(&scene, scene_tell_team, false), "of fork, work"));
	scene_run_clear(&scene);
	ck_assert(
		has_note(scene_run_told(&scene, tell_broken_law, false),
			 "0.030000 s of teams in an OpenMP region, but 0.029000 s of fork, work"));
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("omp_model", what_stands_between_region_and_body_calls_nothing, a_broken_law_is_told,
	  locks_have_the_names_of_the_program, executions_are_added_up, members_have_their_own_rows,
	  constructs_are_split_by_what_their_time_is, places_are_the_users,
	  efficiencies_are_those_of_talp, time_in_mpi_stands_beside_the_useful_time,
	  a_region_under_way_is_no_serial_time, waits_are_spun_or_slept_away,
	  no_more_is_spun_than_samples_leave, processes_are_added_up_in_any_order,
	  references_to_nowhere_become_none)

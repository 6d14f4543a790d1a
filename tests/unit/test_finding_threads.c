/* SPDX-License-Identifier: MIT */
/* Each rule on threads and their grain, with a run that has the problem and with one that has not.
 */
#include "tests/unit/finding_scene.h"

START_TEST(a_good_run_has_no_finding)
{
	struct scene scene;

	begin(&scene);
	ck_assert_ptr_null(find(&scene, "sequential"));
	ck_assert_uint_eq(told.count, 0);
	end(&scene);
}
END_TEST

/* Both were on a processor whenever they got one; others had it for the rest. */
START_TEST(time_that_others_took_is_not_sequential)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 900 * MS, 0.5);
	ck_assert_ptr_nonnull(find(&scene, "sequential"));
	scene.run.ready_ns = scene.process.ready_ns = 900 * MS;
	scene.file.process.threads_peak = 2;
	ck_assert_ptr_null(find(&scene, "sequential"));
	ck_assert_ptr_nonnull(find(&scene, "oversubscription"));
	end(&scene);
}
END_TEST

/* A program that is mostly idle fools nobody. */
START_TEST(an_idle_program_is_not_falsely_parallel)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	scene.run.on_processor.average = 0.9;
	scene.run.useful.average = 0.5;
	ck_assert_ptr_null(find(&scene, "false-parallelism"));
	/* but for one that did not get more: 0.9 of 1.6 */
	scene.run.ready_ns = 400 * MS;
	ck_assert_ptr_nonnull(find(&scene, "false-parallelism"));
	scene.run.on_processor.average = 0.79;
	ck_assert_ptr_null(find(&scene, "false-parallelism"));
	end(&scene);
}
END_TEST

START_TEST(a_routine_of_one_thread_is_sequential)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 600 * MS, 1);
	block(&scene, 2, CAUSE_OTHER, 900 * MS);
	const struct finding *finding = find(&scene, "sequential");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 30, 1e-9);
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "11");
	/* which both run: alone because the other one is blocked */
	make_alone(&scene, 600 * MS, 0.5);
	ck_assert_ptr_null(find(&scene, "sequential"));
	end(&scene);
}
END_TEST

static void make_group(struct scene *scene, size_t count, double longest_ns, double sum_ns)
{
	scene->run.imbalance = (struct imbalance){.count = count,
						  .max_ns = longest_ns,
						  .sum_ns = sum_ns,
						  .lost_ns = longest_ns * (double)count - sum_ns};
}

/* Of 240 threads two lived at once: that others were shorter explains no more of the time alone
 * than the longest could have been shorter. */
START_TEST(waves_of_uneven_threads_are_sequential)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 900 * MS, 0.5);
	make_group(&scene, 240, 10 * MS, 1000 * MS);
	const struct finding *finding = find(&scene, "sequential");

	ck_assert_ptr_nonnull(finding);
	/* 900 ms less 2 x (10 - 4.17) ms, of which half is won */
	ck_assert_double_eq_tol(finding->severity_percent, 44.4, 0.1);
	/* of two that lived at once it explains all */
	make_group(&scene, 2, 950 * MS, 1000 * MS);
	ck_assert_ptr_null(find(&scene, "sequential"));
	end(&scene);
}
END_TEST

START_TEST(nine_tenths_of_the_work_are_shared_unevenly)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 800 * MS, 0.9);
	make_group(&scene, 2, 900 * MS, 1000 * MS);
	ck_assert_ptr_null(find(&scene, "sequential"));
	ck_assert_ptr_nonnull(find(&scene, "imbalance"));
	make_alone(&scene, 800 * MS, 1);
	ck_assert_ptr_nonnull(find(&scene, "sequential"));
	end(&scene);
}
END_TEST

START_TEST(a_run_of_an_instant_has_no_finding)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 600 * MS, 1);
	scene.run.elapsed_ns = 4900000;
	ck_assert_ptr_null(find(&scene, "sequential"));
	ck_assert_uint_eq(told.count, 0);
	end(&scene);
}
END_TEST

START_TEST(short_threads_are_found)
{
	struct scene scene;

	begin(&scene);
	scene.rows[1].lives = 5000;
	scene.threads[1].lifetime_ns = 500 * MS; /* 0.1 ms each */
	const struct finding *finding = find(&scene, "short-threads");

	ck_assert_ptr_nonnull(finding);
	/* 5000 x 25 us of the one thread, of 2 s of both */
	ck_assert_double_eq_tol(finding->severity_percent, 6.25, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "5000 threads that lived for 100 us");
	ASSERT_SAYS(finding, "about 125 ms");
	/* and where the other is idle for 0.4 of the time: up to the 0.125 s that it takes */
	scene.run.efficiency_percent = 60;
	finding = find(&scene, "short-threads");
	ck_assert_double_eq_tol(finding->severity_percent, 12.5, 1e-9);
	ASSERT_SAYS(finding, "40 % of the other processors");
	scene.run.processors = 1;
	finding = find(&scene, "short-threads");
	ck_assert_double_eq_tol(finding->severity_percent, 12.5, 1e-9);
	scene.run.processors = 2;
	scene.threads[1].lifetime_ns = 6 * SECOND;
	ck_assert_ptr_null(find(&scene, "short-threads"));
	scene.rows[1].lives = 90;
	scene.threads[1].lifetime_ns = 1;
	ck_assert_ptr_null(find(&scene, "short-threads"));
	end(&scene);
}
END_TEST

START_TEST(tiny_lock_sections_are_found)
{
	struct scene scene;

	begin(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_OTHER, 20000000, 0);
	scene.syncs[0].contended = 0;
	const struct finding *finding = find(&scene, "fine-locks");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 20, 1e-9);
	ASSERT_SAYS(finding, "20000000 times");
	scene.syncs[0].count = 4000000;
	ck_assert_ptr_null(find(&scene, "fine-locks"));
	scene.syncs[0].count = 20000000; /* all of which waited: contention tells of them */
	scene.syncs[0].contended = 20000000;
	ck_assert_ptr_null(find(&scene, "fine-locks"));
	end(&scene);
}
END_TEST

/* 20 million pairs, and so much CPU time of samples in a routine. */
static double at_stake_by_samples_in(const char *routine, const char *module, uint64_t sampled_ns)
{
	struct scene scene;
	struct path_node nodes[3];

	begin(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_OTHER, 20000000, 0);
	scene.syncs[0].contended = 0;
	memset(nodes, 0, sizeof nodes);
	nodes[1].routine = names_number(scene.run.names, "work", "/bin/program", NULL);
	nodes[2] =
		(struct path_node){.parent = 1,
				   .routine = names_number(scene.run.names, routine, module, NULL),
				   .depth = 2,
				   .self = {.cpu_ns = sampled_ns, .samples = 100}};
	scene.run.paths.nodes = nodes;
	scene.run.paths.count = 3;
	double percent = find(&scene, "fine-locks")->severity_percent;
	end(&scene);
	return percent;
}

static double at_stake_by_samples(uint64_t sampled_ns)
{
	return at_stake_by_samples_in("pthread_mutex_lock", "/lib/libc.so.6", sampled_ns);
}

/* It may have been at a lock, or at a call on a descriptor, of a routine that takes none. */
START_TEST(what_the_profiler_does_is_no_part_of_a_locks_price)
{
	ck_assert_double_eq_tol(at_stake_by_samples_in(NAMES_PROFILER, "", 800 * MS), 20, 1e-9);
}
END_TEST

/* Of two seconds of two processors. */
START_TEST(tiny_lock_sections_cost_what_samples_find)
{
	ck_assert_double_eq_tol(at_stake_by_samples(100 * MS), 20, 1e-9); /* 20 ns each at least */
	ck_assert_double_eq_tol(at_stake_by_samples(800 * MS), 40, 1e-9);
	ck_assert_double_eq_tol(at_stake_by_samples(1900 * MS), 95, 1e-9);
	ck_assert_double_eq_tol(at_stake_by_samples(9000 * MS), 100, 1e-9);
}
END_TEST

START_TEST(few_samples_stand_behind_everything)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	block(&scene, 2, CAUSE_OTHER, 500 * MS);
	scene.routines[0].samples = 64;
	const struct finding *finding = find(&scene, "few-samples");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->kind, FINDING_CAVEAT);
	ck_assert_ptr_eq(finding, told.rows + told.count - 1);
	ck_assert_double_eq(finding->severity_percent, 0);
	ck_assert_double_eq(finding->elapsed_percent, 0);
	ASSERT_SAYS(finding, "64 samples");
	ASSERT_SAYS(finding, "to 12 % at best");
	scene.routines[0].samples = 100;
	ck_assert_ptr_null(find(&scene, "few-samples"));
	scene.routines[0].samples = 0;
	finding = find(&scene, "few-samples");
	ck_assert_str_eq(finding->title, "no samples");
	end(&scene);
}
END_TEST

/* Six threads that are ready: a problem, unless what made them so is found, with half of its stake.
 */
START_TEST(readiness_is_a_symptom_of_its_cause)
{
	struct scene scene;

	begin(&scene);
	scene.run.cpu_ns = 1600 * MS;
	scene.run.efficiency_percent = scene.run.useful.efficiency_percent = 80;
	scene.run.ready_ns = 4 * SECOND;
	scene.file.process.threads_peak = 6;
	const struct finding *finding = find(&scene, "oversubscription");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->kind, FINDING_PROBLEM);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 300 * MS);
	block(&scene, 1, CAUSE_MUTEX, 300 * MS);
	finding = find(&scene, "oversubscription");
	ck_assert_ptr_nonnull(find(&scene, "lock-contention"));
	finding = find(&scene, "oversubscription");
	ck_assert_int_eq(finding->kind, FINDING_SYMPTOM);
	end(&scene);
}
END_TEST

START_TEST(other_programs_are_told_from_own_threads)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	block(&scene, 2, CAUSE_OTHER, 300 * MS);
	scene.run.ready_ns = 900 * MS;
	scene.file.process.threads_peak = 2;
	const struct finding *finding = find(&scene, "oversubscription");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	ck_assert_str_eq(finding->title, "other programs use the processors");
	/* three threads, of which one is a helper that wants no processor */
	scene.file.process.threads_peak = 3;
	finding = find(&scene, "oversubscription");
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	/* five threads on average */
	scene.file.process.threads_peak = 6;
	scene.run.ready_ns = 4 * SECOND;
	finding = find(&scene, "oversubscription");
	ck_assert_str_eq(finding->title,
			 "more threads than processors, and other programs besides");
	ck_assert_int_ne(finding->kind, FINDING_ENVIRONMENT);
	/* no helper, and the three had nearly all there is */
	scene.file.process.threads_peak = 3;
	scene.run.ready_ns = 900 * MS;
	scene.threads[0].user_ns = 500 * MS;
	scene.run.cpu_ns = 1900 * MS;
	finding = find(&scene, "oversubscription");
	ck_assert_str_eq(finding->title, "more threads than processors");
	ck_assert_int_ne(finding->kind, FINDING_ENVIRONMENT);
	end(&scene);
}
END_TEST

/* Two threads use the one processor for all of the second, in turn. */
START_TEST(on_one_processor_threads_take_turns)
{
	struct scene scene;

	begin(&scene);
	scene.run.processors = scene.file.process.processors = 1;
	scene.run.cpu_ns = SECOND;
	scene.levels[0][1] = (struct efficiency_level){1, SECOND};
	scene.levels[0][2].time_ns = 0;
	block(&scene, 0, CAUSE_JOIN, SECOND);
	for (size_t i = 1; i < ROWS; i++)
		scene.threads[i].user_ns = scene.threads[i].ready_ns = SECOND / 2;
	scene.run.ready_ns = SECOND;
	told_of(&scene.run);
	ck_assert_msg(!told.count, "%s", told.count ? told.rows->id : "");
	/* others had it for half of the time */
	scene.run.cpu_ns = SECOND / 2;
	scene.run.efficiency_percent = scene.run.useful.efficiency_percent = 50;
	scene.levels[0][1].time_ns = SECOND / 2;
	for (size_t i = 1; i < ROWS; i++) {
		scene.threads[i].user_ns = SECOND / 4;
		scene.threads[i].ready_ns = SECOND * 3 / 4;
	}
	scene.run.ready_ns = SECOND * 3 / 2;
	const struct finding *finding = find(&scene, "oversubscription");

	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_eq(finding, told.rows);
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	ASSERT_SAYS(finding, "ready to run for 1.50 s, of which other programs explain 500 ms");
	ck_assert_double_eq_tol(finding->elapsed_percent, 50, 1e-9);
	end(&scene);
}
END_TEST

START_TEST(missing_threads_would_win_while_all_are_at_work)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	scene.file.process.threads_peak = scene.file.process.threads_started = 1;
	scene.process.thread_count = 1;
	scene.levels[1][1] = (struct efficiency_level){1, 800 * MS};
	scene.threads[0].user_ns = 800 * MS;
	const struct finding *finding = find(&scene, "too-few-threads");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-9);
	ASSERT_SAYS(finding, "for 800 ms most of them were at work");
	/* blocked for most of the time: more threads would be it, too */
	scene.levels[1][1].time_ns = 150 * MS;
	ck_assert_ptr_null(find(&scene, "too-few-threads"));
	end(&scene);
}
END_TEST

/* Thread 11 works for 0.3 s and 12 for 0.1 s; other programs have the processor of the first one
 * for two thirds of its time. */
START_TEST(uneven_work_has_the_same_share_beside_other_programs)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_group(&scene, 2, 300 * MS, 400 * MS);
	scene.run.imbalance.longest_tid = 11;
	block(&scene, 0, CAUSE_JOIN, SECOND);
	scene.threads[1].user_ns = 300 * MS;
	scene.threads[2].user_ns = 100 * MS;
	scene.run.cpu_ns = 400 * MS;
	scene.run.efficiency_percent = scene.run.useful.efficiency_percent = 20;
	ck_assert_double_eq_tol(find(&scene, "imbalance")->elapsed_percent, 10, 1e-6);
	scene.threads[1].ready_ns = scene.run.ready_ns = scene.process.ready_ns = 600 * MS;
	const struct finding *finding = find(&scene, "imbalance");

	ck_assert_double_eq_tol(finding->elapsed_percent, 30, 0.1);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_threads", uneven_work_has_the_same_share_beside_other_programs,
	  on_one_processor_threads_take_turns, a_good_run_has_no_finding,
	  time_that_others_took_is_not_sequential, an_idle_program_is_not_falsely_parallel,
	  a_routine_of_one_thread_is_sequential, waves_of_uneven_threads_are_sequential,
	  nine_tenths_of_the_work_are_shared_unevenly, a_run_of_an_instant_has_no_finding,
	  short_threads_are_found, tiny_lock_sections_are_found,
	  tiny_lock_sections_cost_what_samples_find,
	  what_the_profiler_does_is_no_part_of_a_locks_price, few_samples_stand_behind_everything,
	  readiness_is_a_symptom_of_its_cause, other_programs_are_told_from_own_threads,
	  missing_threads_would_win_while_all_are_at_work)

/* SPDX-License-Identifier: MIT */
/* The rule on two pools of threads, with a run that has them and with ones that have not. */
#include "tests/unit/finding_scene.h"

/* The second thread is a member of a team of two, the third one serves a library: on two processors
 * one of the three is always ready. Of the 2 s of CPU time they spin for 400 ms each. */
static void make_pools(struct scene *scene)
{
	static struct omp_region region;

	begin(scene);
	region = (struct omp_region){.parent = OMP_NO_REGION, .team_min = 2, .team_max = 2};
	scene->run.omp = (struct omp){
		.is_used = true,
		.totals = {.threads = 2, .processors = 2, .processes = 1, .spin_ns = 400.0 * MS},
		.regions = {.rows = &region, .count = 1}};
	scene->run.ready_ns = SECOND;
	scene->run.useful.efficiency_percent = 80;
	scene->rows[1].flags = THREAD_OF_OPENMP;
	scene->threads[2].role = "serve";
	scene->routines[1] = (struct routine_time){
		.routine = names_special(scene->run.names, "sched_yield"),
		.samples = 100,
		.self_ns = 400 * MS,
		.spread = {.count = 1, .mean_ns = 4e8, .max_ns = 4e8, .max_at.tid = 12}};
	scene->run.routines.count = 2;
	scene->syncs[0] = (struct sync_row){.operation = OP_YIELD, .count = 1000};
	scene->run.synchronization.count = 1;
}

static void make_spinlock(struct scene *scene)
{
	scene->syncs[1] = (struct sync_row){.operation = OP_SPIN_LOCK,
					    .object = 1,
					    .cause = CAUSE_SPINLOCK,
					    .contended = 10,
					    .wait_ns = 600 * MS,
					    .waiters = {.rows = &scene->site, .count = 1}};
	scene->run.synchronization.count = 2;
}

START_TEST(both_are_named_and_told_once)
{
	struct scene scene;

	make_pools(&scene);
	const struct finding *finding = find(&scene, "spinning-pools");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "teams of up to 2 threads and 1 thread of serve on 2 processors");
	ASSERT_SAYS(finding, "spun for 400 ms, others for 400 ms");
	/* 800 ms of the 2 s of the processors */
	ck_assert_double_eq_tol(finding->elapsed_percent, 40, 1e-6);
	ck_assert_ptr_null(find(&scene, "omp-spinning"));
	ck_assert_ptr_null(find(&scene, "spin-wait"));
	/* a spinlock of others is something else */
	make_spinlock(&scene);
	finding = find(&scene, "spin-wait");
	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_null(strstr(finding->evidence, "sched_yield"));
	ck_assert_double_eq_tol(finding->elapsed_percent, 20, 1e-6);
	end(&scene);
}
END_TEST

/* The first thread waits for the library's. */
START_TEST(who_calls_may_spin_more_than_who_serves)
{
	struct scene scene;

	make_pools(&scene);
	scene.routines[1].spread.max_at.tid = 10;
	ASSERT_SAYS(find(&scene, "spinning-pools"), "1 thread of serve");
	scene.threads[2].user_ns = 50 * MS; /* it hardly ever has a processor */
	ck_assert_ptr_null(find(&scene, "spinning-pools"));
	end(&scene);
}
END_TEST

START_TEST(no_more_is_lost_than_threads_were_ready)
{
	struct scene scene;

	make_pools(&scene);
	scene.run.ready_ns = 300 * MS;
	/* half of it is in the 1.6 s of useful time, as yields are */
	ck_assert_double_eq_tol(find(&scene, "spinning-pools")->elapsed_percent,
				100 * 300 / (1600.0 + 150), 1e-6);
	scene.run.ready_ns = 0;
	ck_assert_ptr_null(find(&scene, "spinning-pools"));
	end(&scene);
}
END_TEST

START_TEST(who_sleeps_or_has_a_processor_is_no_such_pool)
{
	struct scene scene;

	make_pools(&scene);
	scene.run.omp.totals.spin_ns = 10.0 * MS; /* OMP_WAIT_POLICY=passive */
	ck_assert_ptr_null(find(&scene, "spinning-pools"));
	scene.run.omp.totals.spin_ns = 400.0 * MS;
	scene.routines[1].self_ns = 10 * MS; /* the library's thread sleeps */
	ck_assert_ptr_null(find(&scene, "spinning-pools"));
	scene.routines[1].self_ns = 400 * MS;
	scene.rows[2].flags = THREAD_OF_OPENMP; /* it is a member of a team that yields */
	ck_assert_ptr_null(find(&scene, "spinning-pools"));
	scene.rows[2].flags = 0;
	scene.run.processors = scene.run.omp.totals.processors = 4;
	ck_assert_ptr_null(find(&scene, "spinning-pools"));
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_pools", both_are_named_and_told_once, who_calls_may_spin_more_than_who_serves,
	  no_more_is_lost_than_threads_were_ready, who_sleeps_or_has_a_processor_is_no_such_pool)

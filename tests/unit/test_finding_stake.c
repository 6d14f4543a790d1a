/* SPDX-License-Identifier: MIT */
/* What can be won by waits that are gone: never more than the threads' own work leaves, and nothing
 * where nobody was kept waiting. */
#include "tests/unit/finding_scene.h"

/* A chain: thread 12 waits for thread 11, which works for 0.5 s and has no processor for 0.4 s,
 * since other programs have it. */
static void make_chain(struct scene *scene)
{
	make_idle(scene);
	make_wait(scene, OP_SEM_WAIT, CAUSE_SEMAPHORE, 10, 900 * MS);
	block(scene, 0, CAUSE_JOIN, SECOND);
	block(scene, 1, CAUSE_SEMAPHORE, 100 * MS);
	block(scene, 2, CAUSE_SEMAPHORE, 800 * MS);
	scene->threads[1].user_ns = 500 * MS;
	scene->threads[2].user_ns = 100 * MS;
	scene->run.cpu_ns = 600 * MS;
	scene->run.efficiency_percent = scene->run.useful.efficiency_percent = 30;
}

START_TEST(no_thread_is_shorter_than_its_own_work)
{
	struct scene scene;

	begin(&scene);
	make_chain(&scene);
	ck_assert_double_eq_tol(find(&scene, "condition-wait")->elapsed_percent, 50, 1e-9);
	scene.threads[1].ready_ns = scene.run.ready_ns = 400 * MS;
	const struct finding *finding = find(&scene, "condition-wait");

	ck_assert_double_eq_tol(finding->elapsed_percent, 10, 0.1);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	end(&scene);
}
END_TEST

/* Of 0.5 s of CPU time 0.2 s were of no use: they may be won as well. */
START_TEST(what_is_spun_away_is_no_work)
{
	struct scene scene;

	begin(&scene);
	make_chain(&scene);
	scene.threads[1].ready_ns = scene.run.ready_ns = 400 * MS;
	scene.run.useful.efficiency_percent = 20;
	ck_assert_double_eq_tol(find(&scene, "condition-wait")->elapsed_percent, 30, 0.1);
	end(&scene);
}
END_TEST

/* One works alone for 0.6 s, while the other one waits for it at a barrier: shared out, the work
 * takes 0.3 s, however idle the processors are. */
START_TEST(a_barrier_wins_half_of_the_wait)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 2, 600 * MS);
	block(&scene, 0, CAUSE_JOIN, SECOND);
	block(&scene, 1, CAUSE_BARRIER, 600 * MS);
	scene.threads[1].user_ns = 100 * MS;
	scene.threads[2].user_ns = 700 * MS;
	scene.run.cpu_ns = 800 * MS;
	scene.run.efficiency_percent = scene.run.useful.efficiency_percent = 40;
	ck_assert_double_eq_tol(find(&scene, "barrier-wait")->elapsed_percent, 30, 1e-9);
	end(&scene);
}
END_TEST

/* Two meet at a barrier once, and no thread is ever blocked there: who waited was ready to go on.
 */
START_TEST(who_is_ready_in_a_wait_lost_nothing_to_it)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 2, 600 * MS);
	const struct finding *finding = find(&scene, "barrier-wait");

	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_null(strstr(finding->evidence, "alternates"));
	scene.threads[1].ready_ns = scene.threads[2].ready_ns = 400 * MS;
	ck_assert_ptr_null(find(&scene, "barrier-wait"));
	end(&scene);
}
END_TEST

/* Two threads work for 0.5 s each and meet at a barrier. The first one shares its processor with
 * another program, and is ready for 0.4 s; the second one waits for it as long. */
static void make_delayed(struct scene *scene, enum operation operation, enum cause cause,
			 uint64_t wait_ns)
{
	begin(scene);
	make_idle(scene);
	make_wait(scene, operation, cause, 10, wait_ns);
	block(scene, 0, CAUSE_JOIN, SECOND);
	block(scene, 2, cause, wait_ns);
	scene->threads[1].ready_ns = scene->run.ready_ns = 400 * MS;
}

START_TEST(who_comes_late_since_others_had_its_processor_loses_nothing_at_a_barrier)
{
	struct scene scene;

	make_delayed(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 400 * MS);
	ck_assert_ptr_null(find(&scene, "barrier-wait"));
	end(&scene);
	/* it waited for longer than that explains: half of 0.2 s */
	make_delayed(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 600 * MS);
	const struct finding *finding = find(&scene, "barrier-wait");

	ck_assert_double_eq_tol(finding->elapsed_percent, 10, 0.01);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "for up to 400 ms of 600 ms other programs may have had the "
			     "processors of those who were waited for");
	/* who was ready is the one that waited: that made nobody late */
	scene.threads[1].ready_ns = 0;
	scene.threads[2].ready_ns = 400 * MS;
	finding = find(&scene, "barrier-wait");
	ck_assert_double_gt(finding->elapsed_percent, 20);
	ck_assert_ptr_null(strstr(finding->evidence, "may have had"));
	end(&scene);
}
END_TEST

START_TEST(what_a_holder_lost_to_others_is_said)
{
	struct scene scene;

	make_delayed(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 600 * MS);
	ASSERT_SAYS(find(&scene, "lock-contention"), "for up to 400 ms of 600 ms other programs");
	scene.threads[1].ready_ns = scene.run.ready_ns = 20 * MS; /* the price of waking up */
	ck_assert_ptr_null(strstr(find(&scene, "lock-contention")->evidence, "other programs"));
	end(&scene);
}
END_TEST

/* Of the 2 s of the processors the program used 1.2 s, and other programs 0.7 s. */
START_TEST(processors_of_others_are_not_idle)
{
	struct scene scene;

	begin(&scene);
	scene.rows[1].lives = 5000;
	scene.threads[1].lifetime_ns = 500 * MS;
	scene.run.efficiency_percent = 60;
	scene.run.cpu_ns = 1200 * MS;
	ASSERT_SAYS(find(&scene, "short-threads"), "40 % of the other processors");
	struct run_files files = {.processors = {.is_known = true,
						 .host = "a",
						 .count = 2,
						 .begin_ns = 1,
						 .end_ns = 1 + SECOND,
						 .idle_ns = 100 * MS,
						 .busy_ns = 1900 * MS,
						 .own_ns = 1200 * MS}};

	scene.file.header.start_ns = 1;
	scene.file.process.host = "a";
	scene.process.life.end_ns = 1 + SECOND;
	scene.run.files = &files;
	scene.run.host_count = 1;
	ASSERT_SAYS(find(&scene, "short-threads"), " 5.0 % of the other processors");
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_stake", processors_of_others_are_not_idle,
	  who_comes_late_since_others_had_its_processor_loses_nothing_at_a_barrier,
	  what_a_holder_lost_to_others_is_said, who_is_ready_in_a_wait_lost_nothing_to_it,
	  no_thread_is_shorter_than_its_own_work, what_is_spun_away_is_no_work,
	  a_barrier_wins_half_of_the_wait)

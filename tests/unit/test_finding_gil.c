/* SPDX-License-Identifier: MIT */
/* Waits for Python's global interpreter lock, and waits of Python programs that are none. */
#include "tests/unit/finding_scene.h"

/* Two threads take turns for 1 s: each waits for half of it. */
static void begin_turns(struct scene *scene, const char *object)
{
	begin(scene);
	make_idle(scene);
	scene->names[0] = (char *)object;
	scene->run.average_processors = 1;
	make_wait(scene, OP_COND_TIMEDWAIT, CAUSE_CONDITION, 200, SECOND);
	for (size_t i = 1; i < ROWS; i++)
		block(scene, i, CAUSE_CONDITION, SECOND / 2);
}

START_TEST(waits_for_the_lock_of_the_interpreter_are_found)
{
	struct scene scene;

	begin_turns(&scene, "_PyRuntime+392");
	const struct finding *finding = find(&scene, "gil");

	ck_assert_ptr_nonnull(finding);
	/* 1 s of work of 2 s on two processors; and it stands before the wait to be woken */
	ck_assert_double_eq_tol(finding->elapsed_percent, 50, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	ck_assert_ptr_eq(finding, told.rows);
	ASSERT_SAYS(finding, "1.00 s in 200 waits: of all threads one at a time");
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name,
			 "Python's global interpreter lock (_PyRuntime+392)");
	end(&scene);
}
END_TEST

START_TEST(other_conditions_are_not_the_lock)
{
	struct scene scene;

	begin_turns(&scene, "queue_ready");
	ck_assert_ptr_null(find(&scene, "gil"));
	ck_assert_ptr_nonnull(find(&scene, "condition-wait"));
	end(&scene);
	begin_turns(&scene, "_PyRuntime+440");
	scene.syncs[0].cause = CAUSE_MUTEX; /* that guards the flag */
	ck_assert_ptr_null(find(&scene, "gil"));
	end(&scene);
}
END_TEST

/* A thread that waits for an element of a queue has the lock as little as it asks for it. */
START_TEST(other_waits_are_no_part_of_it)
{
	struct scene scene;

	begin_turns(&scene, "_PyRuntime+392");
	scene.syncs[0].wait_ns = 100 * MS;
	scene.site.time_ns = 100 * MS;
	scene.syncs[1] = scene.syncs[0];
	scene.syncs[1].object = 1;
	scene.syncs[1].wait_ns = 900 * MS;
	scene.run.synchronization.count = 2;
	for (size_t i = 1; i < ROWS; i++)
		scene.threads[i].ready_ns = 100 * MS;
	const struct finding *finding = find(&scene, "gil");

	/* 0.1 s of 1 s lost; the one blocked longest may lose all of its wait */
	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "100 ms in");
	ck_assert_double_eq_tol(finding->elapsed_percent, 10, 1e-9);
	end(&scene);
}
END_TEST

/* The general rule is about what is left: a queue. */
START_TEST(waits_for_the_lock_are_told_once)
{
	struct scene scene;

	begin_turns(&scene, "_PyRuntime+392");
	scene.names[1] = "queue_ready";
	scene.syncs[0].wait_ns = scene.site.time_ns = 400 * MS;
	scene.syncs[1] = scene.syncs[0];
	scene.syncs[1].object = 1;
	scene.syncs[1].wait_ns = 350 * MS;
	scene.run.synchronization.count = 2;
	ck_assert_ptr_nonnull(find(&scene, "gil"));
	const struct finding *finding = find(&scene, "condition-wait");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "350 ms of waiting for queue_ready");
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name, "queue_ready");
	ck_assert(step(finding, FINDING_OBJECT)->is_single);
	/* nothing but the lock, by two of its objects */
	scene.names[1] = "_PyRuntime+440";
	ck_assert_ptr_null(find(&scene, "condition-wait"));
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_gil", waits_for_the_lock_are_told_once,
	  waits_for_the_lock_of_the_interpreter_are_found,
	  other_conditions_are_not_the_lock, other_waits_are_no_part_of_it)

/* SPDX-License-Identifier: MIT */
/* Writers of a read-write lock that starve, and those that only wait. */
#include "tests/unit/finding_scene.h"

/* A thread waits to write, 4 times and for 0.9 s of a second, in which others read 1000 times; half
 * of the two processors is idle. */
static void begin_starving(struct scene *scene)
{
	begin(scene);
	make_idle(scene);
	make_wait(scene, OP_RWLOCK_WRITE, CAUSE_RWLOCK, 4, 900 * MS);
	block(scene, 1, CAUSE_RWLOCK, 900 * MS);
	scene->syncs[1] =
		(struct sync_row){.operation = OP_RWLOCK_READ, .cause = CAUSE_OTHER, .count = 1000};
	scene->objects[0].kind = "rwlock";
	scene->objects[0].members = 1;
	scene->run.synchronization.count = 2;
}

START_TEST(a_writer_that_starves_is_found_before_the_lock)
{
	struct scene scene;

	begin_starving(&scene);
	const struct finding *finding = find(&scene, "writer-starved");

	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_eq(finding, told.rows);
	ck_assert_double_eq_tol(finding->elapsed_percent, 50, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	/* 1000 reads a second, 225 ms a wait */
	ASSERT_SAYS(finding,
		    "900 ms of waiting to write, for first, mostly in work: 4 waits of "
		    "225 ms on average, and others took it about 225 times to read in each");
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name, "first");
	ck_assert_ptr_null(find(&scene, "lock-contention")); /* nothing is told twice */
	end(&scene);
}
END_TEST

/* Of three threads each may read once while a writer waits; four times is beyond chance. */
START_TEST(one_long_read_of_each_starves_nobody)
{
	struct scene scene;

	begin_starving(&scene);
	scene.syncs[1].count = 53; /* 12 a wait */
	ck_assert_ptr_null(find(&scene, "writer-starved"));
	ck_assert_ptr_nonnull(find(&scene, "lock-contention"));
	scene.syncs[1].count = 54;
	ck_assert_ptr_nonnull(find(&scene, "writer-starved"));
	scene.objects[0].members = 2; /* two locks with 27 reads each */
	ck_assert_ptr_null(find(&scene, "writer-starved"));
	end(&scene);
}
END_TEST

START_TEST(where_readers_wait_too_it_is_contention)
{
	struct scene scene;

	begin_starving(&scene);
	scene.syncs[1].contended = 100;
	ck_assert_ptr_nonnull(find(&scene, "writer-starved"));
	scene.syncs[1].contended = 101;
	ck_assert_ptr_null(find(&scene, "writer-starved"));
	scene.syncs[1].contended = 1;
	scene.syncs[1].cause = CAUSE_RWLOCK;
	scene.syncs[1].wait_ns = 700 * MS;
	ck_assert_ptr_null(find(&scene, "writer-starved"));
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_rwlock", a_writer_that_starves_is_found_before_the_lock,
	  one_long_read_of_each_starves_nobody, where_readers_wait_too_it_is_contention)

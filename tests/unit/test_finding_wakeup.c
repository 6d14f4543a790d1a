/* SPDX-License-Identifier: MIT */
/* Wake-ups that find nothing to do, and those that do. */
#include "tests/unit/finding_scene.h"

/* 20,000 wake-ups, nine tenths of them for nothing, in a second; half of the processors is idle. */
static void begin_storm(struct scene *scene)
{
	begin(scene);
	make_idle(scene);
	make_wait(scene, OP_COND_WAIT, CAUSE_CONDITION, 20000, 100 * MS);
	scene->syncs[0].futile = 18000;
	scene->site.count = 20000;
}

START_TEST(wake_ups_for_nothing_are_found)
{
	struct scene scene;

	begin_storm(&scene);
	const struct finding *finding = find(&scene, "wake-ups");

	ck_assert_ptr_nonnull(finding);
	/* 0.18 s beside 1 s of useful time */
	ck_assert_double_eq_tol(finding->elapsed_percent, 100 * 0.18 / 1.18, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding,
		    "18000 of 20000 wake-ups found nothing to do, most of them for first in "
		    "work; at about 10.0 us each that is 180 ms of CPU time");
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name, "first");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "work");
	end(&scene);
}
END_TEST

START_TEST(wake_ups_for_work_are_not)
{
	struct scene scene;

	begin_storm(&scene);
	scene.syncs[0].futile = 9999;
	ck_assert_ptr_null(find(&scene, "wake-ups"));
	scene.syncs[0].futile = 10000;
	ck_assert_ptr_nonnull(find(&scene, "wake-ups"));
	scene.syncs[0].contended = 400; /* few of them take nothing worth telling */
	scene.syncs[0].futile = 390;
	ck_assert_ptr_null(find(&scene, "wake-ups"));
	end(&scene);
}
END_TEST

/* Who looks again when a time is over was not woken. */
START_TEST(time_outs_are_no_wake_ups)
{
	struct scene scene;

	begin_storm(&scene);
	scene.syncs[0].futile = 6000;
	ck_assert_ptr_null(find(&scene, "wake-ups"));
	scene.syncs[0].timeouts = 10000; /* 10,000 were woken */
	scene.syncs[0].futile = 6000;
	ASSERT_SAYS(find(&scene, "wake-ups"), "6000 of 10000 wake-ups");
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_wakeup", wake_ups_for_nothing_are_found, wake_ups_for_work_are_not,
	  time_outs_are_no_wake_ups)

/* SPDX-License-Identifier: MIT */
/* CPU time in loops that do nothing but wait, and CPU time that is work. */
#include "tests/unit/finding_scene.h"

/* Two threads on two processors for a second; one waits for 0.6 s of it in a loop. */
START_TEST(a_loop_that_waits_is_found)
{
	struct scene scene;

	begin(&scene);
	ck_assert_ptr_null(find(&scene, "busy-wait"));
	scene.routines[1] = scene.routines[0];
	scene.routines[1].routine = names_special(scene.run.names, "await");
	scene.routines[1].waiting_ns = 600 * MS;
	scene.run.routines.count = 2;
	const struct finding *finding = find(&scene, "busy-wait");

	ck_assert_ptr_nonnull(finding);
	/* 1.4 s of work in 2 s of processors' time */
	ck_assert_double_eq_tol(finding->elapsed_percent, 30, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_SAMPLED);
	ASSERT_SAYS(finding,
		    "600 ms of CPU time (30 %) in a loop that only reads memory until another "
		    "thread changes it, mostly in await");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "await");
	scene.routines[1].waiting_ns = 190 * MS; /* 9.5 % */
	ck_assert_ptr_null(find(&scene, "busy-wait"));
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_busy", a_loop_that_waits_is_found)

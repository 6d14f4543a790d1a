/* SPDX-License-Identifier: MIT */
/* The rule on parts that run alone: which routines are one thread's, and which are the place. */
#include "tests/unit/finding_scene.h"

/* All samples of its self time are one thread's, by chance; but both threads run what it calls. */
static void make_few_samples(struct scene *scene)
{
	begin(scene);
	make_idle(scene);
	make_alone(scene, 600 * MS, 1);
	scene->routines[0].total_ns = 2 * SECOND;
	scene->routines[0].total_alone_ns = 600 * MS;
	scene->routines[0].total_spread =
		(struct spread){.count = 2, .mean_ns = 1e9, .max_ns = 1e9, .max_at.tid = 11};
}

START_TEST(a_routine_of_both_is_not_one_threads)
{
	struct scene scene;

	make_few_samples(&scene);
	const struct finding *finding = find(&scene, "sequential");

	ck_assert_ptr_nonnull(finding);
	ck_assert(!step(finding, FINDING_THREAD)->is_single);
	ck_assert_double_eq(step(finding, FINDING_THREAD)->share_percent, 50);
	/* it is alone because the other one is blocked */
	block(&scene, 2, CAUSE_OTHER, 900 * MS);
	ck_assert_ptr_null(find(&scene, "sequential"));
	end(&scene);
}
END_TEST

START_TEST(a_mark_is_no_place)
{
	struct scene scene;

	make_few_samples(&scene);
	scene.routines[1] = scene.routines[0];
	scene.routines[1].routine = names_special(scene.run.names, "[profiler]");
	scene.routines[0].alone_ns = 200 * MS;
	scene.routines[1].alone_ns = 400 * MS;
	scene.run.routines.count = 2;
	const struct finding *finding = find(&scene, "sequential");

	ASSERT_SAYS(finding, "the largest part in work: 200 ms");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "work");
	ck_assert_uint_eq(step(finding, FINDING_ROUTINE)->among, 1);
	/* there is nothing else */
	scene.routines[0].alone_ns = 0;
	finding = find(&scene, "sequential");
	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_null(strstr(finding->evidence, " in "));
	ck_assert_ptr_null(step(finding, FINDING_ROUTINE));
	end(&scene);
}
END_TEST

/* Two threads run the same routines, and each of these has one sample. */
START_TEST(one_sample_is_one_threads_by_chance)
{
	struct scene scene;

	make_few_samples(&scene);
	scene.routines[0].total_spread =
		(struct spread){.count = 1, .mean_ns = 1e7, .max_ns = 1e7, .max_at.tid = 11};
	scene.routines[0].total_ns = scene.routines[0].self_ns = 10 * MS;
	scene.routines[0].alone_ns = 10 * MS;
	scene.routines[0].samples = 1;
	scene.routines[1] = scene.routines[0];
	scene.routines[1].routine = names_special(scene.run.names, "other");
	scene.run.routines.count = 2;
	block(&scene, 2, CAUSE_OTHER, 900 * MS);
	/* of one thread: they are parts of what it does alone */
	ck_assert_ptr_nonnull(find(&scene, "sequential"));
	scene.routines[1].total_spread.max_at.tid = 12;
	ck_assert_ptr_null(find(&scene, "sequential"));
	/* five of each are no chance */
	scene.routines[0].samples = scene.routines[1].samples = 5;
	ck_assert_ptr_nonnull(find(&scene, "sequential"));
	end(&scene);
}
END_TEST

/* One thread is on a processor for 0.6 s, in a routine of its own, while the other one, which has a
 * routine of its own as well, is ready for a processor that other programs have. */
START_TEST(who_is_alone_since_others_have_the_other_processor_is_not_serial)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 600 * MS, 1);
	block(&scene, 0, CAUSE_JOIN, SECOND);
	ck_assert_double_eq_tol(find(&scene, "sequential")->elapsed_percent, 30, 1e-6);
	scene.threads[2].ready_ns = scene.run.ready_ns = scene.process.ready_ns = 600 * MS;
	ck_assert_ptr_null(find(&scene, "sequential"));
	/* it is the one that is alone which had no processor: that is no part of the time alone */
	scene.threads[2].ready_ns = 0;
	scene.threads[1].ready_ns = 600 * MS;
	ck_assert_double_eq_tol(find(&scene, "sequential")->elapsed_percent, 30, 1e-6);
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_alone", who_is_alone_since_others_have_the_other_processor_is_not_serial,
	  one_sample_is_one_threads_by_chance, a_routine_of_both_is_not_one_threads,
	  a_mark_is_no_place)

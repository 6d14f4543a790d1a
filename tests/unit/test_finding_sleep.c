/* SPDX-License-Identifier: MIT */
/* What is at stake where nobody works: waits that end by their time-out, sleep that others wait
 * for, locks whose holders sleep. */
#include "tests/unit/finding_scene.h"

/* Two threads work for 50 ms each. */
static void make_lazy(struct scene *scene)
{
	make_idle(scene);
	scene->run.cpu_ns = 100 * MS;
	scene->run.efficiency_percent = scene->run.useful.efficiency_percent = 5;
	for (size_t i = 1; i < ROWS; i++)
		scene->threads[i].user_ns = 50 * MS;
}

static struct sync_site site_of(struct scene *scene, const char *name, uint64_t time_ns)
{
	return (struct sync_site){.routine = names_special(scene->run.names, name),
				  .time_ns = time_ns};
}

/* The other thread works for 50 ms: if it woke the one that waits, no more could be won. */
START_TEST(nobody_did_anything_in_a_wait_that_timed_out)
{
	struct scene scene;

	begin(&scene);
	make_lazy(&scene);
	make_wait(&scene, OP_COND_TIMEDWAIT, CAUSE_CONDITION, 9, 900 * MS);
	block(&scene, 1, CAUSE_CONDITION, 900 * MS);
	struct sync_site blamed[] = {site_of(&scene, "[time-out]", 900 * MS),
				     site_of(&scene, "signaller", 0)};

	scene.syncs[0].blame = (struct sync_sites){.rows = blamed, .count = 2};
	const struct finding *finding = find(&scene, "condition-wait");

	ck_assert_double_eq_tol(finding->elapsed_percent, 90, 1e-9);
	ASSERT_SAYS(finding, "; ended by [time-out] (100 %)");
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "11");
	ck_assert_ptr_nonnull(strstr(finding->advice, "is a signal missing"));
	/* two ninths of it are a time-out's */
	blamed[0].time_ns = 200 * MS;
	blamed[1].time_ns = 700 * MS;
	finding = find(&scene, "condition-wait");
	ck_assert_double_eq_tol(finding->elapsed_percent, 20 + 5, 1e-9);
	ck_assert_ptr_null(strstr(finding->advice, "is a signal missing"));
	blamed[0].routine = blamed[1].routine;
	ck_assert_double_eq_tol(find(&scene, "condition-wait")->elapsed_percent, 5, 1e-9);
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_sleep", nobody_did_anything_in_a_wait_that_timed_out)

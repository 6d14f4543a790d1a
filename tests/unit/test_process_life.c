/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/process_life.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdlib.h>

static void expect_life(const struct scene_run *scene, size_t process, const char *text,
			uint64_t end_ns)
{
	struct process_life life = process_life_of(scene->files, process);
	char *words = process_life_text(&life);

	ck_assert_str_eq(words, text);
	ck_assert_uint_eq(life.end_ns, end_ns);
	free(words);
}

static void read_scenes(struct scene_run *scene, const char *first, const char *second)
{
	const char *const names[] = {first, second, NULL};

	scene_run_read(scene, names);
}

static void clear(struct scene_run *scene)
{
	scene_run_model(scene, false);
	scene_run_clear(scene);
}

START_TEST(an_exit_is_known_from_the_process_itself)
{
	struct scene_run scene;

	read_scenes(&scene, "workers", NULL);
	scene.files->processes[0].header.status = 3;
	expect_life(&scene, 0, "exited 3", 3 * SCENE_SECOND);
	clear(&scene);
}
END_TEST

START_TEST(without_a_word_the_last_sign_of_life_is_the_end)
{
	struct scene_run scene;

	read_scenes(&scene, "single", NULL);
	expect_life(&scene, 0, "ended without a word", 3 * SCENE_SECOND);
	ck_assert(!process_life_of(scene.files, 0).is_complete);
	clear(&scene);
}
END_TEST

START_TEST(a_parent_knows_what_its_child_died_of)
{
	struct scene_run scene;

	read_scenes(&scene, "single", "parent");
	expect_life(&scene, 0, "killed by SIGSEGV", 4 * SCENE_SECOND);
	clear(&scene);
}
END_TEST

START_TEST(who_was_found_dead_had_ended_before)
{
	struct scene_run scene;

	read_scenes(&scene, "single", "parent");
	struct run_process *process = &scene.files->processes[0];
	struct profile_child *child = &scene.files->processes[1].children[0];

	process->is_idle = false; /* it ran until its last sign of life */
	child->alive_ns = 0;
	expect_life(&scene, 0, "killed by SIGSEGV", 3 * SCENE_SECOND);
	child->alive_ns = child->end_ns; /* the parent waited for it */
	expect_life(&scene, 0, "killed by SIGSEGV", 4 * SCENE_SECOND);
	child->alive_ns = 0;
	child->status = SIGKILL; /* by another one, who comes for it next */
	expect_life(&scene, 0, "killed by SIGKILL", 4 * SCENE_SECOND);
	child->status = SIGSEGV;
	process->is_idle = true; /* it waited, and may have done so until its parent came */
	child->alive_ns = 0;
	expect_life(&scene, 0, "killed by SIGSEGV", 4 * SCENE_SECOND);
	clear(&scene);
}
END_TEST

START_TEST(a_living_process_is_running_until_now)
{
	struct scene_run scene;

	read_scenes(&scene, "single", NULL);
	scene.files->processes[0].is_alive = true;
	scene.files->now_ns = 9 * SCENE_SECOND;
	expect_life(&scene, 0, "running", 9 * SCENE_SECOND);
	clear(&scene);
}
END_TEST

START_TEST(the_next_image_shows_that_exec_was_called)
{
	struct scene_run scene;

	read_scenes(&scene, "single", "workers");
	scene.files->processes[1].header.sequence = 1;
	expect_life(&scene, 0, "replaced by exec", 3 * SCENE_SECOND);
	clear(&scene);
}
END_TEST

START_TEST(who_reaped_it_says_how_it_ended)
{
	struct scene_run scene;

	read_scenes(&scene, "workers", NULL);
	scene.files->processes[0].header.state = FORMAT_STATE_REAPED;
	scene.files->processes[0].header.status = 9;
	expect_life(&scene, 0, "killed by SIGKILL", 3 * SCENE_SECOND);
	scene.files->processes[0].header.status = 7 << 8;
	expect_life(&scene, 0, "exited 7", 3 * SCENE_SECOND);
	clear(&scene);
}
END_TEST

START_TEST(an_end_before_the_start_is_the_start)
{
	struct scene_run scene;

	read_scenes(&scene, "workers", NULL);
	scene.files->processes[0].header.end_ns = 1;
	expect_life(&scene, 0, "exited 0", SCENE_START);
	clear(&scene);
}
END_TEST

/* Of a thread that is known to be off its processor: scene "killed". */
static enum grade grade_of_absent(uint64_t now_ns)
{
	static const char *const names[] = {"killed", NULL};
	struct scene_run scene;

	scene_run_read(&scene, names);
	scene.files->processes[0].is_alive = true;
	scene.files->now_ns = now_ns;
	scene_run_model(&scene, 0);
	ck_assert_uint_eq(scene.run->processes[0].threads[1].thread->tid, 1001);
	enum grade grade = scene.run->processes[0].threads[1].blocked_grade;
	scene_run_clear(&scene);
	return grade;
}

START_TEST(what_was_not_heard_of_is_estimated)
{
	ck_assert_int_eq(grade_of_absent(3 * SCENE_SECOND), GRADE_EXACT);
	ck_assert_int_eq(grade_of_absent(3 * SCENE_SECOND + SCENE_SECOND / 100), GRADE_EXACT);
	ck_assert_int_eq(grade_of_absent(4 * SCENE_SECOND), GRADE_ESTIMATED);
}
END_TEST

UNIT_MAIN("process_life", an_exit_is_known_from_the_process_itself,
	  without_a_word_the_last_sign_of_life_is_the_end, a_parent_knows_what_its_child_died_of,
	  who_was_found_dead_had_ended_before, a_living_process_is_running_until_now,
	  the_next_image_shows_that_exec_was_called, who_reaped_it_says_how_it_ended,
	  an_end_before_the_start_is_the_start, what_was_not_heard_of_is_estimated)

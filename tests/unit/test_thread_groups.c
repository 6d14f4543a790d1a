/* SPDX-License-Identifier: MIT */
/* Threads of one name as one, and processes of one program. */
#include "analyze/model/run/programs.h"
#include "analyze/model/run/thread_groups.h"
#include "analyze/model/run/thread_lines.h"
#include "analyze/read/run_program.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* Sums over groups, which have to be those over threads. */
static void check_groups(const struct run *run)
{
	struct thread_groups groups = thread_groups_of(run);
	struct thread_lines lines = thread_lines_of(run, false);
	uint64_t lifetime_ns = 0, idle_ns = 0, threads = 0;

	for (size_t i = 0; i < groups.count; i++) {
		const struct thread_time *time = &groups.rows[i].time;
		uint64_t states_ns = 0;

		for (enum thread_state state = 0; state < STATE_COUNT; state++)
			states_ns += thread_state_ns(time, state);
		ck_assert_uint_eq(states_ns, time->user_ns + time->system_ns + time->ready_ns +
						     time->blocked_ns);
		for (size_t other = 0; other < i; other++)
			ck_assert_str_ne(groups.rows[other].name, groups.rows[i].name);
		if (i && !groups.rows[i].is_of_library)
			ck_assert(thread_group_working_ns(&groups.rows[i - 1]) >=
				  thread_group_working_ns(&groups.rows[i]));
		lifetime_ns += time->lifetime_ns;
		idle_ns += time->idle_ns;
		threads += groups.rows[i].threads;
	}
	for (size_t i = 0; i < lines.count; i++) {
		lifetime_ns -= lines.rows[i].time.lifetime_ns;
		idle_ns -= lines.rows[i].time.idle_ns;
	}
	ck_assert_uint_eq(lifetime_ns, 0);
	ck_assert_uint_eq(idle_ns, 0);
	ck_assert_uint_eq(threads, run->thread_count);
	free(groups.rows);
	free(lines.rows);
}

static void check_programs(const struct run *run)
{
	struct programs programs = programs_of(run);
	uint64_t processes = 0, cpu_ns = 0;

	for (size_t i = 0; i < programs.count; i++) {
		ck_assert(programs.rows[i].longest_ns <= programs.rows[i].elapsed_ns);
		processes += programs.rows[i].processes;
		cpu_ns += programs.rows[i].cpu_ns;
	}
	ck_assert_uint_eq(processes, run->process_count);
	ck_assert_uint_eq(cpu_ns, run->cpu_ns);
	free(programs.rows);
}

START_TEST(sums_are_those_of_the_run_in_every_scene)
{
	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		const struct run *run = scene_run_of(&scene, scenes[i].name);

		check_groups(run);
		check_programs(run);
		scene_run_clear(&scene);
	}
}
END_TEST

static void check_name(const char *command, const char *wanted)
{
	struct run_process process = {.process.command = command};
	char *name = run_program_name(&process);

	ck_assert_str_eq(name, wanted);
	free(name);
}

START_TEST(a_program_is_the_end_of_its_first_word)
{
	check_name("/usr/lib/gcc/cc1 -quiet /a/x.c", "cc1");
	check_name("make", "make");
	check_name("./words 2", "words");
	check_name("", "");
	check_name("bin/ x", "");
}
END_TEST

UNIT_MAIN("threads and processes by name", sums_are_those_of_the_run_in_every_scene,
	  a_program_is_the_end_of_its_first_word)

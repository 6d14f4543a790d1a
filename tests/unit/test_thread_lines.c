/* SPDX-License-Identifier: MIT */
/* Threads side by side, and the parts of their lifetimes. */
#include "analyze/model/run/thread_lines.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

static uint64_t sum_of(const struct thread_time *time)
{
	uint64_t sum = 0;

	for (enum thread_state state = 0; state < STATE_COUNT; state++)
		sum += thread_state_ns(time, state);
	return sum;
}

/* Whatever a cause is called, it is in one state and in no other. */
START_TEST(each_cause_is_in_one_state)
{
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++) {
		struct thread_time time = {.blocked_ns = 7};

		time.by_cause_ns[cause] = 7;
		ck_assert_uint_eq(sum_of(&time), 7);
	}
	struct thread_time time = {.user_ns = 1, .system_ns = 20, .ready_ns = 300};

	ck_assert_uint_eq(sum_of(&time), 321);
	time.by_cause_ns[CAUSE_MPI] = 4000;
	ck_assert_uint_eq(thread_state_ns(&time, STATE_MPI), 4000);
	ck_assert_str_eq(thread_state_text(STATE_MPI), "MPI");
}
END_TEST

static void check_scene(const char *name, bool by_process)
{
	struct scene_run scene;
	const struct run *run = scene_run_of(&scene, name);
	struct thread_lines lines = thread_lines_of(run, by_process);
	uint64_t cpu_ns = 0;

	for (size_t i = 0; i < lines.count; i++) {
		const struct thread_time *time = &lines.rows[i].time;

		if (i)
			ck_assert_uint_ge(thread_time_cpu(&lines.rows[i - 1].time),
					  thread_time_cpu(time));
		ck_assert_uint_eq(sum_of(time), time->user_ns + time->system_ns + time->ready_ns +
							time->blocked_ns);
		ck_assert_int_eq(!lines.rows[i].thread, by_process || run->is_folded);
		ck_assert(lines.rows[i].begin_ns >= 0 && lines.rows[i].elapsed_ns >= 0);
		ck_assert(lines.rows[i].begin_ns + lines.rows[i].elapsed_ns <=
			  (double)run->elapsed_ns);
		cpu_ns += thread_time_cpu(time);
	}
	ck_assert_uint_eq(cpu_ns, run->cpu_ns);
	free(lines.rows);
	scene_run_clear(&scene);
}

START_TEST(states_are_the_lifetime_in_every_scene)
{
	for (size_t i = 0; i < scene_count; i++) {
		check_scene(scenes[i].name, false);
		check_scene(scenes[i].name, true);
	}
}
END_TEST

/* What the MPI library started is one line for each rank. */
START_TEST(threads_of_an_mpi_library_are_one_line)
{
	struct profile_thread rows[] = {{.tid = 1, .flags = THREAD_FIRST, .lives = 1},
					{.tid = 2, .flags = THREAD_OF_MPI, .lives = 1},
					{.tid = 3, .flags = THREAD_OF_MPI, .lives = 4}};
	struct thread_time times[3] = {{0}};
	struct run_process file = {.is_alive = false};
	struct process process = {.rank = 0, .file = &file, .threads = times, .thread_count = 3};
	struct run run = {.processes = &process, .process_count = 1};

	for (size_t i = 0; i < 3; i++) {
		times[i].thread = &rows[i];
		times[i].lifetime_ns = times[i].user_ns = 1000 * (i + 1);
	}
	times[1].user_ns = 0;
	times[1].blocked_ns = times[1].by_cause_ns[CAUSE_EVENTS] = 2000;
	struct thread_lines lines = thread_lines_of(&run, false);

	ck_assert_uint_eq(lines.count, 2);
	ck_assert_uint_eq(lines.rows[0].library_threads, 5);
	ck_assert_ptr_null(lines.rows[0].thread);
	ck_assert_uint_eq(lines.rows[0].time.lifetime_ns, 5000);
	ck_assert_uint_eq(sum_of(&lines.rows[0].time), 5000);
	ck_assert_ptr_eq(lines.rows[1].thread, &rows[0]);
	ck_assert_uint_eq(lines.rows[1].library_threads, 0);
	free(lines.rows);
	lines = thread_lines_of(&run, true);
	ck_assert_uint_eq(lines.count, 1);
	ck_assert_uint_eq(lines.rows[0].library_threads, 0);
	free(lines.rows);
}
END_TEST

UNIT_MAIN("thread_lines", threads_of_an_mpi_library_are_one_line, each_cause_is_in_one_state,
	  states_are_the_lifetime_in_every_scene)

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/extract.h"
#include "analyze/model/run/run.h"
#include "analyze/model/run/run_others.h"
#include "analyze/model/run/run_unprofiled.h"
#include "tests/unit/unit.h"

#include <math.h>

#define S  1000000000ull
#define MS 1000000ull

/* Two processors for 10 s, idle for 12 s of their 20 s; the program used 5 s. */
struct case_of {
	struct run run;
	struct run_files files;
	struct run_process file;
	struct process process;
};

static void make(struct case_of *all)
{
	*all = (struct case_of){
		.files.processors = {.is_known = true,
				     .host = "a",
				     .count = 2,
				     .begin_ns = 100 * S,
				     .end_ns = 110 * S,
				     .within_ns = MS,
				     .busy_ns = 8 * S,
				     .idle_ns = 12 * S,
				     .tick_ns = 10 * MS,
				     .own_ns = 5 * S},
		.file = {.header.start_ns = 100 * S + MS, .process.host = "a"},
		.process = {.life.end_ns = 110 * S - MS},
	};
	all->process.file = &all->file;
	all->run = (struct run){.files = &all->files,
				.processes = &all->process,
				.process_count = 1,
				.host_count = 1,
				.processors = 2,
				.elapsed_ns = 10 * S,
				.cpu_ns = 4 * S};
}

/* It ran for a second of the ten, or on one of the two processors, and the rest was not its time.
 */
START_TEST(there_was_no_more_than_there_was)
{
	struct case_of all;

	make(&all);
	all.files.processors.idle_ns = 0;
	all.files.processors.busy_ns = 20 * S;
	all.run.elapsed_ns = S;
	all.run.cpu_ns = S / 2;
	struct run_others others = run_others_of(&all.run);

	ck_assert_double_eq_tol(others.others_ns, 1.5 * S, 1); /* 15 of 20 s, but at most these */
	ck_assert_double_ge(others.error_ns, 1.5 * S);         /* or none of it */
	all.files.processors.idle_ns = 10 * S;
	others = run_others_of(&all.run);
	ck_assert_double_eq_tol(others.others_ns, 0.5 * S, 1); /* 5 of 20 s */
	ck_assert_double_ge(others.error_ns, 1. * S);
	make(&all);
	all.run.processors = 1;
	all.run.cpu_ns = 9 * S;
	all.files.processors.idle_ns = 0;
	all.files.processors.busy_ns = 20 * S;
	all.files.processors.own_ns = 9 * S;
	ck_assert_double_eq_tol(run_others_of(&all.run).others_ns, 1. * S, 1);
}
END_TEST

START_TEST(what_is_neither_idle_nor_own_was_others)
{
	struct case_of all;

	make(&all);
	ck_assert_double_eq_tol(run_others_ns(&all.run), 3e9, 1);
	ck_assert_double_eq_tol(run_others_of(&all.run).error_ns, 62e6, 1);
	all.files.processors.within_ns = 20 * MS;
	ck_assert_double_eq_tol(run_others_of(&all.run).error_ns, 100e6, 1);
	all.run.cpu_ns = 6 * S; /* of a process that nobody waited for */
	ck_assert_double_eq_tol(run_others_ns(&all.run), 2e9, 1);
	all.run.cpu_ns = 9 * S;
	ck_assert_double_eq(run_others_ns(&all.run), 0);
}
END_TEST

/* Half of the run: nothing beyond the ticks was seen, but the 30 ms for which a thread was ready
 * without others of its own may have been somebody's. */
START_TEST(what_ticks_cannot_tell_may_have_been_taken)
{
	struct case_of all;

	make(&all);
	all.run.elapsed_ns = 10 * S;
	all.run.ready_ns = 30 * MS;
	ck_assert_double_eq_tol(extract_load(&all.run, 2).elapsed_ns, 15e6, 1); /* 3 s were */
	all.files.processors.own_ns = 8 * S;
	all.run.cpu_ns = 8 * S;
	ck_assert_double_eq(run_others_ns(&all.run), 0);
	ck_assert_double_eq_tol(extract_load(&all.run, 2).elapsed_ns, 15e6, 1);
	all.run.ready_ns = 2 * S; /* ticks would have shown that */
	ck_assert_double_eq_tol(extract_load(&all.run, 2).elapsed_ns, 31e6, 1);
	all.run.ready_ns = 0;
	ck_assert_double_eq(extract_load(&all.run, 2).elapsed_ns, 0);
}
END_TEST

/* A processor that was somebody else's for 2 s of 10 makes its run 2 s longer, however many threads
 * shared the rest. */
START_TEST(what_was_taken_from_one_processor_all_threads_lost)
{
	struct case_of all;

	make(&all);
	all.files.processors.idle_ns = 13 * S;
	all.run.elapsed_ns = 10 * S;
	all.run.ready_ns = 20 * S;
	all.run.processors = all.files.processors.count = 1;
	all.files.processors.idle_ns = 3 * S;
	ck_assert_double_eq_tol(run_others_ns(&all.run), 2e9, 1);
	ck_assert_double_eq_tol(extract_load(&all.run, 4).elapsed_ns, 2e9, 1);
	all.run.processors = all.files.processors.count = 2;
	all.files.processors.idle_ns = 13 * S;
	ck_assert_double_eq_tol(extract_load(&all.run, 4).elapsed_ns, 1e9, 1);
	ck_assert_double_eq_tol(extract_load(&all.run, 1).elapsed_ns, 2e9, 1);
}
END_TEST

/* Its ticks never met it: user and system time say nothing. */
START_TEST(a_program_that_works_between_ticks_is_seen_by_what_is_not_idle)
{
	struct case_of all;

	make(&all);
	all.files.processors.busy_ns = 1 * S;
	ck_assert_double_eq_tol(run_others_ns(&all.run), 3e9, 1);
}
END_TEST

START_TEST(stolen_time_is_nobodys_here)
{
	struct case_of all;

	make(&all);
	all.files.processors.steal_ns = 2 * S;
	ck_assert_double_eq_tol(run_others_of(&all.run).stolen_ns, 2e9, 1);
	ck_assert_double_eq_tol(run_others_ns(&all.run), 1e9, 1);
}
END_TEST

#define UNKNOWN_AFTER(change)                                                                      \
	do {                                                                                       \
		struct case_of all;                                                                \
		make(&all);                                                                        \
		change;                                                                            \
		ck_assert(isnan(run_others_ns(&all.run)));                                         \
	} while (0)

START_TEST(what_the_kernel_did_not_count_is_unknown)
{
	UNKNOWN_AFTER(all.files.processors.is_known = false);
	UNKNOWN_AFTER(all.files.processors.idle_ns = all.files.processors.busy_ns = 0);
	UNKNOWN_AFTER(all.files.processors.idle_ns = 21 * S);
}
END_TEST

START_TEST(what_the_reading_does_not_cover_is_unknown)
{
	UNKNOWN_AFTER(all.process.life.end_ns = 111 * S);
	UNKNOWN_AFTER(all.file.header.start_ns = 99 * S);
	UNKNOWN_AFTER(all.file.process.host = "b");
	UNKNOWN_AFTER(all.run.host_count = 2);
	UNKNOWN_AFTER(all.run.processors = 3);
}
END_TEST

/* Of 4 s in profiles and 1 ms beyond, the processes used 4.5 s. */
START_TEST(what_no_profile_has_is_known_of_all_processes)
{
	struct case_of all;

	make(&all);
	all.files.processors.are_children_known = true;
	all.files.processors.children_ns = 4500 * MS;
	all.run.beyond_cpu_ns = MS;
	all.file.process.start_cost_ns = 3 * MS;
	struct run_unprofiled unprofiled = run_unprofiled_of(&all.run);

	ck_assert_double_eq(unprofiled.cpu_ns, 499 * MS);
	ck_assert_double_eq(unprofiled.start_ns, 3 * MS);
	all.file.process.start_cost_ns = 0; /* of merged runs */
	ck_assert(isnan(run_unprofiled_of(&all.run).start_ns));
	ck_assert(run_unprofiled_is_much(&all.run, &unprofiled));
	unprofiled.cpu_ns = 200 * MS; /* less than a twentieth */
	ck_assert(!run_unprofiled_is_much(&all.run, &unprofiled));
	all.run.cpu_ns = MS;
	unprofiled.cpu_ns = 9 * MS;
	ck_assert(!run_unprofiled_is_much(&all.run, &unprofiled));
	all.files.processors.children_ns = MS; /* nobody waited for the others */
	ck_assert_double_eq(run_unprofiled_of(&all.run).cpu_ns, 0);
}
END_TEST

START_TEST(what_no_profile_has_may_be_unknown)
{
	struct case_of all;
	struct run_unprofiled unprofiled;

	make(&all); /* by an older version */
	unprofiled = run_unprofiled_of(&all.run);
	ck_assert(isnan(unprofiled.cpu_ns) && isnan(unprofiled.start_ns));
	ck_assert(!run_unprofiled_is_much(&all.run, &unprofiled));
	all.files.processors.are_children_known = true;
	all.process.life.end_ns = 111 * S;
	ck_assert(isnan(run_unprofiled_of(&all.run).cpu_ns));
}
END_TEST

UNIT_MAIN("run_others", what_no_profile_has_is_known_of_all_processes,
	  what_no_profile_has_may_be_unknown, there_was_no_more_than_there_was,
	  what_ticks_cannot_tell_may_have_been_taken,
	  what_was_taken_from_one_processor_all_threads_lost,
	  what_is_neither_idle_nor_own_was_others,
	  a_program_that_works_between_ticks_is_seen_by_what_is_not_idle,
	  stolen_time_is_nobodys_here, what_the_kernel_did_not_count_is_unknown,
	  what_the_reading_does_not_cover_is_unknown)

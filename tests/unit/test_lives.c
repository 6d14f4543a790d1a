/* SPDX-License-Identifier: MIT */
/* How many threads there were at once. */
#include "analyze/findings/where/finding_crowd.h"
#include "analyze/model/run/run.h"
#include "analyze/model/threads/lives.h"
#include "tests/unit/unit.h"

#include <stdint.h>

static struct lives of(size_t count, const struct life *rows)
{
	struct lives lives = {0};

	for (size_t i = 0; i < count; i++)
		lives_add(&lives, &rows[i]);
	return lives;
}

START_TEST(who_comes_after_another_was_never_there_with_it)
{
	static const struct life rows[] = {
		{0, 10, 0, 1, 0}, {10, 20, 0, 1, 0}, {20, 30, 0, 1, 0}, {30, 30, 0, 1, 0}, {31, 30, 0, 1, 0}};
	struct lives lives = of(5, rows);

	ck_assert_uint_eq(lives.count, 3); /* two of no length */
	ck_assert_double_eq(lives_most(&lives, 0), 1);
	ck_assert_double_eq(lives_shared_ns(&lives), 0);
	lives_clear(&lives);
	ck_assert_double_eq(lives_most(&lives, 0), 1);
}
END_TEST

START_TEST(the_most_at_once_for_long_enough)
{
	static const struct life rows[] = {
		{0, 100, 0, 1, 0}, {10, 60, 0, 1, 0}, {50, 55, 0, 1, 0}, {90, 95, 0, 4, 0}};
	struct lives lives = of(4, rows);

	ck_assert_double_eq(lives_most(&lives, 0), 5);
	ck_assert_double_eq(lives_most(&lives, 6), 3);
	ck_assert_double_eq(lives_most(&lives, 11), 2);
	ck_assert_double_eq(lives_most(&lives, 1000), 1);
	ck_assert_double_eq(lives_shared_ns(&lives), 55);
	lives_clear(&lives);
}
END_TEST

/* A shell of 100, which waits for its commands while they run. */
START_TEST(who_only_joins_is_left_out)
{
	static const struct life rows[] = {{0, 100, 50, 1, 0}, {10, 30, 0, 1, 0}, {40, 80, 15, 1, 0}};
	struct lives lives = of(3, rows);

	lives_drop_joining(&lives);
	ck_assert_uint_eq(lives.count, 2); /* the last one waits for 15 of 40 */
	ck_assert_double_eq(lives_most(&lives, 0), 1);
	lives_clear(&lives);
}
END_TEST

/* It waits for a processor for 70, and then joins for 20 of the 30 that are left. Another one
 * computes for longer than it joins. */
START_TEST(who_is_on_its_way_to_join_is_left_out)
{
	static const struct life rows[] = {{0, 100, 20, 1, 70}, {0, 100, 0, 1, 0}, {0, 100, 5, 1, 79}};
	static const struct life busy[] = {{0, 100, 10, 1, 60}, {0, 100, 0, 1, 0}};
	struct lives lives = of(3, rows);

	lives_drop_joining(&lives);
	ck_assert_uint_eq(lives.count, 2);
	lives_clear(&lives);
	lives = of(2, busy);
	lives_drop_joining(&lives);
	ck_assert_uint_eq(lives.count, 2);
	lives_clear(&lives);
}
END_TEST

/* A damaged profile may contain any numbers. */
START_TEST(any_number_is_a_number)
{
	static const struct life rows[] = {{0, 1e300, 0, UINT64_MAX, 0}, {1, 2, 0, UINT64_MAX, 0}};
	struct lives lives = of(2, rows);

	ck_assert_double_eq(lives_most(&lives, 0), 2.0 * UINT32_MAX);
	lives_clear(&lives);
}
END_TEST

/* ---- of a run */

#define IMAGES 40

/* A shell, and commands one after the other, each of which is two images: of fork, and of exec. */
START_TEST(images_of_a_script_are_one_at_a_time)
{
	static struct run_process files[IMAGES + 1];
	static struct process processes[IMAGES + 1];
	static struct profile_thread rows[IMAGES + 1];
	static struct thread_time threads[IMAGES + 1];
	struct run run = {.processes = processes,
			  .process_count = IMAGES + 1,
			  .elapsed_ns = 10 * IMAGES,
			  .processors = 2};

	for (size_t i = 0; i <= IMAGES; i++) {
		uint64_t begin = i ? 1 + 10 * (i - 1) : 1;
		uint64_t end = i ? begin + 10 : 1 + 10 * IMAGES;

		files[i].process.threads_peak = 1;
		rows[i] = (struct profile_thread){
			.tid = i + 1, .lives = 1, .birth_ns = begin, .updated_ns = end};
		threads[i] = (struct thread_time){
			.thread = &rows[i], .lifetime_ns = end - begin, .user_ns = 5};
		processes[i] = (struct process){.file = &files[i],
						.rank = MPI_NO_RANK,
						.elapsed_ns = end - begin,
						.threads = &threads[i],
						.thread_count = 1};
	}
	threads[0].by_cause_ns[CAUSE_PROCESS] = 9 * IMAGES;
	ck_assert_uint_eq(finding_threads_at_once(&run), 2);
	ck_assert_uint_eq(finding_threads_wanting(&run), 1);
	/* of a merged run no threads are left, but when their processes were */
	for (size_t i = 0; i <= IMAGES; i++) {
		files[i].header.start_ns = rows[i].birth_ns;
		processes[i].threads = NULL;
		processes[i].thread_count = 0;
	}
	processes[0].sum.by_cause_ns[CAUSE_PROCESS] = 9 * IMAGES;
	ck_assert_uint_eq(finding_threads_at_once(&run), 2);
	ck_assert_uint_eq(finding_threads_wanting(&run), 1);
}
END_TEST

UNIT_MAIN("lives", who_comes_after_another_was_never_there_with_it,
	  the_most_at_once_for_long_enough, who_only_joins_is_left_out,
	  who_is_on_its_way_to_join_is_left_out, any_number_is_a_number,
	  images_of_a_script_are_one_at_a_time)

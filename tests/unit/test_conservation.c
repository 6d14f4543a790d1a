/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/conservation.h"
#include "analyze/model/run/run.h"
#include "tests/unit/unit.h"

#include <string.h>

#define MS 1000000ull

struct shares {
	struct process processes[2];
	struct routine_time routines[2];
	struct run run;
};

/* Two images with T - T_0 = 30 ms and 20 ms, and two routines that share these. */
static struct run *make(struct shares *shares)
{
	*shares = (struct shares){
		.processes = {{.executing_ns = 30 * MS,
			       .sequential_ns = 10 * MS,
			       .is_concurrency_known = true},
			      {.executing_ns = 20 * MS,
			       .sequential_ns = 20 * MS,
			       .is_concurrency_known = true}},
		.routines = {{.elapsed_ns = 45 * MS, .alone_ns = 30 * MS}, {.elapsed_ns = 5 * MS}},
	};
	shares->run.processes = shares->processes;
	shares->run.process_count = 2;
	shares->run.routines.rows = shares->routines;
	shares->run.routines.count = 2;
	return &shares->run;
}

static size_t count_notes(const struct run *run, const char *words)
{
	struct text_list notes = {0};

	conservation_check_shares(run, &notes);
	size_t count = notes.count;

	ck_assert(!count || strstr(notes.texts[0], words));
	text_list_clear(&notes);
	return count;
}

START_TEST(shares_that_sum_are_no_note)
{
	struct shares shares;

	ck_assert_uint_eq(count_notes(make(&shares), ""), 0);
}
END_TEST

START_TEST(a_nanosecond_that_nobody_has_is_a_note)
{
	struct shares shares;

	make(&shares);
	shares.routines[1].elapsed_ns--;
	ck_assert_uint_eq(count_notes(&shares.run, "with a thread on a processor"), 1);
	shares.routines[1].elapsed_ns++;
	shares.routines[0].alone_ns++;
	ck_assert_uint_eq(count_notes(&shares.run, "with one thread on a processor"), 1);
}
END_TEST

/* Samples of such an image stand as they are, and have no sum to agree with. */
START_TEST(where_levels_are_unknown_nothing_is_claimed)
{
	struct shares shares;

	make(&shares);
	shares.processes[1].is_concurrency_known = false;
	shares.routines[0].elapsed_ns = 0;
	ck_assert_uint_eq(count_notes(&shares.run, ""), 0);
}
END_TEST

/* Waits for a futex and a sleep, of which only the first has somebody to blame. */
static size_t count_blame_notes(uint64_t blamed_ns)
{
	struct profile_wait waits[] = {{.cause = CAUSE_FUTEX, .sum_ns = 5 * MS},
				       {.cause = CAUSE_SLEEP, .sum_ns = 7 * MS}};
	struct profile_blame blame = {.cause = CAUSE_FUTEX, .time_ns = blamed_ns};
	struct profile profile = {.waits = {.rows = waits, .count = 2},
				  .blame = {.rows = &blame, .count = 1}};
	struct text_list notes = {0};

	conservation_check_blame(&profile, &notes);
	size_t count = notes.count;

	text_list_clear(&notes);
	return count;
}

START_TEST(blame_for_futexes_is_their_waiting)
{
	ck_assert_uint_eq(count_blame_notes(5 * MS), 0);
	ck_assert_uint_eq(count_blame_notes(5 * MS - 1), 1);
}
END_TEST

UNIT_MAIN("conservation", shares_that_sum_are_no_note, a_nanosecond_that_nobody_has_is_a_note,
	  where_levels_are_unknown_nothing_is_claimed, blame_for_futexes_is_their_waiting)

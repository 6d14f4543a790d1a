/* SPDX-License-Identifier: MIT */
/* The account of concurrency where there are switch records: made ones. */
#include "preload/concurrency/concurrency.h"

#include "made_switches.h"
#include "preload/base/clock.h"
#include "preload/concurrency/switch_windows.h"
#include "preload/process/affinity.h"
#include "preload/process/process_row.h"
#include "preload/process/settings.h"
#include "scratch.h"
#include "tests/unit/unit.h"

enum { THREADS = 2, PROCESSORS = 3, KINDS = CONCURRENCY_WINDOWS_USEFUL + 1 };

static struct event_ring event_rings[THREADS];
static struct row_threads rows[THREADS];
static struct row_process process;
static uint64_t start_ns, base_ns;

static struct event_ring *event_ring_at(uint32_t index)
{
	return &event_rings[index];
}

/* Thread 100 is on processor 0; from base_ns on, thread 101 is alive, and not yet on any. */
static void prepare(void)
{
	static const uint64_t waited_ns[CAUSE_COUNT];

	ck_assert_int_eq(scratch_open(), 0);
	process_row = &process;
	settings.budget_percent = 2;
	affinity_remember();
	start_ns = clock_now_ns();
	concurrency_start(start_ns, PROCESSORS);
	event_rings[0].tid = 100;
	event_rings[0].row = &rows[0];
	for (unsigned i = 0; i < THREADS; i++)
		event_rings[i].index = i;
	concurrency_set_threads(event_ring_at, THREADS);
	start_ns +=
		concurrency_begin_parallel(true, &event_rings[0], clock_thread_cpu_ns(), waited_ns);
	base_ns = clock_now_ns() + 1000000;
	concurrency_born(&event_rings[1], 101, &rows[1], CAUSE_OTHER, base_ns);
	concurrency_drain(base_ns, true);
}

struct levels {
	uint64_t time_ns[KINDS][PROCESSORS + 1];
};

static void add_levels(const struct format_block *block, void *context)
{
	struct levels *levels = context;
	const struct row_concurrency *row = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_concurrency && i < block->capacity; i++)
		levels->time_ns[row[i].kind][row[i].active] += row[i].time_ns;
}

static struct levels levels_now(void)
{
	struct levels levels = {0};

	scratch_walk(add_levels, &levels);
	return levels;
}

static uint64_t sum_of(const struct levels *levels, enum concurrency_kind kind)
{
	uint64_t sum = 0;

	for (int i = 0; i <= PROCESSORS; i++)
		sum += levels->time_ns[kind][i];
	return sum;
}

/* Of what is seen, since `before`. */
static uint64_t since(const struct levels *before, enum concurrency_kind kind, unsigned level)
{
	return levels_now().time_ns[kind][level] - before->time_ns[kind][level];
}

START_TEST(records_say_who_is_on_a_processor)
{
	prepare();
	struct levels before = levels_now();
	made_switches_add(1, base_ns + 1000, 101, SWITCH_IN);
	made_switches_add(0, base_ns + 3000, 100, SWITCH_OUT_BLOCKED);
	made_switches_add(1, base_ns + 7000, 101, SWITCH_OUT_BLOCKED);
	made_switches_add(2, base_ns + 15000, 100, SWITCH_IN);
	concurrency_drain(base_ns + 31000, true);
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 0), 8000);
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 1), 1000 + 4000 + 16000);
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 2), 2000);
	ck_assert_uint_eq(since(&before, CONCURRENCY_WINDOWS_ON_PROCESSOR, 1), 0);
	ck_assert_uint_eq(made_switches_consumed(), 4);
	struct levels all = levels_now();
	ck_assert_uint_eq(sum_of(&all, CONCURRENCY_UNSEEN_ON_PROCESSOR), 0);
	ck_assert_uint_eq(sum_of(&all, CONCURRENCY_ON_PROCESSOR), base_ns + 31000 - start_ns);
}
END_TEST

START_TEST(a_thread_that_spins_in_a_wait_is_on_a_processor_and_not_useful)
{
	prepare();
	struct levels before = levels_now();
	concurrency_enter_wait(&event_rings[0], CAUSE_MUTEX, base_ns + 2000);
	concurrency_leave_wait(&event_rings[0], base_ns + 7000);
	concurrency_drain(base_ns + 9000, true);
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 1), 9000);
	ck_assert_uint_eq(since(&before, CONCURRENCY_USEFUL, 1), 4000);
	ck_assert_uint_eq(since(&before, CONCURRENCY_USEFUL, 0), 5000);
}
END_TEST

START_TEST(time_off_the_processor_is_known_by_cause)
{
	prepare();
	struct row_threads before = rows[0];
	concurrency_enter_wait(&event_rings[0], CAUSE_MUTEX, base_ns + 500);
	made_switches_add(0, base_ns + 1000, 100, SWITCH_OUT_BLOCKED);
	made_switches_add(0, base_ns + 3000, 100, SWITCH_IN);
	made_switches_add(0, base_ns + 3500, 100, SWITCH_OUT_PREEMPTED); /* still in its wait */
	made_switches_add(0, base_ns + 7500, 100, SWITCH_IN);
	concurrency_leave_wait(&event_rings[0], base_ns + 8000);
	made_switches_add(0, base_ns + 9000, 100, SWITCH_OUT_BLOCKED);
	made_switches_add(0, base_ns + 17000, 100, SWITCH_IN);
	concurrency_drain(base_ns + 20000, true);
	const uint64_t *by = rows[0].off_by_cause_ns, *by_before = before.off_by_cause_ns;
	ck_assert_uint_eq(by[CAUSE_MUTEX] - by_before[CAUSE_MUTEX], 2000);
	ck_assert_uint_eq(by[CAUSE_PREEMPTED] - by_before[CAUSE_PREEMPTED], 4000);
	ck_assert_uint_eq(by[CAUSE_OTHER] - by_before[CAUSE_OTHER], 8000);
	ck_assert_uint_eq(rows[0].off_ns - before.off_ns, 14000);
	ck_assert_uint_eq(rows[0].off_since_ns, 0);
}
END_TEST

/* The host took processor 1 away while its kernel wrote records: when they come, the thread has
 * been on and off processor 2. They would have it off the processor until its end, once more. */
START_TEST(records_that_come_late_count_no_time_twice)
{
	prepare();
	made_switches_add(1, base_ns + 1000, 101, SWITCH_IN);
	made_switches_add(1, base_ns + 2000, 101, SWITCH_OUT_BLOCKED);
	made_switches_add(2, base_ns + 9000, 101, SWITCH_IN);
	concurrency_drain(base_ns + 10000, true);
	ck_assert_uint_eq(rows[1].off_ns, 7000);
	struct levels before = levels_now();
	made_switches_add(1, base_ns + 4000, 101, SWITCH_IN);
	made_switches_add(1, base_ns + 6000, 101, SWITCH_OUT_BLOCKED);
	concurrency_drain(base_ns + 20000, true);
	ck_assert_uint_eq(rows[1].off_since_ns, 0);
	concurrency_died(&event_rings[1], base_ns + 30000);
	concurrency_drain(base_ns + 30000, true);
	ck_assert_uint_eq(rows[1].off_ns, 7000);
	/* it was on processor 2 all the time, thread 100 on 0 */
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 2), 20000);
	ck_assert_uint_eq(made_switches_consumed(), 5);
}
END_TEST

static uint64_t life_of(const struct row_threads *row)
{
	return row->updated_ns - row->birth_ns;
}

/* It read the clock and was preempted before it could tell of its end: it lived on. */
START_TEST(an_end_that_is_told_late_lengthens_the_life)
{
	prepare();
	rows[1].birth_ns = base_ns;
	made_switches_add(1, base_ns + 500, 101, SWITCH_IN);
	rows[1].updated_ns = base_ns + 1000;
	made_switches_add(1, base_ns + 2000, 101, SWITCH_OUT_PREEMPTED);
	made_switches_add(1, base_ns + 9000, 101, SWITCH_IN);
	concurrency_drain(base_ns + 10000, true);
	concurrency_died(&event_rings[1], base_ns + 1000);
	concurrency_drain(base_ns + 20000, true);
	ck_assert_uint_eq(rows[1].off_ns, 7000);
	ck_assert_uint_eq(rows[1].covered_ns, 9000);
	ck_assert_uint_eq(life_of(&rows[1]), 9000);
	/* told in time, a life ends when it did */
	rows[0].birth_ns = start_ns;
	rows[0].updated_ns = base_ns + 21000;
	concurrency_died(&event_rings[0], base_ns + 21000);
	concurrency_drain(base_ns + 30000, true);
	ck_assert_uint_eq(rows[0].updated_ns, base_ns + 21000);
	ck_assert_uint_eq(rows[0].covered_ns, base_ns + 21000 - start_ns);
}
END_TEST

/* The same, if records came to their end before it could tell. */
START_TEST(an_end_that_is_told_after_the_records_lengthens_the_life)
{
	prepare();
	rows[1].birth_ns = base_ns;
	made_switches_add(1, base_ns + 500, 101, SWITCH_IN);
	rows[1].updated_ns = base_ns + 1000;
	made_switches_add(1, base_ns + 2000, 101, SWITCH_OUT_PREEMPTED);
	made_switches_add(1, base_ns + 9000, 101, SWITCH_IN);
	concurrency_drain(base_ns + 10000, true);
	switch_windows_leave_processors(base_ns + 10000);
	ck_assert(!switches_are_open());
	concurrency_died(&event_rings[1], base_ns + 1000);
	concurrency_drain(base_ns + 20000, true);
	ck_assert_uint_eq(rows[1].off_ns, 7000);
	ck_assert_uint_eq(rows[1].covered_ns, 10000);
	ck_assert_uint_eq(life_of(&rows[1]), 10000);
}
END_TEST

/* The same at its birth, which the records of the meantime are not of. */
START_TEST(a_birth_that_is_told_late_is_off_the_processor_since)
{
	static struct event_ring late = {.index = 1};
	static struct row_threads row;

	prepare();
	made_switches_add(1, base_ns + 1000, 102, SWITCH_IN);
	made_switches_add(1, base_ns + 3000, 102, SWITCH_OUT_PREEMPTED);
	concurrency_drain(base_ns + 10000, true);
	event_rings[1] = late; /* its thread is over */
	concurrency_born(&event_rings[1], 102, &row, CAUSE_OTHER, base_ns + 2000);
	concurrency_drain(base_ns + 12000, true);
	made_switches_add(1, base_ns + 15000, 102, SWITCH_IN);
	concurrency_drain(base_ns + 16000, true);
	ck_assert_uint_eq(row.covered_ns, 15000 - 10000);
	ck_assert_uint_eq(row.off_ns, 15000 - 10000);
	ck_assert_uint_eq(row.off_by_cause_ns[CAUSE_PREEMPTED], 15000 - 10000);
}
END_TEST

/* The first thread's call stands in no event yet; what the others did since stays where it is. */
START_TEST(records_wait_for_a_call_that_has_just_begun)
{
	prepare();
	concurrency_enter_call(&event_rings[0], CAUSE_MPI, base_ns + 2000);
	made_switches_add(1, base_ns + 1000, 101, SWITCH_IN);
	made_switches_add(1, base_ns + 3000, 101, SWITCH_OUT_BLOCKED);
	concurrency_drain(base_ns + 4000, true);
	ck_assert_uint_eq(made_switches_consumed(), 1);
	ck_assert_uint_eq(process.accounted_ns, base_ns + 2000);
	concurrency_leave_call(&event_rings[0], CAUSE_MPI, base_ns + 2000, base_ns + 2500);
	concurrency_drain(base_ns + 4000, true);
	ck_assert_uint_eq(made_switches_consumed(), 2);
	ck_assert_uint_eq(process.accounted_ns, base_ns + 4000);
}
END_TEST

/* More than one pass sorts, in two rings whose records alternate. */
START_TEST(no_record_is_lost_between_passes)
{
	enum { ROUNDS = 5000 };
	uint64_t now_ns;

	prepare();
	struct levels before = levels_now();
	now_ns = base_ns;
	for (int i = 0; i < ROUNDS; i++) {
		made_switches_add(1, now_ns += 10, 101, SWITCH_IN);
		made_switches_add(0, now_ns += 20, 100, SWITCH_OUT_BLOCKED);
		made_switches_add(1, now_ns += 40, 101, SWITCH_OUT_BLOCKED);
		made_switches_add(0, now_ns += 80, 100, SWITCH_IN);
	}
	concurrency_drain(now_ns, true);
	ck_assert_uint_eq(made_switches_consumed(), 4 * ROUNDS);
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 0), ROUNDS * 80);
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 1), ROUNDS * (10 + 40));
	ck_assert_uint_eq(since(&before, CONCURRENCY_ON_PROCESSOR, 2), ROUNDS * 20);
}
END_TEST

/* In real time, for windows are opened and closed by the clock: so many switches on one processor
 * until this instant that they cost more than the budget. */
static void switch_often_until(uint64_t end_ns)
{
	for (uint64_t now_ns = clock_now_ns(); now_ns < end_ns; now_ns = clock_now_ns()) {
		for (unsigned i = 0; i < 20; i++)
			made_switches_add(1, now_ns + i, 101,
					  i % 2 ? SWITCH_IN : SWITCH_OUT_BLOCKED);
		concurrency_drain(now_ns, false);
	}
}

START_TEST(dear_records_are_taken_in_windows)
{
	prepare();
	while (clock_now_ns() < base_ns)
		;
	uint64_t limit_ns = clock_now_ns() + UINT64_C(3000000000);
	while (switches_are_open() && clock_now_ns() < limit_ns)
		switch_often_until(clock_now_ns() + 1000000);
	ck_assert(!switches_are_open());
	uint64_t closed_ns = clock_now_ns();
	uint64_t opened_ns = closed_ns; /* not before that */
	while (!switches_are_open() && clock_now_ns() < limit_ns)
		concurrency_drain(opened_ns = clock_now_ns(), false);
	while (switches_are_open() && clock_now_ns() < limit_ns)
		concurrency_drain(clock_now_ns(), false);
	concurrency_drain(clock_now_ns(), true);
	ck_assert_uint_eq(made_switches_windows(), 1);
	struct levels all = levels_now();
	uint64_t seen_ns = sum_of(&all, CONCURRENCY_ON_PROCESSOR),
		 unseen_ns = sum_of(&all, CONCURRENCY_UNSEEN_ON_PROCESSOR),
		 window_ns = sum_of(&all, CONCURRENCY_WINDOWS_ON_PROCESSOR);
	ck_assert_uint_eq(seen_ns + unseen_ns, process.accounted_ns - start_ns);
	ck_assert_uint_eq(seen_ns, process.switches_ns);
	ck_assert_uint_gt(window_ns, 0);
	ck_assert_uint_ge(seen_ns - window_ns, 50000000); /* the rate is measured that long */
	ck_assert_uint_ge(unseen_ns, opened_ns - closed_ns);
	ck_assert_uint_eq(sum_of(&all, CONCURRENCY_WINDOWS_USEFUL), window_ns);
}
END_TEST

UNIT_MAIN("switch records", records_say_who_is_on_a_processor,
	  a_thread_that_spins_in_a_wait_is_on_a_processor_and_not_useful,
	  time_off_the_processor_is_known_by_cause, records_that_come_late_count_no_time_twice,
	  an_end_that_is_told_late_lengthens_the_life,
	  an_end_that_is_told_after_the_records_lengthens_the_life,
	  a_birth_that_is_told_late_is_off_the_processor_since,
	  records_wait_for_a_call_that_has_just_begun, no_record_is_lost_between_passes,
	  dear_records_are_taken_in_windows)

/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run.h"
#include "analyze/model/run/wake_ups.h"
#include "tests/unit/unit.h"

#include <math.h>

/* A thread that slept 100 times with 0.4 ms of system time, and one that never slept. */
static struct run *make(uint64_t sleeps, uint64_t system_ns)
{
	static struct profile_thread rows[2];
	static struct thread_time times[2];
	static struct process process;
	static struct run run;

	rows[0].voluntary_switches = sleeps;
	times[0] = (struct thread_time){.thread = &rows[0], .system_ns = system_ns};
	times[1] = (struct thread_time){.thread = &rows[1], .system_ns = 1000000000};
	process = (struct process){.threads = times, .thread_count = 2};
	run = (struct run){.processes = &process, .process_count = 1};
	return &run;
}

static const struct sync_row waits = {.cause = CAUSE_CONDITION,
				      .contended = 100,
				      .timeouts = 10,
				      .failed = 3,
				      .spurious = 2,
				      .futile = 50,
				      .reacquire_ns = 700};

START_TEST(waits_that_a_signal_ended_are_wake_ups)
{
	struct wake_ups found = wake_ups_of(make(100, 400000), &waits);

	ck_assert_uint_eq(found.wakes, 85);
	ck_assert_uint_eq(found.futile, 50);
	ck_assert_double_eq_tol(found.cpu_ns, 50 * 4000, 1e-6);
	ck_assert_double_eq_tol(found.reacquire_ns, 700, 1e-6);
}
END_TEST

START_TEST(a_sleep_costs_no_more_than_it_can)
{
	ck_assert_double_eq_tol(wake_ups_cost_ns(make(1, 400000)), 10000, 1e-6);
	ck_assert(isnan(wake_ups_cost_ns(make(0, 0))));
}
END_TEST

START_TEST(other_waits_wake_nobody_by_signal)
{
	struct sync_row row = waits;

	row.cause = CAUSE_MUTEX;
	ck_assert_uint_eq(wake_ups_of(make(100, 400000), &row).wakes, 0);
}
END_TEST

START_TEST(a_damaged_row_has_no_more_futile_ones_than_wake_ups)
{
	struct sync_row row = waits;

	row.futile = 1000;
	ck_assert_uint_eq(wake_ups_of(make(100, 400000), &row).futile, 85);
	row.timeouts = 1000;
	ck_assert_uint_eq(wake_ups_of(make(100, 400000), &row).futile, 0);
}
END_TEST

UNIT_MAIN("wake_ups", waits_that_a_signal_ended_are_wake_ups, a_sleep_costs_no_more_than_it_can,
	  other_waits_wake_nobody_by_signal, a_damaged_row_has_no_more_futile_ones_than_wake_ups)

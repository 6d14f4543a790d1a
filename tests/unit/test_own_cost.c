/* SPDX-License-Identifier: MIT */
/* What the profiler took: each term of the sum by itself, with prices of which none is another's.
 */
#include "analyze/model/process/own_cost.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/unit.h"

enum { CALL = 2000, LOCK = 3000, PAIR = 10000, CLOCK = 20000, SIGNAL = 4000000 };

static struct profile priced(void)
{
	return (struct profile){.process = {.processors = 2,
					    .tally_cost_ps = CALL,
					    .lock_cost_ps = LOCK,
					    .pair_cost_ps = PAIR,
					    .clock_cost_ps = CLOCK,
					    .signal_cost_ps = SIGNAL}};
}

static uint64_t cost_of_calls(unsigned operation)
{
	struct profile_tally row = {.operation = (uint16_t)operation, .count = 1000};
	struct profile profile = priced();

	profile.tallies.rows = &row;
	profile.tallies.count = 1;
	return own_cost_ns(&profile);
}

START_TEST(a_call_costs_by_its_kind)
{
	ck_assert_uint_eq(cost_of_calls(OP_ONCE), CALL);
	ck_assert_uint_eq(cost_of_calls(OP_COND_SIGNAL), CALL);
	ck_assert_uint_eq(cost_of_calls(OP_MUTEX_TRYLOCK), LOCK);
	ck_assert_uint_eq(cost_of_calls(OP_SEM_POST), LOCK);
	ck_assert_uint_eq(cost_of_calls(OP_MUTEX_LOCK), PAIR / 2);
}
END_TEST

static uint64_t cost_of_thread(struct profile_thread thread)
{
	struct profile_thread rows[2] = {[1] = thread};
	struct profile profile = priced();

	profile.threads.rows = rows;
	profile.threads.count = 2;
	return own_cost_ns(&profile);
}

START_TEST(a_thread_costs_its_unlocks_its_samples_and_what_was_measured)
{
	ck_assert_uint_eq(cost_of_thread((struct profile_thread){.unlocks = 1000}), PAIR / 2);
	ck_assert_uint_eq(cost_of_thread((struct profile_thread){.samples = 1000}), SIGNAL);
	ck_assert_uint_eq(cost_of_thread((struct profile_thread){.tool_ns = 77}), 77);
}
END_TEST

START_TEST(switch_records_cost_where_they_were_taken)
{
	struct profile_thread thread = {.updated_ns = 1000, .covered_ns = 500, .lives = 1};

	thread.voluntary_switches = 100;
	thread.flags = THREAD_FIRST;
	ck_assert_uint_eq(cost_of_thread(thread), 100 * 650 / 2);
	thread.flags = 0; /* two processors: two events made for it */
	ck_assert_uint_eq(cost_of_thread(thread), (100 * 650 + 2 * 5000) / 2);
	thread.covered_ns = 0;
	ck_assert_uint_eq(cost_of_thread(thread), 0);
}
END_TEST

START_TEST(what_is_timed_reads_the_clock_twice)
{
	struct profile_io_call io = {.count = 1000};
	struct profile_wait wait = {.count = 5000, .left_out = 1000};
	struct profile_call call = {.count = 3000, .untimed = 2000};
	struct profile profile = priced();

	profile.io_calls.rows = &io;
	profile.io_calls.count = 1;
	ck_assert_uint_eq(own_cost_ns(&profile), 2 * CLOCK);
	profile.waits.rows = &wait;
	profile.waits.count = 1;
	ck_assert_uint_eq(own_cost_ns(&profile), 4 * CLOCK);
	profile.calls.rows = &call;
	profile.calls.count = 1;
	ck_assert_uint_eq(own_cost_ns(&profile), 6 * CLOCK + 6 * CALL);
}
END_TEST

UNIT_MAIN("own_cost", a_call_costs_by_its_kind,
	  a_thread_costs_its_unlocks_its_samples_and_what_was_measured,
	  switch_records_cost_where_they_were_taken, what_is_timed_reads_the_clock_twice)

/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/concurrency.h"

#include "preload/base/clock.h"
#include "preload/process/affinity.h"
#include "preload/process/process_row.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, PROCESSORS = 3, LONGEST = 64 };

static struct event_ring event_rings[THREADS];
static struct row_threads rows[THREADS];
static struct row_process process;
static uint64_t start_ns, base_ns;

static struct event_ring *event_ring_at(uint32_t index)
{
	return &event_rings[index];
}

static const uint64_t waited_ns[CAUSE_COUNT];

/* One thread runs since a second; from base_ns on there may be more. */
static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	affinity_remember();
	process_row = &process;
	start_ns = clock_now_ns() - 1000000000;
	concurrency_start(start_ns, PROCESSORS);
	event_rings[0].tid = 100;
	event_rings[0].row = &rows[0];
	for (unsigned i = 0; i < THREADS; i++)
		event_rings[i].index = i;
	concurrency_set_threads(event_ring_at, THREADS);
	start_ns += concurrency_begin_parallel(false, &event_rings[0], clock_thread_cpu_ns(),
					       waited_ns);
	base_ns = clock_now_ns() + 1000000;
	concurrency_drain(base_ns, true);
}

struct levels {
	enum concurrency_kind kind;
	uint64_t time_ns[LONGEST];
};

static void add_levels(const struct format_block *block, void *context)
{
	struct levels *levels = context;
	const struct row_concurrency *row = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_concurrency && i < block->capacity; i++)
		/* without records, time is that of the unseen kinds */
		if (row[i].kind == levels->kind || row[i].kind == levels->kind + 2)
			levels->time_ns[row[i].active] += row[i].time_ns;
}

static struct levels levels_of(enum concurrency_kind kind)
{
	struct levels levels = {.kind = kind};

	scratch_walk(add_levels, &levels);
	return levels;
}

static uint64_t sum_of(enum concurrency_kind kind)
{
	struct levels levels = levels_of(kind);
	uint64_t sum = 0;

	for (int i = 0; i < LONGEST; i++)
		sum += levels.time_ns[i];
	return sum;
}

START_TEST(one_thread_alone_is_told_by_its_cpu_time)
{
	ck_assert_int_eq(scratch_open(), 0);
	concurrency_start(1000, PROCESSORS);
	concurrency_update_single(5000, 3000);
	ck_assert_uint_eq(levels_of(CONCURRENCY_ON_PROCESSOR).time_ns[1], 3000);
	ck_assert_uint_eq(levels_of(CONCURRENCY_ON_PROCESSOR).time_ns[0], 1000);
	concurrency_update_single(6000, 90000);
	ck_assert_uint_eq(sum_of(CONCURRENCY_ON_PROCESSOR), 5000);
}
END_TEST

START_TEST(waits_lower_the_level)
{
	prepare();
	struct levels before = levels_of(CONCURRENCY_USEFUL);
	concurrency_born(&event_rings[1], 101, &rows[1], CAUSE_OTHER, base_ns + 1000);
	concurrency_enter_wait(&event_rings[0], CAUSE_MUTEX, base_ns + 3000);
	concurrency_leave_wait(&event_rings[0], base_ns + 7000);
	concurrency_died(&event_rings[1], base_ns + 9000);
	concurrency_drain(base_ns + 10000, true);
	struct levels after = levels_of(CONCURRENCY_USEFUL);
	ck_assert_uint_eq(after.time_ns[1] - before.time_ns[1], 1000 + 4000 + 1000);
	ck_assert_uint_eq(after.time_ns[2] - before.time_ns[2], 2000 + 2000);
	ck_assert_uint_eq(after.time_ns[0], before.time_ns[0]);
	ck_assert_uint_eq(sum_of(CONCURRENCY_USEFUL), base_ns + 10000 - start_ns);
	ck_assert_uint_eq(event_rings[1].is_gone, 1);
	ck_assert_uint_eq(concurrency_level(), 1);
}
END_TEST

START_TEST(more_threads_than_processors_are_no_more_than_processors)
{
	prepare();
	for (uint32_t i = 1; i < THREADS; i++)
		concurrency_born(&event_rings[i], 100 + i, &rows[i], CAUSE_OTHER, base_ns);
	concurrency_drain(base_ns + 5000, true);
	ck_assert_uint_eq(levels_of(CONCURRENCY_ON_PROCESSOR).time_ns[PROCESSORS], 5000);
}
END_TEST

START_TEST(more_events_than_the_ring_lose_nothing)
{
	uint64_t now_ns;

	prepare();
	now_ns = base_ns;
	for (int i = 0; i < 50 * EVENT_RING_EVENTS; i++) {
		concurrency_enter_wait(&event_rings[0], CAUSE_MUTEX, now_ns += 100);
		concurrency_leave_wait(&event_rings[0], now_ns += 50);
	}
	concurrency_drain(now_ns, true);
	ck_assert_uint_eq(process.transitions_lost, 0);
	ck_assert_uint_eq(sum_of(CONCURRENCY_USEFUL), now_ns - start_ns);
	ck_assert(!event_rings[0].is_waiting);
}
END_TEST

START_TEST(random_transitions_add_up_exactly)
{
	uint64_t expected[PROCESSORS + 1] = {0}, now_ns;
	bool is_waiting[THREADS] = {false};

	prepare();
	srand(11);
	struct levels before = levels_of(CONCURRENCY_ON_PROCESSOR);
	now_ns = base_ns;
	for (uint32_t i = 1; i < THREADS; i++)
		concurrency_born(&event_rings[i], 100 + i, &rows[i], CAUSE_OTHER, now_ns);
	for (int i = 0; i < 30000; i++) {
		unsigned active = 0, t = (unsigned)rand() % THREADS;
		uint64_t ns = (uint64_t)rand() % 500 + 1;
		for (int k = 0; k < THREADS; k++)
			active += !is_waiting[k];
		expected[active < PROCESSORS ? active : PROCESSORS] += ns;
		now_ns += ns;
		if (is_waiting[t])
			concurrency_leave_wait(&event_rings[t], now_ns);
		else
			concurrency_enter_wait(&event_rings[t], CAUSE_BARRIER, now_ns);
		is_waiting[t] = !is_waiting[t];
		if (rand() % 50 == 0)
			concurrency_drain(now_ns, true);
	}
	concurrency_drain(now_ns, true);
	struct levels after = levels_of(CONCURRENCY_ON_PROCESSOR);
	for (int i = 0; i <= PROCESSORS; i++)
		ck_assert_uint_eq(after.time_ns[i] - before.time_ns[i], expected[i]);
	ck_assert_uint_eq(sum_of(CONCURRENCY_ON_PROCESSOR), now_ns - start_ns);
}
END_TEST

static uint64_t thread_time_of(enum concurrency_kind kind)
{
	struct levels levels = levels_of(kind);
	uint64_t sum = 0;

	for (uint64_t i = 0; i < LONGEST; i++)
		sum += i * levels.time_ns[i];
	return sum;
}

START_TEST(helpers_of_the_mpi_library_are_never_useful)
{
	prepare();
	struct levels before = levels_of(CONCURRENCY_USEFUL);
	concurrency_born(&event_rings[1], 101, &rows[1], CAUSE_MPI, base_ns);
	concurrency_enter_wait(&event_rings[1], CAUSE_CONDITION, base_ns + 1000);
	concurrency_leave_wait(&event_rings[1], base_ns + 2000);
	concurrency_drain(base_ns + 5000, true);
	ck_assert_uint_eq(levels_of(CONCURRENCY_USEFUL).time_ns[1] - before.time_ns[1], 5000);
	concurrency_died(&event_rings[1], base_ns + 6000);
	concurrency_enter_wait(&event_rings[0], CAUSE_CONDITION, base_ns + 6000);
	concurrency_drain(base_ns + 8000, true);
	ck_assert_uint_eq(levels_of(CONCURRENCY_USEFUL).time_ns[0] - before.time_ns[0], 2000);
}
END_TEST

/* The second thread is just telling of a call, so that the pass does not get on, when the first
 * one's call has been claimed already. */
START_TEST(a_claimed_call_outlasts_a_pass_that_stops_before_it)
{
	enum { JUST_TELLING = 2 }; /* OPEN_HELD */
	uint64_t start = 0, end = 0;

	prepare();
	concurrency_born(&event_rings[1], 101, &rows[1], CAUSE_OTHER, base_ns);
	concurrency_drain(base_ns, true);
	uint64_t before = thread_time_of(CONCURRENCY_USEFUL);
	start = base_ns + 2000;
	end = start + 10000000;
	concurrency_enter_call(&event_rings[0], CAUSE_MPI, start);
	event_rings[1].open_since_ns = JUST_TELLING;
	concurrency_drain(end, true);
	ck_assert_uint_eq(thread_time_of(CONCURRENCY_USEFUL) - before, 0);
	event_rings[1].open_since_ns = 0;
	concurrency_leave_call(&event_rings[0], CAUSE_MPI, start, end);
	concurrency_drain(end + 3000, true);
	ck_assert_uint_eq(thread_time_of(CONCURRENCY_USEFUL) - before,
			  2 * 2000 + (end - start) + 2 * 3000);
}
END_TEST

/* Simulated time: calls of 50 ns to 5 ms on every thread, drains at any moment. */
START_TEST(calls_of_any_length_take_their_time_off_useful)
{
	enum { CALLERS = PROCESSORS };
	uint64_t since[CALLERS] = {0}, now_ns, waited = 0, lived = 0;

	prepare();
	srand(5);
	now_ns = base_ns;
	uint64_t before = thread_time_of(CONCURRENCY_USEFUL);
	for (uint32_t i = 1; i < CALLERS; i++)
		concurrency_born(&event_rings[i], 100 + i, &rows[i], CAUSE_OTHER, now_ns);
	for (int i = 0; i < 40000; i++) {
		uint64_t step = UINT64_C(50) << (rand() % (i % 1000 ? 6 : 17));
		unsigned t = (unsigned)rand() % CALLERS;
		lived += step * CALLERS;
		now_ns += step;
		if (since[t]) {
			concurrency_leave_call(&event_rings[t], CAUSE_MPI, since[t], now_ns);
			waited += now_ns - since[t];
			since[t] = 0;
		} else {
			concurrency_enter_call(&event_rings[t], CAUSE_MPI, now_ns);
			since[t] = now_ns;
		}
		if (rand() % 40 == 0)
			concurrency_drain(now_ns, true);
	}
	for (unsigned t = 0; t < CALLERS; t++)
		if (since[t]) {
			concurrency_leave_call(&event_rings[t], CAUSE_MPI, since[t], now_ns);
			waited += now_ns - since[t];
		}
	concurrency_drain(now_ns, true);
	uint64_t useful = thread_time_of(CONCURRENCY_USEFUL) - before;
	uint64_t untold = 0;
	for (unsigned t = 0; t < CALLERS; t++)
		untold += event_rings[t].short_ns;
	ck_assert_uint_eq(process.transitions_lost, 0);
	ck_assert_uint_eq(sum_of(CONCURRENCY_USEFUL), now_ns - start_ns);
	ck_assert_uint_eq(useful, lived - waited + untold);
}
END_TEST

static void *live(void *number)
{
	uintptr_t i = (uintptr_t)number + 1;

	concurrency_born(&event_rings[i], (uint32_t)(100 + i), &rows[i], CAUSE_OTHER,
			 clock_now_ns());
	for (int k = 0; k < 20000; k++) {
		concurrency_enter_wait(&event_rings[i], CAUSE_MUTEX, clock_now_ns());
		concurrency_leave_wait(&event_rings[i], clock_now_ns());
		if (k % 64 == 0)
			concurrency_drain(clock_now_ns(), false);
	}
	concurrency_died(&event_rings[i], clock_now_ns());
	return NULL;
}

START_TEST(threads_drain_for_one_another)
{
	prepare();
	while (clock_now_ns() < base_ns)
		;
	scratch_run(THREADS - 1, live);
	uint64_t now_ns = clock_now_ns();
	concurrency_drain(now_ns, true);
	ck_assert_uint_eq(sum_of(CONCURRENCY_USEFUL), now_ns - start_ns);
	ck_assert_uint_eq(concurrency_level(), 1);
	for (int i = 1; i < THREADS; i++)
		ck_assert_uint_eq(event_rings[i].is_gone, 1);
}
END_TEST

UNIT_MAIN("concurrency", one_thread_alone_is_told_by_its_cpu_time, waits_lower_the_level,
	  more_threads_than_processors_are_no_more_than_processors,
	  more_events_than_the_ring_lose_nothing, random_transitions_add_up_exactly,
	  helpers_of_the_mpi_library_are_never_useful,
	  a_claimed_call_outlasts_a_pass_that_stops_before_it,
	  calls_of_any_length_take_their_time_off_useful, threads_drain_for_one_another)

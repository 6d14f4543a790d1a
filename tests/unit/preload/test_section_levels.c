/* SPDX-License-Identifier: MIT */
/* T_i of sections, by the events that threads tell. */
#include "preload/concurrency/section_levels.h"

#include "preload/base/clock.h"
#include "preload/concurrency/concurrency.h"
#include "preload/process/affinity.h"
#include "preload/process/process_row.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, PROCESSORS = 3, SOLVE = 1, IO = 2, PHASE = 3, ANY = 0 };

static struct event_ring event_rings[THREADS];
static struct row_threads rows[THREADS];
static struct row_process process;
static uint64_t base_ns;

static struct event_ring *event_ring_at(uint32_t index)
{
	return &event_rings[index];
}

static const uint64_t waited_ns[CAUSE_COUNT];

static void prepare_single(uint64_t start_ns)
{
	ck_assert_int_eq(scratch_open(), 0);
	affinity_remember();
	process_row = &process;
	concurrency_start(start_ns, PROCESSORS);
	for (unsigned i = 0; i < THREADS; i++) {
		event_rings[i].index = i;
		event_rings[i].tid = 100 + i;
		event_rings[i].row = &rows[i];
	}
}

/* Three threads, which are useful. */
static void prepare(void)
{
	prepare_single(clock_now_ns() - 1000000000);
	concurrency_set_threads(event_ring_at, THREADS);
	concurrency_begin_parallel(false, &event_rings[0], clock_thread_cpu_ns(), waited_ns);
	base_ns = clock_now_ns() + 1000000;
	for (uint32_t i = 1; i < 3; i++)
		concurrency_born(&event_rings[i], 100 + i, &rows[i], CAUSE_OTHER, base_ns);
	concurrency_drain(base_ns, true);
}

struct wanted {
	uint32_t section, active;
	enum concurrency_kind kind;
	uint64_t time_ns;
};

static void add_time(const struct format_block *block, void *context)
{
	struct wanted *wanted = context;
	const struct row_section_levels *row = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_section_levels && i < block->capacity; i++)
		/* without records, time is that of the unseen kinds */
		if ((row[i].kind == wanted->kind || row[i].kind == wanted->kind + 2) &&
		    row[i].section == wanted->section &&
		    (wanted->active == UINT32_MAX || row[i].active == wanted->active))
			wanted->time_ns += row[i].time_ns;
}

static uint64_t time_of(uint32_t section, uint32_t active)
{
	struct wanted wanted = {section, active, CONCURRENCY_USEFUL, 0};

	scratch_walk(add_time, &wanted);
	return wanted.time_ns;
}

static uint64_t whole_of(uint32_t section)
{
	return time_of(section, UINT32_MAX);
}

static bool opens(uint32_t thread, uint32_t section, uint64_t at_ns)
{
	return concurrency_open_section(&event_rings[thread], section, base_ns + at_ns, 0);
}

static void closes(uint32_t thread, uint32_t section, uint64_t at_ns)
{
	concurrency_close_section(&event_rings[thread], section, base_ns + at_ns, 0);
}

START_TEST(a_section_has_the_levels_of_its_time)
{
	prepare();
	ck_assert(opens(0, SOLVE, 1000));
	concurrency_enter_wait(&event_rings[1], CAUSE_MUTEX, base_ns + 3000);
	closes(0, SOLVE, 7000);
	concurrency_leave_wait(&event_rings[1], base_ns + 9000);
	concurrency_drain(base_ns + 10000, true);
	ck_assert_uint_eq(time_of(SOLVE, 3), 2000);
	ck_assert_uint_eq(time_of(SOLVE, 2), 4000);
	ck_assert_uint_eq(whole_of(SOLVE), 6000);
	ck_assert_uint_eq(whole_of(ANY), 6000);
}
END_TEST

START_TEST(several_threads_have_it_open_once)
{
	prepare();
	opens(0, SOLVE, 1000);
	opens(1, SOLVE, 2000);
	opens(2, IO, 2500);
	closes(0, SOLVE, 3000);
	closes(2, IO, 3500);
	closes(1, SOLVE, 5000);
	opens(2, IO, 8000);
	closes(2, IO, 9000);
	concurrency_drain(base_ns + 10000, true);
	ck_assert_uint_eq(whole_of(SOLVE), 4000);
	ck_assert_uint_eq(whole_of(IO), 2000);
	ck_assert_uint_eq(whole_of(ANY), 5000);
}
END_TEST

START_TEST(within_another_one_both_pass)
{
	prepare();
	opens(0, SOLVE, 1000);
	opens(0, IO, 2000);
	closes(0, IO, 4000);
	closes(0, SOLVE, 7000);
	concurrency_drain(base_ns + 10000, true);
	ck_assert_uint_eq(whole_of(SOLVE), 6000);
	ck_assert_uint_eq(whole_of(IO), 2000);
	ck_assert_uint_eq(whole_of(ANY), 6000);
}
END_TEST

START_TEST(a_thread_that_ends_has_none_open)
{
	prepare();
	opens(1, SOLVE, 1000);
	opens(1, IO, 1000);
	concurrency_died(&event_rings[1], base_ns + 4000);
	concurrency_drain(base_ns + 10000, true);
	ck_assert_uint_eq(whole_of(SOLVE), 3000);
	ck_assert_uint_eq(whole_of(IO), 3000);
	ck_assert(!section_levels_any);
}
END_TEST

START_TEST(a_phase_lasts_until_the_next_one)
{
	prepare();
	ck_assert(concurrency_set_phase(&event_rings[0], PHASE, base_ns + 1000, 0));
	ck_assert(concurrency_set_phase(&event_rings[1], SOLVE, base_ns + 4000, 0));
	ck_assert(concurrency_set_phase(&event_rings[2], 0, base_ns + 9000, 0));
	concurrency_drain(base_ns + 10000, true);
	ck_assert_uint_eq(whole_of(PHASE), 3000);
	ck_assert_uint_eq(whole_of(SOLVE), 5000);
	ck_assert_uint_eq(whole_of(ANY), 8000);
}
END_TEST

START_TEST(one_thread_alone_is_told_by_its_cpu_time)
{
	prepare_single(1000);
	concurrency_open_section(&event_rings[0], SOLVE, 5000, 3000);
	concurrency_close_section(&event_rings[0], SOLVE, 9000, 4500);
	concurrency_open_section(&event_rings[0], IO, 20000, 5000);
	concurrency_update_single(30000, 11000); /* a sample */
	ck_assert_uint_eq(time_of(SOLVE, 1), 1500);
	ck_assert_uint_eq(time_of(SOLVE, 0), 2500);
	ck_assert_uint_eq(time_of(IO, 1), 6000);
	ck_assert_uint_eq(time_of(IO, 0), 4000);
	ck_assert_uint_eq(whole_of(ANY), 14000);
}
END_TEST

START_TEST(what_was_open_before_there_were_threads_goes_on)
{
	uint64_t start_ns = clock_now_ns() - 1000000000, now_ns;

	prepare_single(start_ns);
	concurrency_open_section(&event_rings[0], SOLVE, start_ns + 1000, 0);
	concurrency_set_threads(event_ring_at, THREADS);
	concurrency_begin_parallel(false, &event_rings[0], clock_thread_cpu_ns(), waited_ns);
	base_ns = now_ns = clock_now_ns() + 1000000;
	closes(0, SOLVE, 5000);
	concurrency_drain(now_ns + 10000, true);
	/* but for the wait for the first records, which is in no T_i */
	ck_assert_uint_eq(whole_of(SOLVE) + process.start_wait_ns,
			  now_ns + 5000 - (start_ns + 1000));
}
END_TEST

/* Ends have room however many begins there are. */
START_TEST(ends_have_room)
{
	unsigned open = 0;

	prepare();
	concurrency_open_section(&event_rings[1], IO, base_ns, 0);
	for (unsigned i = 0; i < 10000; i++) {
		if (open < SECTION_LEVELS && opens(0, SOLVE, i))
			open++;
		else if (open--)
			closes(0, SOLVE, i);
		if (i % 7 == 0)
			concurrency_enter_wait(&event_rings[0], CAUSE_MUTEX, base_ns + i);
		if (i % 7 == 0)
			concurrency_leave_wait(&event_rings[0], base_ns + i);
	}
	while (open) {
		closes(0, SOLVE, 10000);
		open--;
	}
	concurrency_drain(base_ns + 20000, true);
	ck_assert_uint_le(whole_of(SOLVE), 10000);
	ck_assert_uint_ge(whole_of(SOLVE), 9000);
	ck_assert_uint_eq(whole_of(IO), 20000);
	ck_assert(section_levels_any);
	closes(1, IO, 21000);
	concurrency_drain(base_ns + 22000, true);
	ck_assert(!section_levels_any);
}
END_TEST

UNIT_MAIN("T_i of sections", a_section_has_the_levels_of_its_time,
	  several_threads_have_it_open_once, within_another_one_both_pass,
	  a_thread_that_ends_has_none_open, a_phase_lasts_until_the_next_one,
	  one_thread_alone_is_told_by_its_cpu_time, what_was_open_before_there_were_threads_goes_on,
	  ends_have_room)

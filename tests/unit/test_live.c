/* SPDX-License-Identifier: MIT */
/* What changes between two readings: nothing is lost, nothing is counted twice. */
#include "analyze/base/keyed_table.h"
#include "analyze/live/live_levels.h"
#include "analyze/live/live_minute.h"
#include "analyze/live/live_rows.h"
#include "analyze/live/live_sums.h"
#include "analyze/live/live_threads.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C(1000000000)

static struct row_threads thread_row;
static struct row_waits wait_row;

/* One thread, as the rows above have it. No process has its number. */
static void tell_thread(struct builder *builder)
{
	struct row_objects object = {.address = 0x1000, .kind = OBJECT_MUTEX, .members = 1};
	uint32_t mutex = builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &object);
	uint32_t thread;

	thread_row.waiting_object = wait_row.object = (uint16_t)mutex;
	thread = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread_row);
	if (wait_row.count)
		builder_add(builder, TABLE_waits, thread, &wait_row);
}

static struct live_thread read_thread(struct live_usages *usages, uint64_t now_ns)
{
	struct profile *profile = scene_profile(tell_thread);
	struct keyed_table *next = live_usages_create();
	struct live_thread thread = live_thread_read(profile, 1, 0, now_ns, usages, next);

	keyed_table_destroy(usages->table);
	usages->table = next;
	usages->at_ns = now_ns;
	profile_destroy(profile);
	return thread;
}

static void begin_thread(struct live_usages *usages)
{
	thread_row = (struct row_threads){.tid = 4000001,
					  .lives = 1,
					  .flags = THREAD_ALIVE,
					  .birth_ns = SECOND,
					  .updated_ns = SECOND};
	wait_row = (struct row_waits){.cause = CAUSE_MUTEX};
	*usages = (struct live_usages){.table = live_usages_create()};
}

/* Whatever a damaged or late row claims. */
START_TEST(running_ready_and_blocked_are_the_interval)
{
	struct live_usages usages;

	srandom(1);
	for (int i = 0; i < 3000; i++) {
		if (i % 30 == 0)
			begin_thread(&usages);
		thread_row.updated_ns += (uint64_t)random() % SECOND;
		thread_row.user_ns += (uint64_t)random() % (SECOND * 3 / 2);
		thread_row.ready_ns += (uint64_t)random() % SECOND;
		thread_row.waiting_since_ns = i % 3 ? 0 : thread_row.updated_ns;
		thread_row.waiting_cause = CAUSE_MUTEX;
		struct live_thread thread =
			read_thread(&usages, thread_row.updated_ns + (uint64_t)random() % SECOND);

		ck_assert_uint_eq(thread.running_ns + thread.ready_ns + thread.blocked_ns,
				  thread.interval_ns);
		ck_assert(thread.is_known || !thread.interval_ns);
		if (i % 30 == 29)
			keyed_table_destroy(usages.table);
	}
}
END_TEST

START_TEST(a_row_that_did_not_change_says_nothing)
{
	struct live_usages usages;

	begin_thread(&usages);
	thread_row.updated_ns = 2 * SECOND;
	thread_row.user_ns = SECOND / 2;
	struct live_thread thread = read_thread(&usages, 3 * SECOND);

	ck_assert(thread.is_known);
	ck_assert_uint_eq(thread.interval_ns, SECOND);
	ck_assert_uint_eq(thread.running_ns, SECOND / 2);
	thread = read_thread(&usages, 4 * SECOND);
	ck_assert(!thread.is_known);
	ck_assert_int_eq(thread.state, LIVE_UNKNOWN);
	keyed_table_destroy(usages.table);
}
END_TEST

/* Its row is old; that it waited all the time is certain. */
START_TEST(a_wait_that_goes_on_counts_up_to_now)
{
	struct live_usages usages;

	begin_thread(&usages);
	thread_row.updated_ns = thread_row.waiting_since_ns = 2 * SECOND;
	thread_row.waiting_cause = CAUSE_MUTEX;
	read_thread(&usages, 3 * SECOND);
	read_thread(&usages, 5 * SECOND);
	struct live_thread thread = read_thread(&usages, 6 * SECOND);

	ck_assert(thread.is_known);
	ck_assert_int_eq(thread.state, LIVE_WAITING);
	ck_assert_uint_eq(thread.waiting_ns, 4 * SECOND);
	ck_assert_uint_eq(thread.blocked_ns, thread.interval_ns);
	thread_row.waiting_cause = CAUSE_SLEEP;
	thread = read_thread(&usages, 100 * SECOND);
	ck_assert_int_eq(thread.state, LIVE_IDLE);
	keyed_table_destroy(usages.table);
}
END_TEST

static uint64_t read_waits(struct live_sums *sums, struct names *names, uint64_t now_ns)
{
	struct profile *profile = scene_profile(tell_thread);
	uint64_t growth[LIVE_VALUES], sum = 0;

	live_sums_begin(sums);
	live_rows_add(sums, names, profile, now_ns);
	for (size_t i = 0; i < live_sums_count(sums); i++)
		if (live_sums_row(sums, i, growth)->key.what == LIVE_WAIT)
			sum += growth[0];
	names_forget(names);
	profile_destroy(profile);
	return sum;
}

/* A wait that is under way at one reading, and ended at the next, counts in each as far as it was
 * in it. */
START_TEST(waits_of_all_intervals_are_the_waits)
{
	struct symbolizer *symbolizer = symbolizer_create(NULL);
	struct names *names = names_create(symbolizer);
	struct live_sums *sums = live_sums_create();
	struct live_usages usages;
	uint64_t now = SECOND, total = 0, grown = 0;

	srandom(2);
	begin_thread(&usages);
	thread_row.waiting_cause = CAUSE_MUTEX;
	for (int i = 0; i < 500; i++) {
		now += (uint64_t)random() % SECOND + 1;
		if (thread_row.waiting_since_ns && random() % 3) {
			wait_row.sum_ns += now - thread_row.waiting_since_ns;
			wait_row.count++;
			thread_row.waiting_since_ns = 0;
		} else if (!thread_row.waiting_since_ns) {
			thread_row.waiting_since_ns = now;
		}
		now += (uint64_t)random() % SECOND + 1;
		grown += read_waits(sums, names, now);
		total = wait_row.sum_ns +
			(thread_row.waiting_since_ns ? now - thread_row.waiting_since_ns : 0);
		ck_assert_uint_eq(grown, total);
	}
	ck_assert_uint_gt(total, 0);
	keyed_table_destroy(usages.table);
	live_sums_destroy(sums);
	names_destroy(names);
	symbolizer_destroy(symbolizer);
}
END_TEST

START_TEST(levels_keep_their_sum_when_they_follow_the_clocks)
{
	srandom(3);
	for (int i = 0; i < 1000; i++) {
		struct live_levels levels = {0};
		double average = (double)(random() % 1000) / 250;

		for (size_t l = 0; l < 5; l++)
			levels.on_ns[l] = levels.useful_ns[l] = (uint64_t)random() % SECOND;
		uint64_t total = live_levels_total(levels.on_ns);

		live_levels_calibrate(&levels, average, 8);
		ck_assert_double_le(fabs((double)live_levels_total(levels.on_ns) - (double)total),
				    1000);
		ck_assert_double_le(fabs(live_levels_average(levels.on_ns) - average), 0.05);
	}
}
END_TEST

/* Between windows of records a ready thread looks like a running one: two, where there is one. */
START_TEST(levels_between_windows_are_those_of_windows)
{
	enum { MS = 1000000 };
	struct live_kinds before = {.has_windows = true}, now;

	before.ns[CONCURRENCY_UNSEEN_ON_PROCESSOR][2] = 7 * SECOND;
	now = before;
	now.ns[CONCURRENCY_ON_PROCESSOR][1] += 38 * MS;
	now.ns[CONCURRENCY_ON_PROCESSOR][2] += 2 * MS;
	now.ns[CONCURRENCY_WINDOWS_ON_PROCESSOR][1] += 38 * MS;
	now.ns[CONCURRENCY_WINDOWS_ON_PROCESSOR][2] += 2 * MS;
	now.ns[CONCURRENCY_UNSEEN_ON_PROCESSOR][2] += 960 * MS;
	struct live_levels levels = live_levels_between(&before, &now);

	ck_assert_uint_eq(live_levels_total(levels.on_ns), SECOND);
	ck_assert_uint_eq(levels.on_ns[2], 50 * MS);
	/* an interval without a window */
	before = now;
	now.ns[CONCURRENCY_UNSEEN_ON_PROCESSOR][2] += 300 * MS;
	levels = live_levels_between(&before, &now);
	ck_assert_uint_eq(live_levels_total(levels.on_ns), 0);
	ck_assert_uint_eq(levels.unseen_ns, 300 * MS); /* of a minute, that much was not seen */
	/* no records at all: estimated from the waits, as in reports */
	now.has_windows = false;
	levels = live_levels_between(&before, &now);
	ck_assert_uint_eq(levels.on_ns[2], 300 * MS);
	ck_assert_uint_eq(levels.unseen_ns, 300 * MS);
}
END_TEST

START_TEST(a_minute_is_a_minute)
{
	struct live_minute *minute = live_minute_create();
	struct live_frame frame = {.interval_ns = 3600 * SECOND, .cpu_ns = 3600 * SECOND};

	live_minute_add(minute, &frame);
	ck_assert_uint_eq(frame.minute_ns, 3600 * SECOND); /* said to be so long */
	for (int i = 1; i <= 500; i++) {
		frame.interval_ns = SECOND;
		frame.cpu_ns = SECOND / 4;
		frame.levels.on_ns[1] = SECOND;
		live_minute_add(minute, &frame);
		ck_assert_uint_eq(frame.minute_ns, (i < 60 ? (uint64_t)i : 60) * SECOND);
		ck_assert_uint_eq(frame.minute_cpu_ns, frame.minute_ns / 4);
		ck_assert_uint_eq(live_levels_total(frame.minute.on_ns), frame.minute_ns);
	}
	live_minute_destroy(minute);
}
END_TEST

UNIT_MAIN("live", running_ready_and_blocked_are_the_interval,
	  a_row_that_did_not_change_says_nothing, a_wait_that_goes_on_counts_up_to_now,
	  waits_of_all_intervals_are_the_waits, levels_between_windows_are_those_of_windows,
	  levels_keep_their_sum_when_they_follow_the_clocks, a_minute_is_a_minute)

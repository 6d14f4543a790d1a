/* SPDX-License-Identifier: MIT */
/* What changes between two readings: nothing is lost, nothing is counted twice. */
#include "analyze/base/keyed_table.h"
#include "analyze/live/live_counts.h"
#include "analyze/live/live_detail.h"
#include "analyze/live/live_levels.h"
#include "analyze/live/live_minute.h"
#include "analyze/live/live_past.h"
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

/* ---- counts, the last minute, a thread in full */

/* Two threads: what each calls, and what is no locking and no transfer. */
static void tell_calls(struct builder *builder)
{
	static const struct {
		uint16_t operation;
		uint64_t count;
	} tallies[] = {{OP_MUTEX_LOCK, 100},   {OP_MUTEX_TRYLOCK, 20}, {OP_RWLOCK_READ, 3},
		       {OP_SPIN_UNLOCK, 1000}, {OP_SEM_POST, 1000},    {OP_YIELD, 1000}};
	static const struct {
		uint16_t operation;
		uint64_t count, bytes;
	} calls[] = {{OP_READ, 5, 500}, {OP_SENDFILE, 2, 70}, {OP_FSYNC, 1000, 0}};
	uint32_t threads[2];

	for (uint32_t i = 0; i < 2; i++) {
		struct row_threads row = {.tid = 7 + i, .lives = 1, .flags = THREAD_ALIVE};

		threads[i] = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);
	}
	for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++) {
		struct row_tallies row = {
			.tag = i + 1, .count = tallies[i].count, .operation = tallies[i].operation};

		builder_add(builder, TABLE_tallies, threads[0], &row);
	}
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		struct row_io_calls row = {.tag = i + 1,
					   .count = calls[i].count,
					   .bytes = calls[i].bytes,
					   .operation = calls[i].operation};

		builder_add(builder, TABLE_io_calls, threads[1], &row);
	}
	const struct row_waits waits[] = {
		{.cause = CAUSE_MUTEX, .operation = OP_MUTEX_LOCK, .count = 4, .sum_ns = 40},
		{.cause = CAUSE_SLEEP, .operation = OP_USLEEP, .count = 6, .sum_ns = 600}};

	for (size_t i = 0; i < 2; i++)
		builder_add(builder, TABLE_waits, threads[0], &waits[i]);
}

START_TEST(counts_are_those_of_the_tables)
{
	struct profile *profile = scene_profile(tell_calls);
	struct live_counts *counts = live_counts_of(profile);

	ck_assert_uint_eq(counts[1].locks, 127);
	ck_assert_uint_eq(counts[1].waits, 10);
	ck_assert_uint_eq(counts[1].transfers, 0);
	ck_assert_uint_eq(counts[2].locks, 0);
	ck_assert_uint_eq(counts[2].transfers, 7);
	ck_assert_uint_eq(counts[2].bytes, 570);
	ck_assert_uint_eq(counts[0].locks, 127);
	ck_assert_uint_eq(counts[0].transfers, 7);
	struct live_counts less = {.locks = 100, .waits = 11};
	struct live_counts grown = live_counts_between(&less, &counts[0]);

	ck_assert_uint_eq(grown.locks, 27);
	ck_assert_uint_eq(grown.waits, 0);
	free(counts);
	profile_destroy(profile);
}
END_TEST

/* Of a thread that ran in every other second: half of each cell, whatever the intervals; what is
 * older than a minute, or was never looked at, is not known. */
START_TEST(a_trail_has_the_share_of_each_cell)
{
	struct live_trail trail = {0};
	uint8_t cells[LIVE_CELLS];
	uint64_t from = 1000 * LIVE_CELL_NS;

	live_trail_add(&trail, from, from + 2 * LIVE_CELL_NS, LIVE_CELL_NS);
	live_trail_read(&trail, from + 2 * LIVE_CELL_NS - 1, cells);
	for (size_t i = 0; i < LIVE_CELLS; i++)
		ck_assert_uint_eq(cells[i], i < LIVE_CELLS - 2 ? LIVE_CELL_UNKNOWN : 50);
	/* a cell in parts */
	from += 2 * LIVE_CELL_NS;
	live_trail_add(&trail, from, from + LIVE_CELL_NS / 4, LIVE_CELL_NS / 4);
	live_trail_add(&trail, from + LIVE_CELL_NS / 4, from + LIVE_CELL_NS, 0);
	live_trail_read(&trail, from + LIVE_CELL_NS - 1, cells);
	ck_assert_uint_eq(cells[LIVE_CELLS - 1], 25);
	/* nobody looked for a while */
	from += 3 * LIVE_CELL_NS;
	live_trail_add(&trail, from, from + LIVE_CELL_NS, LIVE_CELL_NS);
	live_trail_read(&trail, from + LIVE_CELL_NS - 1, cells);
	ck_assert_uint_eq(cells[LIVE_CELLS - 1], 100);
	ck_assert_uint_eq(cells[LIVE_CELLS - 2], LIVE_CELL_UNKNOWN);
	ck_assert_uint_eq(cells[LIVE_CELLS - 4], 25);
	live_trail_read(&trail, from + 20 * LIVE_CELL_NS, cells);
	for (size_t i = 0; i < LIVE_CELLS; i++)
		ck_assert_uint_eq(cells[i], LIVE_CELL_UNKNOWN);
}
END_TEST

START_TEST(a_trail_of_long_intervals_is_bounded)
{
	struct live_trail trail = {0};
	uint8_t cells[LIVE_CELLS];

	live_trail_add(&trail, 0, 1000 * LIVE_CELL_NS, 100 * LIVE_CELL_NS);
	live_trail_read(&trail, 1000 * LIVE_CELL_NS - 1, cells);
	for (size_t i = 0; i < LIVE_CELLS; i++)
		ck_assert_uint_eq(cells[i], 10);
	live_trail_add(&trail, 5, 5, 3);                       /* nothing */
	live_trail_add(&trail, 0, LIVE_CELL_NS, LIVE_CELL_NS); /* long ago */
	live_trail_read(&trail, 1000 * LIVE_CELL_NS - 1, cells);
	ck_assert_uint_eq(cells[0], 10);
}
END_TEST

static struct live_thread take(struct live_pasts *pasts, uint64_t locks, uint64_t now_ns)
{
	struct live_thread thread = {.tid = 7,
				     .birth_ns = SECOND,
				     .is_known = true,
				     .interval_ns = 2 * SECOND,
				     .running_ns = SECOND};
	const struct live_counts counts = {.locks = locks};

	live_pasts_begin(pasts);
	live_pasts_take(pasts, &counts, now_ns, &thread);
	return thread;
}

/* The first reading is of the life; one that is missing in between begins anew. */
START_TEST(counts_grow_from_reading_to_reading)
{
	struct live_pasts *pasts = live_pasts_create();
	struct live_thread thread = take(pasts, 40, 11 * SECOND);

	ck_assert_uint_eq(thread.grown.locks, 40);
	ck_assert_uint_eq(thread.grown_ns, 10 * SECOND);
	ck_assert_uint_eq(thread.cells[LIVE_CELLS - 1], LIVE_CELL_UNKNOWN);
	thread = take(pasts, 50, 13 * SECOND);
	ck_assert_uint_eq(thread.grown.locks, 10);
	ck_assert_uint_eq(thread.grown_ns, 2 * SECOND);
	ck_assert_uint_eq(thread.cells[LIVE_CELLS - 1], 50);
	live_pasts_begin(pasts);
	thread = take(pasts, 60, 16 * SECOND);
	ck_assert_uint_eq(thread.grown.locks, 60);
	live_pasts_destroy(pasts);
}
END_TEST

START_TEST(a_thread_in_full_has_its_waits_alone)
{
	struct symbolizer *symbolizer = symbolizer_create(NULL);
	struct names *names = names_create(symbolizer);
	struct live_sums *samples = live_sums_create();
	struct profile *profile = scene_profile(tell_calls);
	struct live_detail *detail = live_detail_of(names, profile, 7, samples, false);

	ck_assert(detail->is_there);
	ck_assert_uint_eq(detail->wait_count, 2);
	ck_assert_uint_eq(detail->waits[0].sum_ns, 600); /* the longest first */
	ck_assert_str_eq(detail->waits[0].cause, "sleep");
	ck_assert_uint_eq(detail->waits[1].count, 4);
	ck_assert_int_eq(detail->path,
			 LIVE_PATH_NONE); /* neither a wait nor a sample: it says so */
	ck_assert_uint_eq(detail->frame_count, 0);
	live_detail_destroy(detail);
	detail = live_detail_of(names, profile, 8, samples, false);
	ck_assert(detail->is_there);
	ck_assert_uint_eq(detail->wait_count, 0);
	live_detail_destroy(detail);
	detail = live_detail_of(names, profile, 9, samples, false);
	ck_assert(!detail->is_there);
	live_detail_destroy(detail);
	names_forget(names);
	profile_destroy(profile);
	live_sums_destroy(samples);
	names_destroy(names);
	symbolizer_destroy(symbolizer);
}
END_TEST

UNIT_MAIN("live", running_ready_and_blocked_are_the_interval,
	  a_row_that_did_not_change_says_nothing, a_wait_that_goes_on_counts_up_to_now,
	  waits_of_all_intervals_are_the_waits, levels_between_windows_are_those_of_windows,
	  levels_keep_their_sum_when_they_follow_the_clocks, a_minute_is_a_minute,
	  counts_are_those_of_the_tables, a_trail_has_the_share_of_each_cell,
	  a_trail_of_long_intervals_is_bounded, counts_grow_from_reading_to_reading,
	  a_thread_in_full_has_its_waits_alone)

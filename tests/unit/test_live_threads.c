/* SPDX-License-Identifier: MIT */
/* What is kept of a thread from reading to reading: counts, the last minute; and a thread in full.
 */
#include "analyze/live/live_counts.h"
#include "analyze/live/live_detail.h"
#include "analyze/live/live_past.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

#define SECOND UINT64_C(1000000000)

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

UNIT_MAIN("live threads", counts_are_those_of_the_tables, a_trail_has_the_share_of_each_cell,
	  a_trail_of_long_intervals_is_bounded, counts_grow_from_reading_to_reading,
	  a_thread_in_full_has_its_waits_alone)

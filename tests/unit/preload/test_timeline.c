/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/timeline.h"

#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { METRICS = TIMELINE_METRIC_COUNT - 1, BINS = 512, ADDED = 20000 };

static const uint64_t base_ns = UINT64_C(123456789012345);

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	timeline_reset();
}

struct found {
	enum timeline_metric metric;
	uint64_t from_ns, to_ns; /* only bins that begin in there; to 0: all */
	uint64_t total, rows, first_bin, last_bin;
	uint32_t shift;
};

static void add_rows(const struct format_block *block, void *context)
{
	struct found *found = context;
	const struct row_timeline *row = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_timeline && i < block->capacity; i++) {
		uint64_t begin_ns = row[i].bin << row[i].shift;
		if (row[i].metric != found->metric)
			continue;
		found->first_bin = found->rows++ ? found->first_bin : row[i].bin;
		found->last_bin = row[i].bin;
		found->shift = row[i].shift;
		if (!found->to_ns || (begin_ns >= found->from_ns && begin_ns < found->to_ns))
			found->total += row[i].time_ns;
	}
}

static struct found find(enum timeline_metric metric, uint64_t from_ns, uint64_t to_ns)
{
	struct found found = {.metric = metric, .from_ns = from_ns, .to_ns = to_ns};

	scratch_walk(add_rows, &found);
	return found;
}

/* Spans of any length, from nothing to seconds, with any thread time; over an hour. */
START_TEST(all_that_was_added_is_there)
{
	uint64_t sums[METRICS] = {0}, now_ns = base_ns;

	prepare();
	srand(1);
	for (int i = 0; i < ADDED; i++) {
		int metric = rand() % METRICS;
		uint64_t length_ns = (uint64_t)rand() % (i % 100 ? 3000000 : 2000000000);
		uint64_t time_ns = (uint64_t)rand() % (4 * length_ns + 1);
		timeline_add((enum timeline_metric)(metric + 1), now_ns, now_ns + length_ns,
			     time_ns);
		sums[metric] += length_ns ? time_ns : 0;
		now_ns += length_ns / 2;
	}
	for (int metric = 0; metric < METRICS; metric++)
		ck_assert_uint_eq(find((enum timeline_metric)(metric + 1), 0, 0).total,
				  sums[metric]);
}
END_TEST

START_TEST(bins_are_as_many_as_ever_and_reach_to_the_end)
{
	prepare();
	timeline_add(1, base_ns, base_ns + 10, 5);
	struct found before = find(1, 0, 0);
	timeline_add(1, base_ns + UINT64_C(3600000000000), base_ns + UINT64_C(3600000000010), 5);
	struct found after = find(1, 0, 0);
	ck_assert_uint_eq(before.rows, BINS);
	ck_assert_uint_eq(after.rows, BINS);
	ck_assert_uint_eq(after.last_bin - after.first_bin, BINS - 1);
	ck_assert_uint_gt(after.shift, before.shift);
	ck_assert_uint_le(after.first_bin << after.shift, base_ns);
	ck_assert_uint_gt((after.last_bin + 1) << after.shift, base_ns + UINT64_C(3600000000000));
	ck_assert_uint_eq(after.total, 10);
}
END_TEST

/* Where in time it lies survives folding: halves of a second that were busy, or not, in turns. */
START_TEST(folding_keeps_times_in_their_places)
{
	const uint64_t half_ns = UINT64_C(1) << 29, begin_ns = base_ns >> 30 << 30;

	prepare();
	/* the number of the first bin is odd, whenever bins fold */
	timeline_add(1, begin_ns - (UINT64_C(3) << 20), begin_ns, 1);
	for (uint64_t i = 0; i < 16; i++)
		timeline_add(2, begin_ns + 2 * i * half_ns, begin_ns + (2 * i + 1) * half_ns,
			     half_ns);
	for (uint64_t i = 0; i < 32; i++) {
		uint64_t at_ns = begin_ns + i * half_ns;
		ck_assert_uint_eq(find(2, at_ns, at_ns + half_ns).total, i % 2 ? 0 : half_ns);
	}
}
END_TEST

/* 3 threads for 10 ms: every millisecond of them the same, to the nanosecond's rounding. */
START_TEST(time_is_spread_evenly)
{
	const uint64_t bin_ns = UINT64_C(1) << 20, begin_ns = base_ns >> 20 << 20;

	prepare();
	timeline_add(1, begin_ns + bin_ns / 2, begin_ns + 10 * bin_ns, 3 * 19 * bin_ns / 2);
	ck_assert_uint_eq(find(1, begin_ns, begin_ns + 1).total, 3 * bin_ns / 2);
	for (uint64_t i = 1; i < 10; i++) {
		uint64_t at_ns = begin_ns + i * bin_ns;
		ck_assert_uint_eq(find(1, at_ns, at_ns + 1).total, 3 * bin_ns);
	}
}
END_TEST

START_TEST(what_is_taken_back_comes_from_the_instant_and_before)
{
	const uint64_t bin_ns = UINT64_C(1) << 20, begin_ns = base_ns >> 20 << 20;

	prepare();
	timeline_take(1, base_ns, 100); /* nothing is there yet */
	timeline_add(1, begin_ns, begin_ns + 4 * bin_ns, 4 * bin_ns);
	timeline_take(1, begin_ns + 2 * bin_ns, bin_ns + bin_ns / 2);
	ck_assert_uint_eq(find(1, begin_ns, begin_ns + 1).total, bin_ns);
	ck_assert_uint_eq(find(1, begin_ns + bin_ns, begin_ns + bin_ns + 1).total, bin_ns / 2);
	ck_assert_uint_eq(find(1, begin_ns + 2 * bin_ns, begin_ns + 2 * bin_ns + 1).total, 0);
	ck_assert_uint_eq(find(1, begin_ns + 3 * bin_ns, begin_ns + 3 * bin_ns + 1).total, bin_ns);
	timeline_take(1, begin_ns, UINT64_MAX / 2); /* more than there is */
	ck_assert_uint_eq(find(1, 0, 0).total, bin_ns / 2 + bin_ns);
}
END_TEST

START_TEST(empty_and_reversed_spans_are_nothing)
{
	prepare();
	timeline_add(1, base_ns, base_ns, 5);
	timeline_add(1, base_ns, base_ns - 5, 5);
	timeline_add(1, base_ns, base_ns + 5, 0);
	ck_assert_uint_eq(find(1, 0, 0).rows, 0);
}
END_TEST

START_TEST(without_a_store_nothing_happens)
{
	timeline_reset();
	timeline_add(1, base_ns, base_ns + 5, 5);
	timeline_take(1, base_ns, 5);
	timeline_add(1, base_ns, base_ns + 5, 5);
}
END_TEST

UNIT_MAIN("timeline", all_that_was_added_is_there, bins_are_as_many_as_ever_and_reach_to_the_end,
	  folding_keeps_times_in_their_places, time_is_spread_evenly,
	  what_is_taken_back_comes_from_the_instant_and_before,
	  empty_and_reversed_spans_are_nothing, without_a_store_nothing_happens)

/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/process.h"
#include "analyze/model/time/run_timeline.h"
#include "tests/unit/unit.h"

#include <math.h>

#define SECOND 1000000000ull

struct told {
	struct profile profile;
	struct profile_timeline rows[16];
	struct run_process file;
	struct process process;
};

static void begin(struct told *told, const char *host, uint64_t start_ns)
{
	*told = (struct told){0};
	told->file.process.host = host;
	told->file.header.start_ns = start_ns;
	told->file.header.start_realtime_ns = 1700000000 * SECOND;
	told->process.file = &told->file;
	told->profile.timeline.rows = told->rows;
}

static void tell(struct told *told, uint64_t metric, uint64_t shift, uint64_t bin, uint64_t time_ns)
{
	told->rows[told->profile.timeline.count++] = (struct profile_timeline){
		.metric = metric, .shift = shift, .bin = bin, .time_ns = time_ns};
	if (metric == TIMELINE_USEFUL)
		told->process.useful_ns += (double)time_ns;
	else if (metric == TIMELINE_ON_PROCESSOR)
		told->process.on_processor_ns += (double)time_ns;
}

/* Useful time is on a processor as well. */
static void tell_both(struct told *told, uint64_t shift, uint64_t bin, uint64_t time_ns)
{
	tell(told, TIMELINE_ON_PROCESSOR, shift, bin, time_ns);
	tell(told, TIMELINE_USEFUL, shift, bin, time_ns);
}

static double sum_of(const double *bins, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += bins[i];
	return sum;
}

START_TEST(processes_of_a_host_add_up_in_the_same_bins)
{
	struct run_timeline_accumulator *accumulator = run_timeline_create();
	struct told told;

	for (unsigned i = 0; i < 2; i++) {
		begin(&told, "a", 5 * SECOND + i);
		tell_both(&told, 20, 100, 1000);
		tell(&told, TIMELINE_ON_PROCESSOR, 20, 102, 3000);
		run_timeline_add(accumulator, &told.profile, &told.process);
	}
	struct run_timeline line = run_timeline_finish(accumulator);

	ck_assert_uint_eq(line.count, 3);
	ck_assert_uint_eq(line.bin_ns, 1 << 20);
	ck_assert_uint_eq(line.start_ns, 100ull << 20);
	ck_assert_double_eq(line.useful_ns[0], 2000);
	ck_assert_double_eq(line.on_processor_ns[2], 6000);
	ck_assert_double_eq(line.on_processor_ns[1], 0);
	run_timeline_clear(&line);
}
END_TEST

START_TEST(bins_of_different_lengths_become_the_longest)
{
	struct run_timeline_accumulator *accumulator = run_timeline_create();
	struct told told;

	begin(&told, "a", 0);
	tell_both(&told, 20, 100, 1000);
	tell_both(&told, 20, 101, 500);
	tell_both(&told, 22, 26, 7);
	tell_both(&told, 20, 97, 3);
	run_timeline_add(accumulator, &told.profile, &told.process);
	struct run_timeline line = run_timeline_finish(accumulator);

	ck_assert_uint_eq(line.bin_ns, 1 << 22);
	ck_assert_uint_eq(line.start_ns, 24ull << 22);
	ck_assert_uint_eq(line.count, 3);
	ck_assert_double_eq(line.useful_ns[0], 3);
	ck_assert_double_eq(line.useful_ns[1], 1500);
	ck_assert_double_eq(line.useful_ns[2], 7);
	run_timeline_clear(&line);
}
END_TEST

START_TEST(a_long_run_folds_and_loses_nothing)
{
	struct run_timeline_accumulator *accumulator = run_timeline_create();
	struct told told;

	for (uint64_t i = 0; i < 5000; i++) {
		begin(&told, "a", 0);
		tell(&told, TIMELINE_ON_PROCESSOR, 20, 7000 - i, 10);
		run_timeline_add(accumulator, &told.profile, &told.process);
	}
	struct run_timeline line = run_timeline_finish(accumulator);

	ck_assert_uint_le(line.count, RUN_TIMELINE_BINS);
	ck_assert_uint_gt(line.count, RUN_TIMELINE_BINS / 4);
	ck_assert_double_eq(sum_of(line.on_processor_ns, line.count), 50000);
	ck_assert_uint_le(line.start_ns, 2001ull << 20);
	run_timeline_clear(&line);
}
END_TEST

START_TEST(another_hosts_clock_is_aligned_by_the_time_of_day)
{
	struct run_timeline_accumulator *accumulator = run_timeline_create();
	uint64_t bin = 1 << 20;
	struct told told;

	begin(&told, "a", 100 * bin);
	tell_both(&told, 20, 100, 1000);
	run_timeline_add(accumulator, &told.profile, &told.process);
	begin(&told, "b", 40 * bin + bin / 4); /* the same instant there */
	tell_both(&told, 20, 41, 1000);
	run_timeline_add(accumulator, &told.profile, &told.process);
	struct run_timeline line = run_timeline_finish(accumulator);

	ck_assert_uint_eq(line.count, 2);
	/* bin 41 there begins 3/4 of a bin after the instant */
	ck_assert_double_eq_tol(line.useful_ns[0], 1250, 1e-6);
	ck_assert_double_eq_tol(line.useful_ns[1], 750, 1e-6);
	run_timeline_clear(&line);
}
END_TEST

START_TEST(nonsense_is_left_out)
{
	struct run_timeline_accumulator *accumulator = run_timeline_create();
	struct told told;

	begin(&told, "a", 0);
	tell_both(&told, 64, 1, 1);
	tell_both(&told, 20, UINT64_MAX, 1);
	tell(&told, 77, 20, 1, 1);
	tell_both(&told, 10, 1, 5);
	tell_both(&told, 10, 1ull << 52, 6);
	told.process.useful_ns = told.process.on_processor_ns = 11;
	run_timeline_add(accumulator, &told.profile, &told.process);
	struct run_timeline line = run_timeline_finish(accumulator);

	ck_assert_uint_le(line.count, RUN_TIMELINE_BINS);
	ck_assert_double_eq(sum_of(line.useful_ns, line.count), 11);
	run_timeline_clear(&line);
}
END_TEST

static struct run_timeline line_of(const struct told *told)
{
	struct run_timeline_accumulator *accumulator = run_timeline_create();

	run_timeline_add(accumulator, &told->profile, &told->process);
	return run_timeline_finish(accumulator);
}

/* Between windows of records, threads that are ready count as running: two for one, here. */
START_TEST(its_area_is_that_of_the_levels)
{
	double bin_ns = 1 << 20;
	struct told told;

	begin(&told, "a", 0);
	for (uint64_t bin = 100; bin < 104; bin++)
		tell_both(&told, 20, bin, 2 << 20);
	told.file.process.processors = 2;
	told.process.on_processor_ns = 4 * bin_ns;
	told.process.useful_ns = 3 * bin_ns;
	struct run_timeline line = line_of(&told);

	ck_assert_double_eq_tol(sum_of(line.on_processor_ns, line.count), 4 * bin_ns, 1);
	ck_assert_double_eq_tol(sum_of(line.useful_ns, line.count), 3 * bin_ns, 1);
	ck_assert_double_eq_tol(line.on_processor_ns[1], bin_ns, 1);
	run_timeline_clear(&line);
}
END_TEST

/* Waits that were none in truth: time is added where processors were free. */
START_TEST(no_bin_has_more_threads_than_processors)
{
	double bin_ns = 1 << 20;
	struct told told;

	begin(&told, "a", 0);
	tell_both(&told, 20, 100, 2 << 20);
	tell_both(&told, 20, 101, 1 << 19);
	told.file.process.processors = 2;
	told.process.on_processor_ns = told.process.useful_ns = 3 * bin_ns;
	struct run_timeline line = line_of(&told);

	ck_assert_double_eq_tol(line.on_processor_ns[0], 2 * bin_ns, 1);
	ck_assert_double_eq_tol(line.on_processor_ns[1], bin_ns, 1);
	ck_assert_double_eq_tol(line.useful_ns[1], bin_ns, 1);
	run_timeline_clear(&line);
}
END_TEST

START_TEST(a_process_without_bins_runs_at_its_mean_rate)
{
	double bin_ns = 1 << 20;
	struct told told;

	begin(&told, "a", 0);
	told.process.life.end_ns = 104ull << 20;
	told.process.elapsed_ns = 4ull << 20;
	told.process.on_processor_ns = told.process.useful_ns = bin_ns;
	struct run_timeline line = line_of(&told);

	ck_assert_uint_eq(line.start_ns, 100ull << 20);
	ck_assert_uint_eq(line.count, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq_tol(line.on_processor_ns[i], bin_ns / 4, 1e-3);
	ck_assert_double_eq_tol(sum_of(line.useful_ns, line.count), bin_ns, 1e-3);
	run_timeline_clear(&line);
	told.process.life.end_ns = UINT64_MAX / 4; /* damage ends, too */
	told.process.elapsed_ns = UINT64_MAX / 4;
	line = line_of(&told);
	ck_assert_uint_le(line.count, RUN_TIMELINE_BINS);
	run_timeline_clear(&line);
}
END_TEST

UNIT_MAIN("time line of a run", its_area_is_that_of_the_levels,
	  no_bin_has_more_threads_than_processors, a_process_without_bins_runs_at_its_mean_rate,
	  processes_of_a_host_add_up_in_the_same_bins, bins_of_different_lengths_become_the_longest,
	  a_long_run_folds_and_loses_nothing, another_hosts_clock_is_aligned_by_the_time_of_day,
	  nonsense_is_left_out)

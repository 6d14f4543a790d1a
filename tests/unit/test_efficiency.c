/* SPDX-License-Identifier: MIT */
#include "analyze/model/concurrency/efficiency.h"
#include "tests/unit/unit.h"

#include <math.h>

#define S 1000000000ull

static struct profile_concurrency levels[] = {
	{.kind = CONCURRENCY_ON_PROCESSOR, .active = 2, .time_ns = 3 * S},
	{.kind = CONCURRENCY_ON_PROCESSOR, .active = 0, .time_ns = 1 * S},
	{.kind = CONCURRENCY_ON_PROCESSOR, .active = 1, .time_ns = 4 * S},
	{.kind = CONCURRENCY_USEFUL, .active = 1, .time_ns = 8 * S},
};

static struct profile make_profile(uint64_t covered_ns)
{
	struct profile profile = {
		.process = {.processors = 4, .threads_started = 3, .switches_ns = covered_ns}};

	profile.concurrency.rows = levels;
	profile.concurrency.count = sizeof levels / sizeof *levels;
	return profile;
}

START_TEST(figures_follow_their_formulas)
{
	struct profile profile = make_profile(8 * S);
	struct efficiency efficiency =
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 10 * S);

	ck_assert_int_eq(efficiency.grade, GRADE_EXACT);
	ck_assert_uint_eq(efficiency.level_count, 3);
	ck_assert_uint_eq(efficiency.levels[2].active, 2);
	ck_assert_uint_eq(efficiency.total_ns, 8 * S);
	ck_assert_double_eq_tol(efficiency.average, 10.0 / 8, 1e-9);
	ck_assert_double_eq_tol(efficiency.efficiency_percent, 100 * 10.0 / 32, 1e-9);
	ck_assert_double_eq_tol(efficiency.sequential_percent, 50, 1e-9);
	ck_assert_double_eq_tol(efficiency.amdahl_limit, 2, 1e-9);
	ck_assert_double_eq_tol(efficiency.cautious_limit, 8.0 / 5, 1e-9);
	ck_assert_double_eq_tol(efficiency.projections[0].elapsed, 8.0 / 6.5, 1e-9);
	ck_assert_double_eq_tol(efficiency.projections[1].elapsed, 8.0 / 5.75, 1e-9);
	efficiency_clear(&efficiency);
}
END_TEST

START_TEST(while_executing_nobody_counts_who_does_not_run)
{
	struct profile profile = make_profile(8 * S);
	struct efficiency efficiency =
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 10 * S);

	ck_assert_uint_eq(efficiency.executing_ns, 7 * S);
	ck_assert_double_eq_tol(efficiency_utilization(&efficiency, 1), 4.0 / 7, 1e-9);
	ck_assert_double_eq_tol(efficiency_utilization(&efficiency, 2), 3.0 / 7, 1e-9);
	ck_assert_double_eq_tol(efficiency.cavg, 10.0 / 7, 1e-9);
	ck_assert_double_eq_tol(efficiency.ceff_percent, 100 * 10.0 / 28, 1e-9);
	ck_assert_double_eq_tol(efficiency.executing_limit, 7.0 / 4, 1e-9);
	ck_assert_double_eq_tol(efficiency.projections[0].executing, 7.0 / 5.5, 1e-9);
	ck_assert_double_eq_tol(efficiency.projections[1].executing, 7.0 / 4.75, 1e-9);
	efficiency_clear(&efficiency);
}
END_TEST

/* A. D. Malony, "Performance Observability", 1990, Table 1.1: on n = 8 processors CAVG 5.05, CEFF
 * 63.07 %, limit 3.54. The T_i behind it are not at hand. But the three figures say all that the
 * formulas use of them: CU_1 = 1 / 3.54, and the mean of the other levels, weighted,
 * (8 x 0.6307 - CU_1) / (1 - CU_1) = 6.64. So whatever T_i have these two must give the three
 * figures: here the two such distributions that are widest, levels 2 and 8, and narrowest, levels 6
 * and 7. Neither is Malony's. */
static struct efficiency with_published_moments(uint64_t low, uint64_t high, uint64_t idle_ns,
						struct efficiency_level rows[4])
{
	double cu_1 = 1 / 3.54, mean = (8 * 0.6307 - cu_1) / (1 - cu_1);
	double part = (mean - (double)low) / (double)(high - low) * (1 - cu_1);
	uint64_t total_ns = 0;

	rows[0] = (struct efficiency_level){0, idle_ns};
	rows[1] = (struct efficiency_level){1, (uint64_t)(cu_1 * 1000 * S)};
	rows[2] = (struct efficiency_level){low, (uint64_t)((1 - cu_1 - part) * 1000 * S)};
	rows[3] = (struct efficiency_level){high, (uint64_t)(part * 1000 * S)};
	for (size_t i = 0; i < 4; i++)
		total_ns += rows[i].time_ns;
	return efficiency_from_levels(rows, 4, total_ns, GRADE_EXACT, 8);
}

START_TEST(figures_are_those_that_malony_published)
{
	static const struct {
		uint64_t low, high, idle_ns;
	} cases[] = {{2, 8, 0}, {6, 7, 0}, {2, 8, 5000 * S}, {6, 7, 5000 * S}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct efficiency_level rows[4];
		struct efficiency it =
			with_published_moments(cases[i].low, cases[i].high, cases[i].idle_ns, rows);

		ck_assert_double_eq_tol(it.cavg, 5.05, 0.005);
		ck_assert_double_eq_tol(it.ceff_percent, 63.07, 0.005);
		ck_assert_double_eq_tol(it.executing_limit, 3.54, 0.005);
	}
}
END_TEST

/* 84 % nobody, 16 % one thread: more processors win nothing, however T_0 is looked at. */
START_TEST(threads_that_never_run_at_once_win_nothing)
{
	struct efficiency_level rows[] = {{0, 84 * S}, {1, 16 * S}};
	struct efficiency it = efficiency_from_levels(rows, 2, 100 * S, GRADE_EXACT, 2);

	ck_assert_double_eq_tol(it.executing_limit, 1, 1e-9);
	ck_assert_double_eq_tol(it.cautious_limit, 1, 1e-9);
	ck_assert_double_eq_tol(it.projections[1].executing, 1, 1e-9);
	ck_assert_double_eq_tol(it.projections[1].elapsed, 1, 1e-9);
	ck_assert_double_eq_tol(it.ceff_percent, 50, 1e-9);
	ck_assert_double_eq_tol(it.amdahl_limit, 6.25, 1e-9);
}
END_TEST

START_TEST(what_never_runs_has_no_figures)
{
	struct efficiency_level rows[] = {{0, S}};
	struct efficiency it = efficiency_from_levels(rows, 1, S, GRADE_EXACT, 2);

	ck_assert_uint_eq(it.executing_ns, 0);
	ck_assert(isnan(it.cavg) && isnan(it.ceff_percent) && isnan(it.executing_limit));
	ck_assert_double_eq_tol(it.efficiency_percent, 0, 1e-9);
	ck_assert_double_eq_tol(it.cautious_limit, 1, 1e-9);
}
END_TEST

START_TEST(grades_follow_what_records_cover)
{
	const struct {
		uint64_t covered_ns;
		enum grade grade;
	} cases[] = {{8 * S, GRADE_EXACT},
		     {5 * S, GRADE_SAMPLED},
		     {S, GRADE_ESTIMATED},
		     {0, GRADE_ESTIMATED}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct profile profile = make_profile(cases[i].covered_ns);
		struct efficiency efficiency =
			efficiency_of(&profile, CONCURRENCY_USEFUL, 8 * S, 10 * S);

		ck_assert_int_eq(efficiency.grade, cases[i].grade);
		efficiency_clear(&efficiency);
	}
}
END_TEST

START_TEST(lost_records_lower_the_grade)
{
	struct profile profile = make_profile(8 * S);
	struct profile_note note = {.code = NOTE_LOST_SWITCHES};

	profile.notes.rows = &note;
	profile.notes.count = 1;
	struct efficiency efficiency =
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 10 * S);

	ck_assert_int_eq(efficiency.grade, GRADE_SAMPLED);
	efficiency_clear(&efficiency);
}
END_TEST

START_TEST(time_after_the_last_account_belongs_to_who_does_not_wait)
{
	struct profile profile = make_profile(9 * S);
	struct profile_thread threads[] = {{0},
					   {.tid = 1, .flags = THREAD_ALIVE},
					   {.tid = 2, .flags = THREAD_ALIVE, .waiting_since_ns = 1},
					   {.tid = 3}};

	profile.threads.rows = threads;
	profile.threads.count = 4;
	struct efficiency efficiency =
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 9 * S, 11 * S);

	ck_assert_uint_eq(efficiency.total_ns, 9 * S);
	ck_assert_uint_eq(efficiency_level_ns(&efficiency, 1), 5 * S);
	efficiency_clear(&efficiency);
}
END_TEST

/* A killed process: its records agree with its CPU time, and who was in no wait did not run on. */
START_TEST(time_after_the_last_account_is_no_more_than_the_cpu_time_that_is_left)
{
	static const struct {
		uint64_t cpu_ns;
		double active_ns;
	} cases[] = {{10 * S, 10. * S}, {10 * S - S / 20, 10. * S}, {10 * S + S / 20, 10.05 * S}};
	static const enum concurrency_kind kinds[] = {CONCURRENCY_ON_PROCESSOR, CONCURRENCY_USEFUL};
	struct profile profile = make_profile(8 * S + S / 10);
	struct profile_thread threads[] = {
		{0}, {.tid = 1, .flags = THREAD_ALIVE}, {.tid = 2, .flags = THREAD_ALIVE}};

	profile.threads.rows = threads;
	profile.threads.count = 3;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t k = 0; k < 2; k++) {
			struct efficiency it =
				efficiency_of(&profile, kinds[k], 8 * S + S / 10, cases[i].cpu_ns);

			ck_assert_int_eq(it.grade, GRADE_EXACT);
			ck_assert_uint_eq(it.total_ns, 8 * S + S / 10);
			ck_assert_double_le(efficiency_active_ns(&it), cases[i].active_ns);
			if (!k)
				ck_assert_double_eq_tol(efficiency_active_ns(&it),
							cases[i].active_ns, 10);
			efficiency_clear(&it);
		}
}
END_TEST

/* Useful time that records saw is kept, and what came after it is within the CPU time as well. */
START_TEST(useful_time_is_within_the_cpu_time_where_records_are_too_few)
{
	struct profile_thread threads[] = {
		{0}, {.tid = 1, .flags = THREAD_ALIVE}, {.tid = 2, .flags = THREAD_ALIVE}};
	struct profile profile = make_profile(8 * S);

	profile.threads.rows = threads;
	profile.threads.count = 3;
	struct efficiency it = efficiency_of(&profile, CONCURRENCY_USEFUL, 12 * S, 11 * S);

	ck_assert_int_eq(it.grade, GRADE_SAMPLED);
	ck_assert_double_eq_tol(efficiency_active_ns(&it), 8.8 * S, 10);
	efficiency_clear(&it);
}
END_TEST

/* Windows saw one thread at a time, but the CPU time of two threads is more than that. */
START_TEST(a_level_that_no_window_saw_has_the_time_that_is_left)
{
	struct profile_concurrency seen[] = {
		{.kind = CONCURRENCY_ON_PROCESSOR, .active = 1, .time_ns = 4 * S},
		{.kind = CONCURRENCY_WINDOWS_ON_PROCESSOR, .active = 1, .time_ns = 4 * S},
		{.kind = CONCURRENCY_UNSEEN_ON_PROCESSOR, .active = 1, .time_ns = 4 * S},
	};
	struct profile profile = make_profile(4 * S);

	profile.concurrency.rows = seen;
	profile.concurrency.count = 3;
	struct efficiency efficiency =
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 9 * S);
	ck_assert_double_eq_tol(efficiency_active_ns(&efficiency), 9.0 * S, 1e-3 * S);
	ck_assert_uint_eq(efficiency.total_ns, 8 * S);
	ck_assert_uint_le(efficiency_level_ns(&efficiency, 2), 2 * S);
	efficiency_clear(&efficiency);
	/* more than the processors can give is nothing that was run */
	profile.process.processors = 1;
	efficiency = efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 9 * S);
	ck_assert_double_eq_tol(efficiency_active_ns(&efficiency), 8.0 * S, 1e-3 * S);
	ck_assert_uint_eq(efficiency_level_ns(&efficiency, 2), 0);
	efficiency_clear(&efficiency);
}
END_TEST

/* Two windows, 40 ms, stand for 4 s: what they did not see may have been there all the same. */
START_TEST(windows_have_an_error)
{
	struct profile_concurrency seen[] = {
		{.kind = CONCURRENCY_ON_PROCESSOR, .active = 1, .time_ns = 4 * S},
		{.kind = CONCURRENCY_WINDOWS_ON_PROCESSOR, .active = 1, .time_ns = S / 25},
		{.kind = CONCURRENCY_UNSEEN_ON_PROCESSOR, .active = 2, .time_ns = 4 * S},
	};
	struct profile profile = make_profile(4 * S);

	profile.concurrency.rows = seen;
	profile.concurrency.count = 3;
	struct efficiency few = efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 8 * S);

	ck_assert_double_eq_tol(few.windows, 2, 1e-9);
	ck_assert_double_eq_tol(efficiency_level_error_ns(&few, 2), 4. * S * sqrt(0.25 * 0.75 / 2),
				0.01 * S);
	seen[1].time_ns *= 100;
	struct efficiency many = efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 8 * S);

	ck_assert_double_lt(10 * efficiency_level_error_ns(&many, 2),
			    efficiency_level_error_ns(&few, 2));
	efficiency_clear(&few);
	efficiency_clear(&many);
	struct profile whole = make_profile(8 * S);
	struct efficiency exact = efficiency_of(&whole, CONCURRENCY_ON_PROCESSOR, 8 * S, 10 * S);

	ck_assert(isnan(efficiency_level_error_ns(&exact, 1)));
	efficiency_clear(&exact);
}
END_TEST

START_TEST(a_single_thread_needs_no_records)
{
	struct profile profile = {.process = {.processors = 2, .threads_started = 1}};
	struct efficiency efficiency =
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 2 * S);

	ck_assert_int_eq(efficiency.grade, GRADE_EXACT);
	ck_assert_uint_eq(efficiency_level_ns(&efficiency, 0), 6 * S);
	ck_assert_double_eq_tol(efficiency.efficiency_percent, 12.5, 1e-9);
	efficiency_clear(&efficiency);
}
END_TEST

START_TEST(nothing_known_is_unknown)
{
	struct profile profile = {.process = {.processors = 2, .threads_started = 2}};
	struct efficiency efficiency =
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 8 * S, 2 * S);

	ck_assert_int_eq(efficiency.grade, GRADE_UNKNOWN);
	ck_assert(isnan(efficiency.average) && isnan(efficiency.efficiency_percent) &&
		  isnan(efficiency.amdahl_limit));
	ck_assert(isnan(efficiency.ceff_percent) && isnan(efficiency.cautious_limit) &&
		  isnan(efficiency.projections[1].executing));
	efficiency_clear(&efficiency);
}
END_TEST

UNIT_MAIN("efficiency", figures_follow_their_formulas, grades_follow_what_records_cover,
	  lost_records_lower_the_grade, time_after_the_last_account_belongs_to_who_does_not_wait,
	  time_after_the_last_account_is_no_more_than_the_cpu_time_that_is_left,
	  useful_time_is_within_the_cpu_time_where_records_are_too_few,
	  a_level_that_no_window_saw_has_the_time_that_is_left, windows_have_an_error,
	  a_single_thread_needs_no_records, nothing_known_is_unknown,
	  while_executing_nobody_counts_who_does_not_run, figures_are_those_that_malony_published,
	  threads_that_never_run_at_once_win_nothing, what_never_runs_has_no_figures)

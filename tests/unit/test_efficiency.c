/* SPDX-License-Identifier: MIT */
#include "analyze/model/efficiency.h"
#include "tests/unit/unit.h"

#include <math.h>

#define S 1000000000ull

static struct profile_concurrency levels[] = {
	{CONCURRENCY_ON_PROCESSOR, 2, 3 * S},
	{CONCURRENCY_ON_PROCESSOR, 0, 1 * S},
	{CONCURRENCY_ON_PROCESSOR, 1, 4 * S},
	{CONCURRENCY_USEFUL, 1, 8 * S},
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
	efficiency_clear(&efficiency);
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
		efficiency_of(&profile, CONCURRENCY_ON_PROCESSOR, 9 * S, 10 * S);

	ck_assert_uint_eq(efficiency.total_ns, 9 * S);
	ck_assert_uint_eq(efficiency_level_ns(&efficiency, 1), 5 * S);
	efficiency_clear(&efficiency);
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
	efficiency_clear(&efficiency);
}
END_TEST

UNIT_MAIN("efficiency", figures_follow_their_formulas, grades_follow_what_records_cover,
	  lost_records_lower_the_grade, time_after_the_last_account_belongs_to_who_does_not_wait,
	  a_single_thread_needs_no_records, nothing_known_is_unknown)

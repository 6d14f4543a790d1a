/* SPDX-License-Identifier: MIT */
#include "preload/thread/sample_budget.h"

#include "tests/unit/unit.h"

enum { MS = 1000000, US = 1000, AT_LEAST = 64 };

static const uint64_t YOUNG = 5 * 1000000000ull, OLD = 11 * 1000000000ull;

/* The period after that many samples of a thread, each for 5 ms of CPU time. */
static uint64_t judged(unsigned samples, uint64_t own_ns, uint64_t age_ns)
{
	struct sample_budget budget = {0}, one = {5 * MS, own_ns, .samples = 1};
	uint64_t period_ns = 0;

	for (unsigned i = 0; i < samples && !period_ns; i++)
		period_ns = sample_budget_judge(&budget, one, age_ns, 2);
	return period_ns;
}

START_TEST(few_samples_are_not_judged)
{
	ck_assert_uint_eq(judged(AT_LEAST - 1, 5 * MS, OLD), 0);
	ck_assert_uint_ne(judged(AT_LEAST, 5 * MS, OLD), 0);
}
END_TEST

START_TEST(a_short_run_may_use_all_of_the_budget)
{
	ck_assert_uint_eq(judged(1000, 100 * US, YOUNG), 0);
	ck_assert_uint_ne(judged(1000, 101 * US, YOUNG), 0);
}
END_TEST

START_TEST(a_long_run_may_use_half_of_it)
{
	ck_assert_uint_eq(judged(1000, 50 * US, OLD), 0);
	ck_assert_uint_ne(judged(1000, 51 * US, OLD), 0);
}
END_TEST

/* A sample takes the same as before: the next ones are within the budget, but not far below it. */
START_TEST(the_period_is_what_the_budget_allows)
{
	for (uint64_t own_us = 60; own_us < 1000; own_us += 47) {
		uint64_t period_ns = judged(AT_LEAST, own_us * US, OLD);
		ck_assert_uint_lt(own_us * US * 100, period_ns);
		ck_assert_uint_gt(own_us * US * 100, period_ns / 10 * 7);
		struct sample_budget budget = {0}, one = {period_ns, own_us * US, .samples = 1};
		for (int i = 0; i < 1000; i++)
			ck_assert_uint_eq(sample_budget_judge(&budget, one, OLD, 2), 0);
	}
}
END_TEST

/* Dear samples that were taken long ago say nothing of how dear they are now. */
START_TEST(each_stretch_is_judged_by_itself)
{
	struct sample_budget budget = {0}, dear = {5 * MS, 99 * US, .samples = 1},
			     cheap = {5 * MS, 40 * US, .samples = 1};

	for (int i = 0; i < AT_LEAST; i++)
		ck_assert_uint_eq(sample_budget_judge(&budget, dear, YOUNG, 2), 0);
	for (int i = 0; i < 10 * AT_LEAST; i++)
		ck_assert_uint_eq(sample_budget_judge(&budget, cheap, OLD, 2), 0);
}
END_TEST

UNIT_MAIN("sample_budget", few_samples_are_not_judged, a_short_run_may_use_all_of_the_budget,
	  a_long_run_may_use_half_of_it, the_period_is_what_the_budget_allows,
	  each_stretch_is_judged_by_itself)

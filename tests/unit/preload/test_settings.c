/* SPDX-License-Identifier: MIT */
#include "preload/process/settings.h"

#include "preload/file/vocabulary.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

START_TEST(nothing_set_gives_the_defaults)
{
	settings_read();
	ck_assert_ptr_null(settings.output);
	ck_assert_uint_eq(settings.sample_period_ns, 5000000);
	ck_assert(settings.sync);
	ck_assert(settings.mpi);
	ck_assert(settings.switches);
	ck_assert_uint_eq(settings.budget_percent, 2);
	ck_assert_int_eq(settings.quick_clock, QUICK_CLOCK_UNKNOWN);
}
END_TEST

START_TEST(what_is_set_is_used)
{
	setenv("PTRACE_OUTPUT", "/somewhere", 1);
	setenv("PTRACE_SAMPLE", "1000", 1);
	setenv("PTRACE_SYNC", "0", 1);
	setenv("PTRACE_MPI", "0", 1);
	setenv("PTRACE_SWITCHES", "0", 1);
	setenv("PTRACE_BUDGET", "5", 1);
	setenv("PTRACE_CLOCK", "kernel", 1);
	settings_read();
	ck_assert_str_eq(settings.output, "/somewhere");
	ck_assert_uint_eq(settings.sample_period_ns, 1000000);
	ck_assert(!settings.sync);
	ck_assert(!settings.mpi);
	ck_assert(!settings.switches);
	ck_assert_uint_eq(settings.budget_percent, 5);
	ck_assert_int_eq(settings.quick_clock, QUICK_CLOCK_KERNEL);
}
END_TEST

START_TEST(no_sampling_is_a_period_of_zero)
{
	setenv("PTRACE_SAMPLE", "0", 1);
	settings_read();
	ck_assert_uint_eq(settings.sample_period_ns, 0);
}
END_TEST

START_TEST(nonsense_gives_the_default)
{
	setenv("PTRACE_OUTPUT", "", 1);
	setenv("PTRACE_SAMPLE", "many", 1);
	setenv("PTRACE_BUDGET", "101", 1);
	setenv("PTRACE_SYNC", "-1", 1);
	setenv("PTRACE_CLOCK", "tsc", 1);
	settings_read();
	ck_assert_ptr_null(settings.output);
	ck_assert_uint_eq(settings.sample_period_ns, 5000000);
	ck_assert_uint_eq(settings.budget_percent, 2);
	ck_assert_int_eq(settings.quick_clock, QUICK_CLOCK_UNKNOWN);
	ck_assert(settings.sync);
}
END_TEST

UNIT_MAIN("settings", nothing_set_gives_the_defaults, what_is_set_is_used,
	  no_sampling_is_a_period_of_zero, nonsense_gives_the_default)

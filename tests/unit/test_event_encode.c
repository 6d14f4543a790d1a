/* SPDX-License-Identifier: MIT */
/* Names of events, and what the kernel is asked for. */
#include "scripts/run/event_encode.h"
#include "scripts/run/event_settings.h"
#include "tests/unit/unit.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct event_code encode(const char *name)
{
	struct event_code code;
	char why[700] = "";

	ck_assert_msg(event_encode(name, NULL, &code, why, sizeof why), "%s: %s", name, why);
	return code;
}

START_TEST(generic_names)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} cases[] = {
		{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
		{"CPU-Cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
		{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
		{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
		{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
		{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
		{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
		{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
		{"L1-dcache-load-misses", PERF_TYPE_HW_CACHE,
		 PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 |
			 PERF_COUNT_HW_CACHE_RESULT_MISS << 16},
		{"r01c0", PERF_TYPE_RAW, 0x1c0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct event_code code = encode(cases[i].name);

		ck_assert_msg(code.type == cases[i].type && code.config == cases[i].config, "%s",
			      cases[i].name);
		ck_assert_uint_eq(code.flags, 0);
	}
}
END_TEST

START_TEST(attributes)
{
	ck_assert_uint_eq(encode("cycles:u").flags, EVENT_WITHOUT_KERNEL);
	ck_assert_uint_eq(encode("cycles:k").flags, EVENT_WITHOUT_USER);
	ck_assert_uint_eq(encode("cycles:u:k").flags, 0);
	ck_assert_uint_eq(encode("cycles:precise=2").flags, 0x20);
	ck_assert_uint_eq(encode("r3c:u:precise=3").flags, 0x31);
}
END_TEST

START_TEST(wrong_names)
{
	static const char *const presets[] = {"tlb", "stalls", NULL};
	static const struct {
		const char *name, *said;
	} cases[] = {
		{"cycels", "did you mean cycles?"},
		{"page_fault", "did you mean page-faults"},
		{"stall", "did you mean stalls"},
		{"nonsense", "see ptrace-run --list-events"},
		{"cycels:u", "'cycels:u': did you mean cycles?"},
		{"cycles:zz", "attributes are u, k, precise"},
		{"cycles:precise=9", "attributes are u, k, precise"},
		{"cycles:u=0", "counts neither the user nor the kernel"},
		{"cycles:h", "counts neither the user nor the kernel"},
		{"cycles:cpu=0", "leave out :cpu"},
		{"cycles:period=1000", "periods are written NAME@PERIOD"},
		{"cycles:freq=1000", "periods are written NAME@PERIOD"},
		{"cycles:pinned", "leave out :pinned"},
		{"nopmu::cycles", "this processor has no 'nopmu'"},
		{"perf::cycels", "did you mean cycles?"},
		{"", "no event or preset is called ''"},
		{":", "no event or preset is called ':'"},
		{"::", "this processor has no ''"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct event_code code;
		char why[700] = "";

		ck_assert_msg(!event_encode(cases[i].name, presets, &code, why, sizeof why),
			      "'%s' was taken", cases[i].name);
		ck_assert_msg(strstr(why, cases[i].said) != NULL, "'%s': %s", cases[i].name, why);
		ck_assert_ptr_null(strchr(why, '\n'));
	}
}
END_TEST

START_TEST(long_names)
{
	struct event_code code;
	char name[3000], why[700];

	for (size_t length = 1; length < sizeof name; length *= 3) {
		memset(name, 'x', length);
		name[length] = '\0';
		ck_assert(!event_encode(name, NULL, &code, why, sizeof why));
	}
}
END_TEST

START_TEST(variables)
{
	char events[COUNTERS_TEXT_MAX], metrics[COUNTERS_TEXT_MAX], error[700];

	setenv("PTRACE_EVENT_PATH", "/nowhere::scripts/events", 1);
	ck_assert_msg(counters_encode("page-faults@7,task-clock,ipc", events, metrics, error,
				      sizeof error),
		      "%s", error);
	ck_assert_str_eq(events, "1 1 2 0 0 0 7 count page-faults;2 1 1 0 0 0 0 ns task-clock;"
				 "3 0 0 0 0 0 0 count cycles;3 0 1 0 0 0 0 count instructions");
	ck_assert_str_eq(metrics,
			 "IPC||instructions / cycles|@4 @3 /;"
			 "frequency|GHz|cycles / cpu_seconds / 1e9|@3 cpu_seconds / 1e9 /");
	ck_assert(counters_is_encoded(events));
	ck_assert(!counters_is_encoded("cycles") && !counters_is_encoded("") &&
		  !counters_is_encoded("1"));
}
END_TEST

START_TEST(what_needs_too_much_of_the_environment)
{
	char list[4000] = "", events[COUNTERS_TEXT_MAX], metrics[COUNTERS_TEXT_MAX], error[700];

	for (int i = 1; i <= 33; i++)
		sprintf(list + strlen(list), "%sr%x", i > 1 ? "," : "", i);
	ck_assert(!counters_encode(list, events, metrics, error, sizeof error));
	ck_assert_ptr_nonnull(strstr(error, "more than 32 events"));
	*strrchr(list, ',') = '\0';
	ck_assert(counters_encode(list, events, metrics, error, sizeof error));
	strcpy(list, "{r1");
	for (int i = 2; i <= 9; i++)
		sprintf(list + strlen(list), ",r%x", i);
	strcat(list, "}");
	ck_assert(!counters_encode(list, events, metrics, error, sizeof error));
	ck_assert_ptr_nonnull(strstr(error, "more than 8 in braces"));
}
END_TEST

UNIT_MAIN("event encode", generic_names, attributes, wrong_names, long_names, variables,
	  what_needs_too_much_of_the_environment)

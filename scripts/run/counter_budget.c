/* SPDX-License-Identifier: MIT */
#include "counter_budget.h"

#include "common/proc_file.h"
#include "pfm_library.h"

#include <stdlib.h>

enum { USUAL_COUNTERS = 4, FIXED_COUNTERS = 3 };

static bool is_watchdog_running(void)
{
	char text[16];

	proc_file_read(text, sizeof text, "/proc/sys/kernel/nmi_watchdog");
	return atoi(text) > 0;
}

struct counter_budget counter_budget_find(void)
{
	struct counter_budget budget = {.counters = USUAL_COUNTERS,
					.is_watched = is_watchdog_running()};

	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = {.size = sizeof pmu};

		if (pfm_library()->get_pmu_info((pfm_pmu_t)i, &pmu) != PFM_SUCCESS ||
		    !pmu.is_present || pmu.type != PFM_PMU_TYPE_CORE)
			continue;
		budget.has_fixed = pmu.num_fixed_cntrs >= FIXED_COUNTERS;
		int counters = pmu.num_cntrs - (budget.is_watched && !budget.has_fixed);
		if (counters >= 1 && counters < budget.counters)
			budget.counters = counters;
	}
	return budget;
}

/* Events with a counter of their own, by their generic names and by Intel's codes, which libpfm4
 * gives for UNHALTED_CORE_CYCLES, INST_RETIRED and UNHALTED_REFERENCE_CYCLES. */
static const struct {
	uint32_t type;
	uint64_t config;
	bool is_cycles;
} fixed[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, false},
	{PERF_TYPE_RAW, 0x3c, true},
	{PERF_TYPE_RAW, 0xc0, false},
	{PERF_TYPE_RAW, 0x300, false},
};

int counter_budget_cost(const struct counter_budget *budget, const struct event_code *code)
{
	if (event_code_is_software(code))
		return 0;
	for (size_t i = 0; budget->has_fixed && i < sizeof fixed / sizeof fixed[0]; i++)
		if (code->type == fixed[i].type && code->config == fixed[i].config)
			return fixed[i].is_cycles && budget->is_watched;
	return 1;
}

/* SPDX-License-Identifier: MIT */
#include "event_groups.h"

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

static int cost_of(const struct counter_budget *budget, const struct event_code *code)
{
	if (event_code_is_software(code))
		return 0;
	for (size_t i = 0; budget->has_fixed && i < sizeof fixed / sizeof fixed[0]; i++)
		if (code->type == fixed[i].type && code->config == fixed[i].config)
			return fixed[i].is_cycles && budget->is_watched;
	return 1;
}

static int find(const struct event_groups *groups, const struct group_event *event)
{
	for (int i = 0; i < groups->count; i++)
		if (groups->events[i].period == event->period &&
		    event_code_equal(&groups->events[i].code, &event->code))
			return i;
	return -1;
}

static bool append(struct event_groups *groups, const struct group_event *event, int group)
{
	if (groups->count == EVENTS_MAX)
		return false;
	groups->events[groups->count] = *event;
	groups->events[groups->count++].group = group;
	return true;
}

static bool is_of_processor(const struct group_event *event)
{
	return !event->period && !event_code_is_software(&event->code);
}

static bool fits(const struct event_groups *groups, int events, int cost)
{
	return groups->hardware.group && groups->hardware.events + events <= GROUP_EVENTS_MAX &&
	       groups->hardware.cost + cost <= groups->budget.counters;
}

static void open_group(struct event_groups *groups, struct group_filled *filled)
{
	*filled = (struct group_filled){.group = ++groups->group_count};
}

static bool add_one(struct event_groups *groups, const struct group_event *event)
{
	if (event->period)
		return append(groups, event, ++groups->group_count);
	bool is_software = event_code_is_software(&event->code);
	struct group_filled *filled = is_software ? &groups->software : &groups->hardware;
	int cost = cost_of(&groups->budget, &event->code);
	bool has_room = is_software ? filled->group && filled->events < GROUP_EVENTS_MAX
				    : fits(groups, 1, cost);
	if (!has_room)
		open_group(groups, filled);
	filled->events++;
	filled->cost += cost;
	return append(groups, event, filled->group);
}

bool event_groups_add(struct event_groups *groups, const struct group_event *set, int count,
		      int *index)
{
	int events = 0, cost = 0;

	for (int i = 0; i < count; i++)
		if (is_of_processor(&set[i]) && find(groups, &set[i]) < 0) {
			events++;
			cost += cost_of(&groups->budget, &set[i].code);
		}
	if (events > 0 && groups->hardware.group && !fits(groups, events, cost))
		groups->hardware = (struct group_filled){0};
	for (int i = 0; i < count; i++) {
		if (find(groups, &set[i]) < 0 && !add_one(groups, &set[i]))
			return false;
		if (index)
			index[i] = find(groups, &set[i]);
	}
	return true;
}

bool event_groups_add_together(struct event_groups *groups, const struct group_event *set,
			       int count)
{
	int group = 0, events = 0;

	for (int i = 0; i < count; i++) {
		if (find(groups, &set[i]) >= 0)
			continue;
		if (!group)
			group = ++groups->group_count;
		if (++events > GROUP_EVENTS_MAX || !append(groups, &set[i], group))
			return false;
	}
	return true;
}

void event_groups_order(const struct event_groups *groups, int position[EVENTS_MAX])
{
	int next = 1;

	for (int group = 1; group <= groups->group_count; group++)
		for (int i = 0; i < groups->count; i++)
			if (groups->events[i].group == group)
				position[i] = next++;
}

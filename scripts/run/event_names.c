/* SPDX-License-Identifier: MIT */
#include "event_names.h"

#include "pfm_library.h"

#include <ctype.h>
#include <string.h>

static bool pmu_of(int number, pfm_pmu_info_t *pmu)
{
	*pmu = (pfm_pmu_info_t){.size = sizeof *pmu};
	return pfm_library()->get_pmu_info((pfm_pmu_t)number, pmu) == PFM_SUCCESS &&
	       pmu->is_present;
}

/* perf's names are in capitals in libpfm4, which does not tell cases apart. */
static const char *in_lower_case(const char *name)
{
	static char text[128];
	size_t i = 0;

	for (; name[i] && i < sizeof text - 1; i++)
		text[i] = (char)tolower((unsigned char)name[i]);
	text[i] = '\0';
	return text;
}

static void visit_events(const pfm_pmu_info_t *pmu,
			 void (*visit)(const struct event_name *, void *), void *context)
{
	const struct pfm_library *pfm = pfm_library();

	for (int i = pmu->first_event; i >= 0; i = pfm->get_event_next(i)) {
		pfm_event_info_t info = {.size = sizeof info};

		if (pfm->get_event_info(i, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
			continue;
		bool is_generic = pmu->pmu == PFM_PMU_PERF_EVENT;
		struct event_name event = {
			.pmu = pmu->name,
			.name = is_generic && info.equiv ? in_lower_case(info.name) : info.name,
			.description = info.desc,
			.index = i,
			.is_generic = is_generic,
			.is_alias = info.equiv != NULL,
			.is_of_socket = pmu->type == PFM_PMU_TYPE_UNCORE,
		};
		visit(&event, context);
	}
}

void event_names_each(void (*visit)(const struct event_name *, void *), void *context)
{
	pfm_pmu_info_t pmu;

	/* rNNNN stands for all numbers, and is no name */
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++)
		if (pmu_of(i, &pmu) && pmu.pmu != PFM_PMU_PERF_EVENT_RAW)
			visit_events(&pmu, visit, context);
}

void event_names_each_attribute(int index, void (*visit)(const struct event_attribute *, void *),
				void *context)
{
	const struct pfm_library *pfm = pfm_library();
	pfm_event_info_t event = {.size = sizeof event};

	if (pfm->get_event_info(index, PFM_OS_PERF_EVENT_EXT, &event) != PFM_SUCCESS)
		return;
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t info = {.size = sizeof info};

		if (pfm->get_attribute(index, i, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
			continue;
		struct event_attribute attribute = {info.name, info.desc,
						    info.type == PFM_ATTR_UMASK};
		visit(&attribute, context);
	}
}

int event_names_core_pmus(const char *names[EVENT_PMUS_MAX])
{
	pfm_pmu_info_t pmu;
	int count = 0;

	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX && count < EVENT_PMUS_MAX; i++)
		if (pmu_of(i, &pmu) && pmu.type == PFM_PMU_TYPE_CORE)
			names[count++] = pmu.name;
	return count;
}

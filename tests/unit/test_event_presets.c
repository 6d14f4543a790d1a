/* SPDX-License-Identifier: MIT */
/* The presets that are shipped: libpfm4 must know each event of each section on each processor that
 * the section is for, and each formula's events must be counted together.
 *
 * libpfm4 also encodes for processors that are not there (LIBPFM_ENCODE_INACTIVE), but knows those
 * of one architecture only: sections of others are counted, and left out. */
#include "scripts/run/event_encode.h"
#include "scripts/run/event_groups.h"
#include "scripts/run/pfm_library.h"
#include "scripts/run/preset_file.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "scripts/events"

static const char *const shipped[] = {"branch",  "cache",    "flops",  "ipc",
				      "sharing", "software", "stalls", "tlb"};

enum { SHIPPED = sizeof shipped / sizeof shipped[0] };

static struct preset preset;

static void read_for(const char *name, const char *pmu)
{
	char path[100], error[500];

	snprintf(path, sizeof path, FOLDER "/%s.events", name);
	ck_assert_msg(preset_read(path, &pmu, pmu != NULL, &preset, error, sizeof error), "%s",
		      error);
}

/* Of a processor that is not there, by its full name; generic names are the same everywhere. */
static bool encode_for(const char *pmu, const char *name, struct event_code *code)
{
	struct perf_event_attr attributes = {.size = sizeof attributes};
	pfm_perf_encode_arg_t result = {.attr = &attributes, .size = sizeof result, .cpu = -1};
	char full[300];

	snprintf(full, sizeof full, "%s::%s", pmu, name);
	int error =
		pfm_library()->encode(full, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &result);
	if (error != PFM_SUCCESS) {
		snprintf(full, sizeof full, "perf::%s", name);
		error = pfm_library()->encode(full, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
					      &result);
	}
	*code = (struct event_code){.type = attributes.type, .config = attributes.config};
	return error == PFM_SUCCESS;
}

/* Are all events of the formula in one group? Software events are in another one, but never wait.
 */
static void check_groups(const struct preset_metric *metric, const struct event_groups *groups,
			 const int *index, const char *name, const char *pmu)
{
	int group = 0;

	for (int i = 0; i < metric->formula.count; i++) {
		if (metric->formula.steps[i].kind != STEP_EVENT)
			continue;
		const struct group_event *event =
			&groups->events[index[metric->formula.steps[i].event]];
		if (event_code_is_software(&event->code))
			continue;
		ck_assert_msg(!group || event->group == group, "%s, %s: %s is spread over groups",
			      name, pmu, metric->name);
		group = event->group;
	}
}

/* As ptrace-run adds a preset: first the sets of formulas, then the rest. */
static void check_section(const char *name, const pfm_pmu_info_t *pmu)
{
	struct event_groups groups = {.budget = {4, pmu->num_fixed_cntrs >= 3, false}};
	struct group_event events[PRESET_EVENTS_MAX] = {0}, set[PRESET_EVENTS_MAX];
	int index[PRESET_EVENTS_MAX];

	for (int i = 0; i < preset.event_count; i++) {
		ck_assert_msg(encode_for(pmu->name, preset.events[i].name, &events[i].code),
			      FOLDER "/%s.events:%d: libpfm4 does not know %s on %s", name,
			      preset.events[i].line, preset.events[i].name, pmu->name);
	}
	for (int i = 0; i < preset.metric_count; i++) {
		const struct formula *formula = &preset.metrics[i].formula;
		int used = 0;

		for (int j = 0; j < formula->count; j++)
			if (formula->steps[j].kind == STEP_EVENT)
				set[used++] = events[formula->steps[j].event];
		ck_assert(event_groups_add(&groups, set, used, NULL));
	}
	ck_assert(event_groups_add(&groups, events, preset.event_count, index));
	for (int i = 0; i < preset.metric_count; i++)
		check_groups(&preset.metrics[i], &groups, index, name, pmu->name);
}

START_TEST(libpfm4_knows_all_events)
{
	int checked = 0, own = 0;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	for (int number = PFM_PMU_NONE; number < PFM_PMU_MAX; number++) {
		pfm_pmu_info_t pmu = {.size = sizeof pmu};

		if (pfm_library()->get_pmu_info((pfm_pmu_t)number, &pmu) != PFM_SUCCESS ||
		    pmu.type != PFM_PMU_TYPE_CORE)
			continue;
		for (int i = 0; i < SHIPPED; i++) {
			read_for(shipped[i], pmu.name);
			check_section(shipped[i], &pmu);
			checked++;
			own += preset.has_section && strcmp(preset.section, "any") != 0;
		}
	}
	printf("%d presets on %d processors, %d of their own sections\n", SHIPPED,
	       checked / SHIPPED, own);
	/* for Arm's there are 12, for x86-64 more */
	ck_assert_int_ge(own, 10);
}
END_TEST

START_TEST(each_section_is_of_a_processor_that_exists)
{
	/* a name that is spelt wrongly would leave its section unused; Arm's were encoded by
	 * arm64's libpfm4 4.13 when they were written */
	static const char *const known[] = {"arm_n1",
					    "arm_n2",
					    "arm_v1",
					    "arm_v2",
					    "skl",
					    "skx",
					    "clx",
					    "icl",
					    "icx",
					    "spr",
					    "snb",
					    "snb_ep",
					    "ivb",
					    "ivb_ep",
					    "hsw",
					    "hsw_ep",
					    "bdw",
					    "bdw_ep",
					    "amd64_fam17h_zen1",
					    "amd64_fam17h_zen2",
					    "amd64_fam19h_zen3",
					    "amd64_fam19h_zen4"};
	char line[300], path[100];
	int sections = 0;

	for (int i = 0; i < SHIPPED; i++) {
		snprintf(path, sizeof path, FOLDER "/%s.events", shipped[i]);
		FILE *file = fopen(path, "r");
		ck_assert_ptr_nonnull(file);
		while (fgets(line, sizeof line, file)) {
			if (*line != '[')
				continue;
			sections++;
			for (char *word = strtok(line, "[] \n"); word;
			     word = strtok(NULL, "[] \n")) {
				bool is_known = strcmp(word, "any") == 0;

				for (size_t j = 0; j < sizeof known / sizeof known[0]; j++)
					is_known |= strcmp(word, known[j]) == 0;
				ck_assert_msg(is_known, "%s: no processor is called %s", path,
					      word);
			}
		}
		fclose(file);
	}
	ck_assert_int_ge(sections, 20);
}
END_TEST

START_TEST(all_files_are_listed_here)
{
	DIR *directory = opendir(FOLDER);
	struct dirent *entry;
	int count = 0;

	ck_assert_ptr_nonnull(directory);
	while ((entry = readdir(directory)))
		count += strstr(entry->d_name, ".events") != NULL;
	closedir(directory);
	ck_assert_int_eq(count, SHIPPED);
}
END_TEST

UNIT_MAIN("presets", libpfm4_knows_all_events, each_section_is_of_a_processor_that_exists,
	  all_files_are_listed_here)

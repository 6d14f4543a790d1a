/* SPDX-License-Identifier: MIT */
#include "event_encode.h"

#include "common/nearest_names.h"
#include "event_names.h"
#include "pfm_library.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct unit_search {
	const char *name;
	size_t length;
	bool is_found;
};

static void compare_unit(const struct event_name *event, void *context)
{
	struct unit_search *search = context;

	search->is_found |= strlen(event->pmu) == search->length &&
			    strncasecmp(event->pmu, search->name, search->length) == 0;
}

/* Is name PMU::EVENT, and this processor has no such PMU? */
static bool is_of_another_processor(const char *name)
{
	const char *end = strstr(name, "::");
	struct unit_search search = {name, end ? (size_t)(end - name) : 0, false};

	if (end)
		event_names_each(compare_unit, &search);
	return end && !search.is_found;
}

static void offer_event(const struct event_name *event, void *context)
{
	if (!event->is_of_socket)
		nearest_offer(context, event->name);
}

static void say_unknown(const char *name, const char *const *presets, char *why, size_t size)
{
	const char *unit_end = strstr(name, "::");
	const char *bare = unit_end ? unit_end + 2 : name;
	struct nearest_names names;
	char event[EVENT_NAME_SIZE], near[NEAREST_MAX * NEAREST_NAME_SIZE];

	snprintf(event, sizeof event, "%.*s", (int)strcspn(bare, ":"), bare);
	if (is_of_another_processor(name)) {
		snprintf(
			why, size,
			"event '%s': this processor has no '%.*s'; --list-events prints what it has",
			name, (int)(unit_end - name), name);
		return;
	}
	nearest_begin(&names, event);
	for (; presets && *presets; presets++)
		nearest_offer(&names, *presets);
	event_names_each(offer_event, &names);
	if (nearest_text(&names, near, sizeof near))
		snprintf(why, size, "no event or preset is called '%s': did you mean %s?", name,
			 near);
	else
		snprintf(why, size,
			 "no event or preset is called '%s': see ptrace-run --list-events", name);
}

/* Index of the event without its attributes, -1: unknown. */
static int index_of(const char *name)
{
	const char *unit_end = strstr(name, "::");
	size_t start = unit_end ? (size_t)(unit_end - name) + 2 : 0;
	char bare[EVENT_NAME_SIZE];

	snprintf(bare, sizeof bare, "%.*s", (int)(start + strcspn(name + start, ":")), name);
	return pfm_library()->find_event(bare);
}

struct attribute_list {
	bool is_of_unit_masks, is_full;
	char text[400];
};

/* Those that do not fit are left out, and three dots stand for them. */
static void append_attribute(const struct event_attribute *attribute, void *context)
{
	static const char dots[] = ", ...";
	struct attribute_list *list = context;
	size_t length = strlen(list->text);

	if (attribute->is_unit_mask != list->is_of_unit_masks || list->is_full)
		return;
	list->is_full = length + strlen(attribute->name) + 2 + sizeof dots > sizeof list->text;
	if (list->is_full)
		strcpy(list->text + length, dots);
	else
		snprintf(list->text + length, sizeof list->text - length, "%s%s",
			 length ? ", " : "", attribute->name);
}

static void say_attributes(const char *name, int index, bool is_missing, const char *reason,
			   char *why, size_t size)
{
	struct attribute_list kinds = {.is_of_unit_masks = true};

	event_names_each_attribute(index, append_attribute, &kinds);
	if (is_missing && *kinds.text)
		snprintf(why, size, "event '%s' needs one or several of its kinds, as %s:KIND: %s",
			 name, name, kinds.text);
	else
		snprintf(why, size,
			 "event '%s': %s; attributes are u, k, precise=1 to 3 as in NAME:u%s%s",
			 name, reason, *kinds.text ? ", and kinds: " : "", kinds.text);
}

static bool is_of_socket(int index)
{
	const struct pfm_library *pfm = pfm_library();
	pfm_event_info_t event = {.size = sizeof event};
	pfm_pmu_info_t pmu = {.size = sizeof pmu};

	return index >= 0 &&
	       pfm->get_event_info(index, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS &&
	       pfm->get_pmu_info(event.pmu, &pmu) == PFM_SUCCESS && pmu.type == PFM_PMU_TYPE_UNCORE;
}

static void say_why(const char *name, int error, const char *const *presets, char *why, size_t size)
{
	int index = index_of(name);

	if (index < 0)
		say_unknown(name, presets, why, size);
	else
		say_attributes(name, index, error == PFM_ERR_UMASK, pfm_library()->strerror(error),
			       why, size);
}

/* What libpfm4 can ask for and a profile of threads cannot hold. */
static const char *unsupported(const struct perf_event_attr *attributes, int processor)
{
	if (attributes->sample_period || attributes->freq)
		return "periods are written NAME@PERIOD";
	if (processor >= 0)
		return "events are counted for each thread, on whichever processor: leave out :cpu";
	if (attributes->pinned || attributes->exclusive)
		return "others share the counters: leave out :pinned and :excl";
	if (attributes->exclude_user && attributes->exclude_kernel)
		return "it counts neither the user nor the kernel: take :u, :k, or none of them";
	return NULL;
}

bool event_encode(const char *name, const char *const *presets, struct event_code *code, char *why,
		  size_t size)
{
	struct perf_event_attr attributes = {.size = sizeof attributes};
	pfm_perf_encode_arg_t result = {.attr = &attributes, .size = sizeof result, .cpu = -1};

	if (strlen(name) >= EVENT_NAME_SIZE) {
		snprintf(why, size, "the name '%.20s...' is longer than %d characters", name,
			 EVENT_NAME_SIZE - 1);
		return false;
	}
	if (is_of_socket(index_of(name))) {
		snprintf(
			why, size,
			"event '%s' is of a unit that all threads of a socket share: events are counted "
			"for each thread",
			name);
		return false;
	}
	int error =
		pfm_library()->encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &result);
	if (error != PFM_SUCCESS) {
		say_why(name, error, presets, why, size);
		return false;
	}
	const char *problem = unsupported(&attributes, result.cpu);
	if (problem) {
		snprintf(why, size, "event '%s': %s", name, problem);
		return false;
	}
	*code = (struct event_code){
		.type = attributes.type,
		.flags = (attributes.exclude_kernel ? EVENT_WITHOUT_KERNEL : 0u) |
			 (attributes.exclude_user ? EVENT_WITHOUT_USER : 0u) |
			 (uint32_t)attributes.precise_ip << EVENT_PRECISE_SHIFT,
		.config = attributes.config,
		.config1 = attributes.config1,
		.config2 = attributes.config2,
	};
	return true;
}

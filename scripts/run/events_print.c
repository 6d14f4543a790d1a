/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "events_print.h"

#include "event_encode.h"
#include "event_names.h"
#include "event_probe.h"
#include "preset_file.h"
#include "preset_find.h"

#include <fnmatch.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_MAX = 512, NAME_COLUMNS = 30 };

/* One kind of events is printed after the other, each by a pass over all of them. */
static const struct kind {
	const char *title;
	bool is_generic;
	int type; /* of generic ones: enum perf_type_id */
} kinds[] = {
	{"software events, counted by the kernel", true, PERF_TYPE_SOFTWARE},
	{"hardware events by their generic names", true, PERF_TYPE_HARDWARE},
	{"events of caches by their generic names", true, PERF_TYPE_HW_CACHE},
	{"tracepoints of the kernel", true, PERF_TYPE_TRACEPOINT},
	{"events of this processor", false, -1},
};

/* Of the processor, its units' names stand behind the title: sections of presets have them. */
static void print_title(const struct kind *kind)
{
	const char *pmus[EVENT_PMUS_MAX];
	int count = kind->is_generic ? 0 : event_names_core_pmus(pmus);

	fputs(kind->title, stdout);
	for (int i = 0; i < count; i++)
		printf("%s%s%s", i ? ", " : " (", pmus[i], i == count - 1 ? ")" : "");
}

struct list {
	const struct kind *kind;
	const char *pattern;
	struct event_code seen[SEEN_MAX]; /* other names of the same are left out */
	int seen_count, printed, refused;
	struct event_name event; /* whose attributes are visited */
};

static bool is_wanted(const char *pattern, const char *name)
{
	if (!pattern)
		return true;
	return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, FNM_CASEFOLD) == 0
				       : strcasestr(name, pattern) != NULL;
}

static bool is_seen(struct list *list, const struct event_code *code)
{
	for (int i = 0; i < list->seen_count; i++)
		if (event_code_equal(&list->seen[i], code))
			return true;
	if (list->seen_count < SEEN_MAX)
		list->seen[list->seen_count++] = *code;
	return false;
}

static void print_event(struct list *list, const char *name, const char *description)
{
	struct event_code code;
	char why[700];

	if (!is_wanted(list->pattern, name) || !event_encode(name, NULL, &code, why, sizeof why) ||
	    (list->kind->is_generic && (int)code.type != list->kind->type) || is_seen(list, &code))
		return;
	enum event_state state = event_probe(&code);
	if (state == EVENT_REFUSED) {
		list->refused++;
		return;
	}
	if (list->printed++ == 0) {
		print_title(list->kind);
		putchar('\n');
	}
	if (event_code_is_clock(&code))
		description = "in ns";
	bool is_limited = state == EVENT_FOR_USER;
	const char *gap = is_limited && *description ? "; " : "";
	if (is_limited || *description)
		printf("  %-*s  %s%s%s\n", NAME_COLUMNS, name,
		       is_limited ? "without the kernel" : "", gap, description);
	else
		printf("  %s\n", name);
}

static void print_kind_of_event(const struct event_attribute *attribute, void *context)
{
	struct list *list = context;
	char name[EVENT_NAME_SIZE];

	if (!attribute->is_unit_mask)
		return;
	snprintf(name, sizeof name, "%s:%s", list->event.name, attribute->name);
	print_event(list, name, attribute->description);
}

static void visit(const struct event_name *event, void *context)
{
	struct list *list = context;

	if (event->is_generic != list->kind->is_generic || event->is_of_socket)
		return;
	/* the short names of the kernel's events are aliases of libpfm4's long ones */
	if (event->is_generic && !event->is_alias && list->kind->type != PERF_TYPE_TRACEPOINT)
		return;
	print_event(list, event->name, event->is_generic ? "" : event->description);
	list->event = *event;
	if (!event->is_generic)
		event_names_each_attribute(event->index, print_kind_of_event, list);
}

/* Returns how many there are, whether they work or not. */
static int print_kind(const struct kind *kind, const char *pattern)
{
	struct list *list = calloc(1, sizeof *list);

	if (!list)
		return 0;
	list->kind = kind;
	list->pattern = pattern;
	event_names_each(visit, list);
	int refused = list->refused, printed = list->printed;
	free(list);
	if (!printed && refused) {
		print_title(kind);
		printf(": none of %d works here\n", refused);
	} else if (refused) {
		printf("  (%d more do not work here)\n", refused);
	}
	return printed + refused;
}

/* Of the events that a preset would count here. */
static const char *preset_state(const struct preset *preset)
{
	int working = 0, for_user = 0;

	if (!preset->has_section)
		return "not for this processor";
	for (int i = 0; i < preset->event_count; i++) {
		struct event_code code;
		char why[700];

		if (!event_encode(preset->events[i].name, NULL, &code, why, sizeof why))
			continue;
		enum event_state state = event_probe(&code);
		working += state != EVENT_REFUSED;
		for_user += state == EVENT_FOR_USER;
	}
	if (working == 0)
		return "does not work here";
	if (working < preset->event_count)
		return "works in part";
	return for_user ? "works, without the kernel" : "works";
}

static int print_presets(const char *pattern)
{
	struct preset_names presets;
	const char *pmus[EVENT_PMUS_MAX];
	int pmu_count = event_names_core_pmus(pmus), printed = 0;

	preset_names_find(&presets);
	for (int i = 0; i < presets.count; i++) {
		struct preset preset;
		char path[PATH_MAX], error[700];

		if (!is_wanted(pattern, presets.names[i]) || !preset_find(presets.names[i], path))
			continue;
		if (printed++ == 0)
			puts("presets: events for a purpose, and metrics of them");
		if (preset_read(path, pmus, pmu_count, &preset, error, sizeof error))
			printf("  %-12s %-25s  %s\n", presets.names[i], preset_state(&preset),
			       preset.description);
		else
			printf("  %-12s is wrong: %s\n", presets.names[i], error);
	}
	preset_names_free(&presets);
	return printed;
}

void events_print(const char *pattern)
{
	char why[300];
	int found = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		found += print_kind(&kinds[i], pattern);
	found += print_presets(pattern);
	if (!found)
		printf("no event or preset is called like '%s'\n", pattern ? pattern : "*");
	if (event_probe_restriction(why, sizeof why))
		printf("without the kernel: %s\n", why);
	if (event_probe_obstacle(why, sizeof why))
		printf("no hardware counters: %s\n", why);
}

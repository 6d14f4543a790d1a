/* SPDX-License-Identifier: MIT */
#include "event_settings.h"

#include "common/message.h"
#include "event_encode.h"
#include "event_groups.h"
#include "asked_events.h"
#include "event_names.h"
#include "preset_file.h"
#include "preset_find.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS_VARIABLE  "PTRACE_EVENTS"
#define METRICS_VARIABLE "PTRACE_METRICS"

enum { METRICS_MAX = 32 };

struct request {
	struct preset_names presets;
	const char *pmus[EVENT_PMUS_MAX];
	int pmu_count;
	struct event_groups groups;
	struct {
		struct preset_metric metric;
		int index[PRESET_EVENTS_MAX]; /* of the events of its preset in groups */
	} metrics[METRICS_MAX];
	int metric_count;
	char *error;
	size_t size;
};

static bool say_too_many(struct request *request)
{
	snprintf(request->error, request->size,
		 "more than %d events, or more than %d in braces: leave some out", EVENTS_MAX,
		 GROUP_EVENTS_MAX);
	return false;
}

static bool encode(struct request *request, const char *name, struct group_event *event)
{
	snprintf(event->name, sizeof event->name, "%s", name);
	if (event_encode(name, (const char *const *)request->presets.names, &event->code,
			 request->error, request->size))
		return true;
	if (access(name, F_OK) == 0)
		snprintf(request->error, request->size,
			 "no event or preset is called '%s': write ./%s for the file", name, name);
	return false;
}

/* The events of a formula as one set, so that they are counted together if that is possible. */
static bool add_metric(struct request *request, const struct preset_metric *metric,
		       const struct group_event *events, int count)
{
	struct group_event set[PRESET_EVENTS_MAX];
	bool is_used[PRESET_EVENTS_MAX] = {false};
	int used = 0;

	for (int i = 0; i < metric->formula.count; i++)
		if (metric->formula.steps[i].kind == STEP_EVENT)
			is_used[metric->formula.steps[i].event] = true;
	for (int i = 0; i < count; i++)
		if (is_used[i])
			set[used++] = events[i];
	return event_groups_add(&request->groups, set, used, NULL) || say_too_many(request);
}

static bool is_known_metric(const struct request *request, const struct preset_metric *metric)
{
	for (int i = 0; i < request->metric_count; i++)
		if (strcmp(request->metrics[i].metric.name, metric->name) == 0 &&
		    strcmp(request->metrics[i].metric.text, metric->text) == 0)
			return true;
	return false;
}

static bool keep_metrics(struct request *request, const struct preset *preset, const int *index)
{
	for (int i = 0; i < preset->metric_count; i++) {
		if (is_known_metric(request, &preset->metrics[i]))
			continue;
		if (request->metric_count == METRICS_MAX) {
			snprintf(request->error, request->size,
				 "more than %d metrics: leave a preset out", METRICS_MAX);
			return false;
		}
		request->metrics[request->metric_count].metric = preset->metrics[i];
		memcpy(request->metrics[request->metric_count++].index, index,
		       sizeof request->metrics[0].index);
	}
	return true;
}

/* An event that the file names wrongly is reported by its line. */
static bool encode_preset(struct request *request, const char *path, const struct preset *preset,
			  struct group_event *events)
{
	char why[700];

	for (int i = 0; i < preset->event_count; i++) {
		const char *name = preset->events[i].name;

		snprintf(events[i].name, sizeof events[i].name, "%s", name);
		if (event_encode(name, NULL, &events[i].code, why, sizeof why))
			continue;
		snprintf(request->error, request->size, "%s:%d: %s", path, preset->events[i].line,
			 why);
		return false;
	}
	return true;
}

static bool add_preset(struct request *request, const char *name, const char *path)
{
	struct group_event events[PRESET_EVENTS_MAX] = {0};
	struct preset preset;
	int index[PRESET_EVENTS_MAX] = {0};

	if (!preset_read(path, request->pmus, request->pmu_count, &preset, request->error,
			 request->size))
		return false;
	if (!preset.has_section)
		message_say("preset %s has no events for this processor (%s)", name,
			    request->pmu_count ? request->pmus[0] : "unknown to libpfm4");
	if (!encode_preset(request, path, &preset, events))
		return false;
	for (int i = 0; i < preset.metric_count; i++)
		if (!add_metric(request, &preset.metrics[i], events, preset.event_count))
			return false;
	if (!event_groups_add(&request->groups, events, preset.event_count, index))
		return say_too_many(request);
	return keep_metrics(request, &preset, index);
}

static bool add_item(struct request *request, const struct event_item *item)
{
	struct group_event event = {.period = item->period};
	char path[PATH_MAX];

	if (preset_find(item->name, path)) {
		if (!item->period)
			return add_preset(request, item->name, path);
		snprintf(request->error, request->size,
			 "preset '%s' cannot be sampled: give a period to one of its events",
			 item->name);
		return false;
	}
	if (!encode(request, item->name, &event))
		return false;
	return event_groups_add(&request->groups, &event, 1, NULL) || say_too_many(request);
}

/* Items of one pair of braces; returns their number, 0: an error. */
static int add_braces(struct request *request, const struct event_item *items, int count)
{
	struct group_event set[EVENT_LIST_MAX] = {0};
	char path[PATH_MAX];
	int used = 0;

	for (; used < count && items[used].braces == items[0].braces; used++) {
		if (preset_find(items[used].name, path)) {
			snprintf(request->error, request->size,
				 "preset '%s' makes groups itself: write it outside of the braces",
				 items[used].name);
			return 0;
		}
		if (!encode(request, items[used].name, &set[used]))
			return 0;
	}
	if (!event_groups_add_together(&request->groups, set, used)) {
		say_too_many(request);
		return 0;
	}
	return used;
}

static bool add_items(struct request *request, const struct event_list *list)
{
	for (int i = 0; i < list->count;) {
		const struct event_item *item = &list->items[i];
		int used = item->braces ? add_braces(request, item, list->count - i)
					: add_item(request, item);

		if (!used)
			return false;
		i += used;
	}
	return true;
}

static bool append(char *text, const char *variable, const char *entry)
{
	size_t length = strlen(text);
	size_t room = COUNTERS_TEXT_MAX - strlen(variable) - 1;

	return snprintf(text + length, length < room ? room - length : 0, "%s%s", length ? ";" : "",
			entry) < (int)(room - length);
}

static bool write_events(const struct event_groups *groups, const int *position, char *text)
{
	char entry[EVENT_NAME_SIZE + 200];

	*text = '\0';
	for (int place = 1; place <= groups->count; place++)
		for (int i = 0; i < groups->count; i++) {
			const struct group_event *event = &groups->events[i];
			const struct event_code *code = &event->code;

			if (position[i] != place)
				continue;
			snprintf(entry, sizeof entry,
				 "%d %" PRIx32 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx32
				 " %" PRIu64 " %s %s",
				 event->group, code->type, code->config, code->config1,
				 code->config2, code->flags, event->period,
				 event_code_is_clock(code) ? "ns" : "count", event->name);
			if (!append(text, EVENTS_VARIABLE, entry))
				return false;
		}
	return true;
}

static bool write_metrics(const struct request *request, const int *position, char *text)
{
	char entry[1200], steps[800];

	*text = '\0';
	for (int i = 0; i < request->metric_count; i++) {
		const struct preset_metric *metric = &request->metrics[i].metric;
		int places[PRESET_EVENTS_MAX];

		for (int j = 0; j < PRESET_EVENTS_MAX; j++)
			places[j] = position[request->metrics[i].index[j]];
		if (!formula_text(&metric->formula, places, steps, sizeof steps))
			return false;
		snprintf(entry, sizeof entry, "%s|%s|%s|%s", metric->name, metric->unit,
			 metric->text, steps);
		if (!append(text, METRICS_VARIABLE, entry))
			return false;
	}
	return true;
}

static bool write_variables(struct request *request, char *events, char *metrics)
{
	int position[EVENTS_MAX] = {0};

	event_groups_order(&request->groups, position);
	if (write_events(&request->groups, position, events) &&
	    write_metrics(request, position, metrics))
		return true;
	snprintf(request->error, request->size,
		 "the events or metrics need more than %d bytes of the environment: leave some out",
		 COUNTERS_TEXT_MAX);
	return false;
}

bool counters_encode(const char *list, char events[COUNTERS_TEXT_MAX],
		     char metrics[COUNTERS_TEXT_MAX], char *error, unsigned long size)
{
	static struct event_list items;
	static struct request request;

	request = (struct request){.error = error, .size = size};
	if (!event_list_parse(list, &items, error, size))
		return false;
	preset_names_find(&request.presets);
	request.pmu_count = event_names_core_pmus(request.pmus);
	request.groups.budget = counter_budget_find();
	bool is_good = add_items(&request, &items) && write_variables(&request, events, metrics);
	preset_names_free(&request.presets);
	return is_good;
}

static struct {
	bool is_given;
	char events[COUNTERS_TEXT_MAX], metrics[COUNTERS_TEXT_MAX];
} variables;

bool counters_is_encoded(const char *value)
{
	size_t digits = strspn(value, "0123456789");

	return digits > 0 && value[digits] == ' ';
}

void counters_prepare(const char *list)
{
	char error[1500];

	if (!list) {
		list = getenv(EVENTS_VARIABLE);
		if (!list || counters_is_encoded(list))
			return;
	}
	variables.is_given = true;
	if (*list &&
	    !counters_encode(list, variables.events, variables.metrics, error, sizeof error))
		message_fail(STATUS_USAGE, "%s", error);
}

static void set_or_clear(const char *name, const char *value)
{
	if (*value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

void counters_set_environment(void)
{
	if (!variables.is_given)
		return;
	set_or_clear(EVENTS_VARIABLE, variables.events);
	set_or_clear(METRICS_VARIABLE, variables.metrics);
}

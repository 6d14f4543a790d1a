/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_spread.h"

#include "analyze/base/memory.h"
#include "analyze/print/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "process 12" or "process 12, thread 13 (name)"; released by the caller. */
static char *unit_text(const struct report *report, const struct spread_unit *unit)
{
	uint32_t pid = report->run->processes[unit->process].file->header.pid;

	return unit->name ? memory_print("process %u, thread %llu (%s)", pid,
					 (unsigned long long)unit->tid, unit->name)
			  : memory_print("process %u", pid);
}

static struct json_object *unit_json(const struct report *report, const struct spread_unit *unit)
{
	char *text = unit_text(report, unit);
	struct json_object *object = json_text(text);

	free(text);
	return object;
}

struct named_value {
	uint64_t ns;
	char *at;
};

/* Equal times are in the order of what is shown: that of the processes may be another one in a
 * merged run. */
static int compare_values(const void *left, const void *right)
{
	const struct named_value *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return strcmp(a->at, b->at);
}

static struct json_object *values_json(const struct report *report, const struct line_time *cpu)
{
	struct json_object *list = json_object_new_array();
	struct named_value *values = memory_allocate(cpu->value_count, sizeof *values);

	for (size_t i = 0; i < cpu->value_count; i++)
		values[i] = (struct named_value){cpu->values[i].ns,
						 unit_text(report, &cpu->values[i].at)};
	if (cpu->value_count)
		qsort(values, cpu->value_count, sizeof *values, compare_values);
	for (size_t i = 0; i < cpu->value_count; i++) {
		struct json_object *value = json_object_new_object();

		json_add(value, "at", json_text(values[i].at));
		json_add(value, "seconds", json_seconds(values[i].ns));
		json_object_array_add(list, value);
		free(values[i].at);
	}
	free(values);
	return list;
}

void report_values_add(const struct report *report, struct json_object *object,
		       const struct line_time *cpu)
{
	size_t known = cpu->value_count, all = cpu->spread.count;

	json_add(object, "values", values_json(report, cpu));
	json_add(object, "values_left_out", json_count(all > known ? all - known : 0));
}

void report_spread_add(const struct report *report, struct json_object *object,
		       const struct spread *spread)
{
	const struct spread none = {0, NAN, NAN, NAN, NAN, {0}, {0}};
	const struct spread *shown = spread && spread->count ? spread : &none;

	json_add(object, "threads", json_count(shown->count));
	json_add(object, "min_seconds", json_seconds_of(shown->min_ns));
	json_add(object, "mean_seconds", json_seconds_of(shown->mean_ns));
	json_add(object, "max_seconds", json_seconds_of(shown->max_ns));
	json_add(object, "stddev_seconds", json_seconds_of(shown->deviation_ns));
	json_add(object, "min_at", shown->count ? unit_json(report, &shown->min_at) : NULL);
	json_add(object, "max_at", shown->count ? unit_json(report, &shown->max_at) : NULL);
}

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

char *report_spread_at(const struct report *report, const struct spread *spread,
		       const struct spread_unit *unit)
{
	return spread->count ? unit_text(report, unit) : NULL;
}

const struct spread *report_spread_known(const struct spread *spread)
{
	static const struct spread none = {
		.mean_ns = NAN, .min_ns = NAN, .max_ns = NAN, .deviation_ns = NAN};

	return spread->count ? spread : &none;
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

struct json_object *report_spread_values(const struct report *report, const struct line_time *cpu)
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

uint64_t report_spread_left_out(const struct line_time *cpu)
{
	size_t known = cpu->value_count, all = cpu->spread.count;

	return all > known ? all - known : 0;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_spread.h"

#include "analyze/base/memory.h"
#include "analyze/print/json.h"

#include <math.h>
#include <stdlib.h>

/* "process 12" or "process 12, thread 13 (name)". */
static struct json_object *unit_json(const struct report *report, const struct spread_unit *unit)
{
	uint32_t pid = report->run->processes[unit->process].file->header.pid;
	char *text = unit->name ? memory_print("process %u, thread %llu (%s)", pid,
					       (unsigned long long)unit->tid, unit->name)
				: memory_print("process %u", pid);
	struct json_object *object = json_text(text);

	free(text);
	return object;
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

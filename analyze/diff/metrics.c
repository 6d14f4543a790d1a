/* SPDX-License-Identifier: MIT */
#include "analyze/diff/metrics.h"

#include "analyze/base/die.h"

#include <stdio.h>
#include <string.h>

static const char *const names[METRIC_LIMIT] = {
	[METRIC_ELAPSED] = "elapsed",   [METRIC_CPU] = "cpu",
	[METRIC_ROUTINES] = "routines", [METRIC_NEW] = "new",
	[METRIC_WORK] = "work",         [METRIC_COUNTS] = "counts",
	[METRIC_MEMORY] = "memory",     [METRIC_INSTRUCTIONS] = "instructions",
	[METRIC_REQUESTS] = "requests", [METRIC_UNITS] = "units",
};

const char *metrics_name(size_t index)
{
	return index < METRIC_LIMIT ? names[index] : NULL;
}

static unsigned read_name(const char *name, size_t length)
{
	char known[128];
	size_t used = 0;

	for (size_t i = 0; i < METRIC_LIMIT; i++)
		if (strlen(names[i]) == length && !strncmp(names[i], name, length))
			return METRIC_BIT(i);
	for (size_t i = 0; i < METRIC_LIMIT; i++)
		used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
					 !i                     ? ""
					 : i + 1 < METRIC_LIMIT ? ", "
								: " and ",
					 names[i]);
	die("--metric %.*s is unknown: use one or more of %s, with commas between them",
	    (int)length, name, known);
}

unsigned metrics_read(const char *list)
{
	unsigned metrics = 0;

	for (;;) {
		size_t length = strcspn(list, ",");

		metrics |= read_name(list, length);
		if (!list[length])
			return metrics;
		list += length + 1;
	}
}

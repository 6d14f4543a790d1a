/* SPDX-License-Identifier: MIT */
/* How long waits took, as histograms. Context: pure but for `out`. */
#pragma once

#include "analyze/report/report.h"

#include <json-c/json.h>

/* A histogram for each of the first `most` rows of the section waits that have waits; with `among`,
 * a list of rows of another section, only of those that are in it by kind, name and operation. */
void html_waits_plot(const struct report *report, struct json_object *waits,
		     struct json_object *among, size_t most);

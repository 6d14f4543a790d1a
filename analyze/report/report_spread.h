/* SPDX-License-Identifier: MIT */
/* How evenly a time is shared by threads or processes, as JSON. */
#pragma once

#include "analyze/model/time/line_time.h"
#include "analyze/report/report.h"

/* Adds the keys from threads to max_at. NULL, or without a unit: they are null, and threads is 0.
 */
void report_spread_add(const struct report *report, struct json_object *object,
		       const struct spread *spread);
/* The times behind the spread of a line: `values`, a list of objects with `at` and `seconds`, the
 * largest first; and how many smaller ones are not known, `values_left_out`. */
void report_values_add(const struct report *report, struct json_object *object,
		       const struct line_time *cpu);

/* SPDX-License-Identifier: MIT */
/* How evenly a time is shared by threads or processes (spread_fields.def). Context: pure. */
#pragma once

#include "analyze/model/time/line_time.h"
#include "analyze/report/report.h"

/* The spread, or one that is unknown but for its count, 0. */
const struct spread *report_spread_known(const struct spread *spread);
/* A unit of it, "process 12, thread 13 (name)"; NULL: it has none. Released by the caller. */
char *report_spread_at(const struct report *report, const struct spread *spread,
		       const struct spread_unit *unit);
/* The times behind the spread of a line: a list of objects with `at` and `seconds`, the largest
 * first. */
struct json_object *report_spread_values(const struct report *report, const struct line_time *cpu);
/* How many smaller ones are not known. */
uint64_t report_spread_left_out(const struct line_time *cpu);

/* SPDX-License-Identifier: MIT */
/* Lengths by powers of two, of waits and of requests, as rows of reports show them. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/model/common/histogram.h"

#include <json-c/json.h>

/* Exact where the bounds meet, unknown where nothing was counted. */
enum grade report_percentile_grade(struct histogram_percentile percentile);
/* The bins that are not empty: "from_seconds", "below_seconds" (null: the last one is open), and
 * "count". */
struct json_object *report_lengths_json(const struct histogram *lengths);

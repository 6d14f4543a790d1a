/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_lengths.h"

#include "analyze/print/json.h"

#include <math.h>

enum grade report_percentile_grade(struct histogram_percentile percentile)
{
	if (isnan(percentile.value))
		return GRADE_UNKNOWN;
	return percentile.low == percentile.high ? GRADE_EXACT : GRADE_ESTIMATED;
}

struct json_object *report_lengths_json(const struct histogram *lengths)
{
	struct json_object *list = json_object_new_array();

	for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
		struct json_object *bin = lengths->bins[b] ? json_object_new_object() : NULL;

		if (!bin)
			continue;
		json_add(bin, "from_seconds", json_seconds(b ? UINT64_C(1) << b : 0));
		json_add(bin, "below_seconds",
			 b + 1 < HISTOGRAM_BINS ? json_seconds(UINT64_C(2) << b) : NULL);
		json_add(bin, "count", json_count(lengths->bins[b]));
		json_object_array_add(list, bin);
	}
	return list;
}

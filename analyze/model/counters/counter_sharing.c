/* SPDX-License-Identifier: MIT */
#include "analyze/model/counters/counter_sharing.h"

#include "analyze/model/counters/counter_roles.h"

#include <math.h>

double counters_modified(const struct counters *counters, const struct counter_place *place,
			 enum counter_part part)
{
	size_t near = counters_role(counters, COUNTER_MODIFIED);
	size_t far = counters_role(counters, COUNTER_MODIFIED_FAR);
	double more = far ? counters_value(counters, place, far, part) : 0;

	if (!near)
		return NAN;
	return counters_value(counters, place, near, part) + more;
}

static double rate_of(const struct counters *counters, const struct counter_place *place,
		      enum counter_part part)
{
	size_t instructions = counters_role(counters, COUNTER_INSTRUCTIONS);
	double executed = instructions ? counters_value(counters, place, instructions, part) : NAN;

	return executed > 0 ? 1000 * counters_modified(counters, place, part) / executed : NAN;
}

struct counter_sharing counters_sharing(const struct counters *counters,
					const struct counter_place *place)
{
	size_t instructions = counters_role(counters, COUNTER_INSTRUCTIONS);
	struct counter_sharing sharing = {
		.reads = counters_modified(counters, place, COUNTER_COMPANY),
		.rate = rate_of(counters, place, COUNTER_COMPANY),
		.rate_alone = rate_of(counters, place, COUNTER_ALONE),
		.company_ns = counter_place_sum(place, COUNTER_CPU, COUNTER_COMPANY)->scaled,
	};

	if (!instructions)
		return sharing;
	sharing.samples = counter_place_sum(place, instructions, COUNTER_COMPANY)->samples;
	sharing.samples_alone = counter_place_sum(place, instructions, COUNTER_ALONE)->samples;
	return sharing;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/timeline_mean.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct timeline_mean timeline_mean_of(const struct run_timeline *timeline, size_t first, size_t end)
{
	double bin_ns = (double)timeline->bin_ns;
	struct timeline_mean mean = {.from_ns = bin_ns * (double)first,
				     .to_ns = bin_ns * (double)end};

	for (size_t bin = first; bin < end; bin++) {
		mean.on_processor += timeline->on_processor_ns[bin];
		mean.useful += timeline->useful_ns[bin];
	}
	mean.on_processor /= mean.to_ns - mean.from_ns;
	mean.useful /= mean.to_ns - mean.from_ns;
	return mean;
}

struct timeline_means timeline_means_of(const struct run_timeline *timeline)
{
	struct timeline_means means = {memory_allocate(timeline->count, sizeof *means.on_processor),
				       memory_allocate(timeline->count, sizeof *means.useful), 0,
				       0};

	for (size_t bin = 0; bin < timeline->count; bin++) {
		struct timeline_mean mean = timeline_mean_of(timeline, bin, bin + 1);

		means.on_processor[bin] = mean.on_processor;
		means.useful[bin] = mean.useful;
		means.on_processor_ns += timeline->on_processor_ns[bin];
		means.most = fmax(means.most, fmax(mean.on_processor, mean.useful));
	}
	return means;
}

void timeline_means_clear(struct timeline_means *means)
{
	free(means->on_processor);
	free(means->useful);
	*means = (struct timeline_means){0};
}

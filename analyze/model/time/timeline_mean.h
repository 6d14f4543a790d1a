/* SPDX-License-Identifier: MIT */
/* The mean number of threads that were active over bins of a run's time line. Context: pure. */
#pragma once

#include "analyze/model/time/run_timeline.h"

struct timeline_mean {
	double from_ns, to_ns; /* since the start of bin 0 */
	double on_processor, useful;
};

/* Of bins first .. end - 1. */
struct timeline_mean timeline_mean_of(const struct run_timeline *timeline, size_t first,
				      size_t end);

/* Means of each bin, and the largest of all. */
struct timeline_means {
	double *on_processor, *useful;
	double most;
	double on_processor_ns; /* thread time of all bins: less than the CPU time if only a part of
				   the context-switch records was taken */
};

struct timeline_means timeline_means_of(const struct run_timeline *timeline);
void timeline_means_clear(struct timeline_means *means);

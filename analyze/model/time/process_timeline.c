/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/process_timeline.h"

#include "analyze/model/process/process.h"

#include <math.h>

static int metric_of(uint64_t metric)
{
	if (metric == TIMELINE_USEFUL)
		return TIME_USEFUL;
	return metric == TIMELINE_ON_PROCESSOR ? TIME_ON_PROCESSOR : -1;
}

static void read_bins(struct time_bins *bins, const struct profile *profile)
{
	for (size_t i = 0; i < profile->timeline.count; i++) {
		const struct profile_timeline *row = &profile->timeline.rows[i];
		int metric = metric_of(row->metric);

		if (metric >= 0 && time_bins_are_sane(row->shift, row->bin, (double)row->time_ns))
			time_bins_add(bins, (enum time_metric)metric, (unsigned)row->shift,
				      row->bin, (double)row->time_ns);
	}
}

static void agree(struct time_bins *bins, enum time_metric metric, const struct process *process,
		  double sum_ns, const double most_ns[TIME_BINS])
{
	uint64_t end_ns = process->life.end_ns;

	if (!(time_bins_sum(bins, metric) > 0) && process->elapsed_ns <= end_ns)
		time_bins_spread(bins, metric, end_ns - process->elapsed_ns, end_ns, sum_ns);
	time_bins_scale(bins, metric, sum_ns, most_ns);
}

struct time_bins process_timeline_of(const struct profile *profile, const struct process *process)
{
	uint64_t processors = process->file->process.processors;
	struct time_bins bins = {0};
	double most_ns[TIME_BINS];

	read_bins(&bins, profile);
	for (size_t i = 0; i < TIME_BINS; i++)
		most_ns[i] = processors ? ldexp((double)processors, (int)bins.shift) : INFINITY;
	agree(&bins, TIME_ON_PROCESSOR, process, process->on_processor_ns, most_ns);
	agree(&bins, TIME_USEFUL, process, process->useful_ns, bins.ns[TIME_ON_PROCESSOR]);
	return bins;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/run_timeline.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/process/process.h"
#include "analyze/model/process/process_clock.h"
#include "analyze/model/time/process_timeline.h"
#include "analyze/tables/merged_input.h"

#include <stdlib.h>
#include <string.h>

struct run_timeline_accumulator {
	const char *host;  /* whose clock counts; NULL: nothing was added yet */
	int64_t offset_ns; /* time of day - CLOCK_MONOTONIC there */
	struct time_bins bins;
};

/* A bin of another host's clock overlaps two of ours: each gets its part. */
static void add_shifted(struct time_bins *bins, enum time_metric metric, unsigned shift,
			uint64_t bin, int64_t offset_ns, double time_ns)
{
	uint64_t length = (uint64_t)1 << shift;
	uint64_t begin = (bin << shift) + (uint64_t)offset_ns;
	double part = (double)(begin & (length - 1)) / (double)length;

	if (offset_ns < 0 && (bin << shift) < -(uint64_t)offset_ns)
		return; /* before that host was started */
	time_bins_add(bins, metric, shift, begin >> shift, time_ns * (1 - part));
	if (part > 0)
		time_bins_add(bins, metric, shift, (begin >> shift) + 1, time_ns * part);
}

/* To be added to instants of a process to get those of the first one. */
static int64_t align(struct run_timeline_accumulator *accumulator, const char *host,
		     int64_t offset_ns)
{
	if (!accumulator->host) {
		accumulator->host = host;
		accumulator->offset_ns = offset_ns;
	}
	if (!strcmp(accumulator->host, host) &&
	    process_clock_is_one(offset_ns, accumulator->offset_ns))
		return 0;
	return number_difference(offset_ns, accumulator->offset_ns);
}

void run_timeline_add(struct run_timeline_accumulator *accumulator, const struct profile *profile,
		      const struct process *process)
{
	int64_t offset_ns =
		align(accumulator, process->file->process.host, process_clock_offset_ns(process));
	struct time_bins bins = process_timeline_of(profile, process);

	for (size_t metric = 0; metric < TIME_METRICS; metric++)
		for (size_t i = 0; i < bins.count; i++)
			if (bins.ns[metric][i] > 0)
				add_shifted(&accumulator->bins, (enum time_metric)metric,
					    bins.shift, bins.first + i, offset_ns,
					    bins.ns[metric][i]);
}

/* ---- life */

struct run_timeline_accumulator *run_timeline_create(void)
{
	return memory_allocate(1, sizeof(struct run_timeline_accumulator));
}

static double *copy_bins(const struct time_bins *bins, enum time_metric metric)
{
	double *copy = memory_allocate(bins->count, sizeof *copy);

	memcpy(copy, bins->ns[metric], bins->count * sizeof *copy);
	return copy;
}

struct run_timeline run_timeline_finish(struct run_timeline_accumulator *accumulator)
{
	const struct time_bins *bins = &accumulator->bins;
	struct run_timeline timeline = {
		.start_ns = bins->first << bins->shift,
		.bin_ns = (uint64_t)1 << bins->shift,
		.count = bins->count,
		.useful_ns = copy_bins(bins, TIME_USEFUL),
		.on_processor_ns = copy_bins(bins, TIME_ON_PROCESSOR),
	};

	free(accumulator);
	return timeline;
}

void run_timeline_clear(struct run_timeline *timeline)
{
	free(timeline->useful_ns);
	free(timeline->on_processor_ns);
}

/* ---- merged runs */

void run_timeline_write(const struct run_timeline_accumulator *accumulator,
			struct merged_writer *writer)
{
	const struct time_bins *bins = &accumulator->bins;

	for (size_t metric = 0; metric < TIME_METRICS; metric++)
		for (size_t i = 0; i < bins->count; i++) {
			struct merged_timeline row = {
				.host = accumulator->host,
				.offset_ns = (uint64_t)accumulator->offset_ns,
				.metric = metric,
				.shift = bins->shift,
				.bin = bins->first + i,
				.time_ns = bins->ns[metric][i],
			};

			if (row.time_ns > 0)
				merged_writer_add(writer, MERGED_timeline, &row);
		}
}

void run_timeline_read(struct run_timeline_accumulator *accumulator,
		       const struct merged_input *input)
{
	struct merged_timeline row;

	for (size_t next = 0; merged_next(input, MERGED_timeline, &next, &row);)
		if (row.metric < TIME_METRICS &&
		    time_bins_are_sane(row.shift, row.bin, row.time_ns))
			add_shifted(&accumulator->bins, (enum time_metric)row.metric,
				    (unsigned)row.shift, row.bin,
				    align(accumulator, row.host, (int64_t)row.offset_ns),
				    row.time_ns);
}

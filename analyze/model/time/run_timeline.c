/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/run_timeline.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/process/process.h"
#include "analyze/tables/merged.h"

#include <stdlib.h>
#include <string.h>

#define SHIFT_MAX 62 /* longer bins are damage */

enum line_metric { LINE_USEFUL, LINE_ON_PROCESSOR, LINE_METRICS };

struct run_timeline_accumulator {
	const char *host;  /* whose clock counts; NULL: nothing was added yet */
	int64_t offset_ns; /* time of day - CLOCK_MONOTONIC there */
	unsigned shift;
	uint64_t first;
	size_t count; /* bins in use */
	double ns[LINE_METRICS][RUN_TIMELINE_BINS];
};

static int metric_of(uint64_t metric)
{
	if (metric == TIMELINE_USEFUL)
		return LINE_USEFUL;
	return metric == TIMELINE_ON_PROCESSOR ? LINE_ON_PROCESSOR : -1;
}

/* Two bins become one. */
static void fold(struct run_timeline_accumulator *accumulator)
{
	uint64_t first = accumulator->first >> 1;
	size_t count = 0;

	for (size_t metric = 0; metric < LINE_METRICS; metric++) {
		double folded[RUN_TIMELINE_BINS] = {0};

		for (size_t i = 0; i < accumulator->count; i++) {
			size_t to = (size_t)(((accumulator->first + i) >> 1) - first);

			folded[to] += accumulator->ns[metric][i];
			count = to + 1;
		}
		memcpy(accumulator->ns[metric], folded, sizeof folded);
	}
	accumulator->first = first;
	accumulator->count = count;
	accumulator->shift++;
}

/* Extends the range to the bin, merging bins if necessary; false: the bin makes no sense. */
static bool cover(struct run_timeline_accumulator *accumulator, unsigned shift, uint64_t bin)
{
	while (accumulator->count && accumulator->shift < shift)
		fold(accumulator);
	if (!accumulator->count) {
		accumulator->shift = shift;
		accumulator->first = bin;
		accumulator->count = 1;
		return true;
	}
	for (; accumulator->shift < SHIFT_MAX; fold(accumulator)) {
		uint64_t at = bin >> (accumulator->shift - shift),
			 end = accumulator->first + accumulator->count;
		uint64_t first = at < accumulator->first ? at : accumulator->first;
		size_t before = (size_t)(accumulator->first - first);

		if ((at < end ? end : at + 1) - first > RUN_TIMELINE_BINS)
			continue;
		for (size_t metric = 0; before && metric < LINE_METRICS; metric++) {
			double *ns = accumulator->ns[metric];

			memmove(ns + before, ns, accumulator->count * sizeof *ns);
			memset(ns, 0, before * sizeof *ns);
		}
		accumulator->first = first;
		accumulator->count = (size_t)((at < end ? end : at + 1) - first);
		return true;
	}
	return false;
}

static void add_bin(struct run_timeline_accumulator *accumulator, enum line_metric metric,
		    unsigned shift, uint64_t bin, double time_ns)
{
	if (cover(accumulator, shift, bin))
		accumulator
			->ns[metric][(bin >> (accumulator->shift - shift)) - accumulator->first] +=
			time_ns;
}

/* A bin of another host's clock overlaps two of ours: each gets its part. */
static void add_shifted(struct run_timeline_accumulator *accumulator, enum line_metric metric,
			unsigned shift, uint64_t bin, int64_t offset_ns, double time_ns)
{
	uint64_t length = (uint64_t)1 << shift;
	uint64_t begin = (bin << shift) + (uint64_t)offset_ns;
	double part = (double)(begin & (length - 1)) / (double)length;

	if (offset_ns < 0 && (bin << shift) < -(uint64_t)offset_ns)
		return; /* before that host was started */
	add_bin(accumulator, metric, shift, begin >> shift, time_ns * (1 - part));
	if (part > 0)
		add_bin(accumulator, metric, shift, (begin >> shift) + 1, time_ns * part);
}

/* To be added to instants of a host to get those of the first one. */
static int64_t align(struct run_timeline_accumulator *accumulator, const char *host,
		     int64_t offset_ns)
{
	if (!accumulator->host) {
		accumulator->host = host;
		accumulator->offset_ns = offset_ns;
	}
	return strcmp(accumulator->host, host)
		       ? number_difference(offset_ns, accumulator->offset_ns)
		       : 0;
}

/* A time that no clock can reach would make sums infinite, and plots endless. */
static bool is_sane(uint64_t shift, uint64_t bin, double time_ns)
{
	return shift < SHIFT_MAX && bin < UINT64_MAX >> (shift + 1) && time_ns > 0 &&
	       time_ns <= 0x1p64;
}

void run_timeline_add(struct run_timeline_accumulator *accumulator, const struct profile *profile,
		      const struct process *process)
{
	const struct format_header *header = &process->file->header;
	int64_t offset_ns = align(accumulator, process->file->process.host,
				  (int64_t)(header->start_realtime_ns - header->start_ns));

	for (size_t i = 0; i < profile->timeline.count; i++) {
		const struct profile_timeline *row = &profile->timeline.rows[i];
		int metric = metric_of(row->metric);

		if (metric >= 0 && is_sane(row->shift, row->bin, (double)row->time_ns))
			add_shifted(accumulator, (enum line_metric)metric, (unsigned)row->shift,
				    row->bin, offset_ns, (double)row->time_ns);
	}
}

/* ---- life */

struct run_timeline_accumulator *run_timeline_create(void)
{
	return memory_allocate(1, sizeof(struct run_timeline_accumulator));
}

static double *copy_bins(const struct run_timeline_accumulator *accumulator,
			 enum line_metric metric)
{
	double *bins = memory_allocate(accumulator->count, sizeof *bins);

	memcpy(bins, accumulator->ns[metric], accumulator->count * sizeof *bins);
	return bins;
}

struct run_timeline run_timeline_finish(struct run_timeline_accumulator *accumulator)
{
	struct run_timeline timeline = {
		.start_ns = accumulator->first << accumulator->shift,
		.bin_ns = (uint64_t)1 << accumulator->shift,
		.count = accumulator->count,
		.useful_ns = copy_bins(accumulator, LINE_USEFUL),
		.on_processor_ns = copy_bins(accumulator, LINE_ON_PROCESSOR),
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
	for (size_t metric = 0; metric < LINE_METRICS; metric++)
		for (size_t i = 0; i < accumulator->count; i++) {
			struct merged_timeline row = {
				.host = accumulator->host,
				.offset_ns = (uint64_t)accumulator->offset_ns,
				.metric = metric,
				.shift = accumulator->shift,
				.bin = accumulator->first + i,
				.time_ns = accumulator->ns[metric][i],
			};

			if (row.time_ns > 0)
				merged_writer_add(writer, MERGED_timeline, &row);
		}
}

void run_timeline_read(struct run_timeline_accumulator *accumulator,
		       const struct merged_input *input)
{
	size_t count;
	const struct merged_timeline *rows = merged_file_rows(input->file, MERGED_timeline, &count);

	for (size_t i = 0; i < count; i++) {
		const struct merged_timeline *row = &rows[i];

		if (row->metric < LINE_METRICS && is_sane(row->shift, row->bin, row->time_ns))
			add_shifted(accumulator, (enum line_metric)row->metric,
				    (unsigned)row->shift, row->bin,
				    align(accumulator, row->host, (int64_t)row->offset_ns),
				    row->time_ns);
	}
}

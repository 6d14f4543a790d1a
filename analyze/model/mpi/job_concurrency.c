/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/job_concurrency.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"

#include <math.h>
#include <stdlib.h>

#define SHIFT_MAX  62
#define LEVELS_MAX (1u << 20)
#define DEVIATIONS 6 /* of the normal distribution that are computed: the rest is below 1e-8 */

/* ---- lines */

static void fold_line(struct job_line *line)
{
	uint64_t first = line->first / 2;
	size_t count = line->count ? (size_t)((line->first + line->count - 1) / 2 - first + 1) : 0;

	for (size_t metric = 0; metric < JOB_METRICS; metric++) {
		float *folded = memory_allocate(count + 1, sizeof *folded);

		for (size_t i = 0; i < line->count; i++)
			folded[(line->first + i) / 2 - first] += line->bins[metric][i];
		free(line->bins[metric]);
		line->bins[metric] = folded;
	}
	line->first = first;
	line->count = count;
	line->shift++;
}

static void keep_bound(struct job_concurrency *job)
{
	while (job->bin_count > JOB_BINS_MAX && job->bin_count > 2 * job->count) {
		job->bin_count = 0;
		for (size_t i = 0; i < job->count; i++) {
			fold_line(&job->lines[i]);
			job->bin_count += job->lines[i].count;
		}
	}
}

static int metric_of(const struct profile_timeline *row)
{
	return row->metric == TIMELINE_USEFUL         ? JOB_USEFUL
	       : row->metric == TIMELINE_ON_PROCESSOR ? JOB_ON_PROCESSOR
						      : -1;
}

/* A profile may have been read while its bins were being merged: the longest bins are used. */
static bool find_range(const struct profile *profile, struct job_line *line)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < profile->timeline.count; i++)
		if (profile->timeline.rows[i].shift > line->shift)
			line->shift =
				(unsigned)fmin((double)profile->timeline.rows[i].shift, SHIFT_MAX);
	for (size_t i = 0; i < profile->timeline.count; i++) {
		const struct profile_timeline *row = &profile->timeline.rows[i];

		if (metric_of(row) < 0 || row->shift > SHIFT_MAX || !row->time_ns)
			continue;
		uint64_t bin = row->bin >> (line->shift - row->shift);

		first = bin < first ? bin : first;
		last = bin > last ? bin : last;
	}
	if (first > last || last - first >= JOB_BINS_MAX)
		return false;
	line->first = first;
	line->count = (size_t)(last - first + 1);
	return true;
}

static void scale(struct job_line *line, enum job_metric metric, double known_ns)
{
	double sum = 0;

	for (size_t i = 0; i < line->count; i++)
		sum += (double)line->bins[metric][i];
	if (sum <= 0 || fabs(sum - known_ns) <= CALIBRATION_AGREEMENT * known_ns)
		return;
	for (size_t i = 0; i < line->count; i++)
		line->bins[metric][i] *= (float)(known_ns / sum);
}

bool job_line_is_valid(uint64_t shift, uint64_t first, uint64_t count)
{
	return shift <= SHIFT_MAX && count && count <= JOB_BINS_MAX && first <= UINT64_MAX - count;
}

struct job_line job_line_create(size_t process, unsigned shift, uint64_t first, size_t count)
{
	struct job_line line = {.process = process, .shift = shift, .first = first, .count = count};

	for (size_t metric = 0; metric < JOB_METRICS; metric++)
		line.bins[metric] = memory_allocate(count, sizeof *line.bins[metric]);
	return line;
}

void job_concurrency_append(struct job_concurrency *job, const struct job_line *line)
{
	job->lines = memory_grow(job->lines, job->count, &job->capacity, sizeof *job->lines);
	job->lines[job->count++] = *line;
	job->bin_count += line->count;
	keep_bound(job);
}

static int compare_lines(const void *left, const void *right)
{
	const struct job_line *a = left, *b = right;

	return (a->process > b->process) - (a->process < b->process);
}

void job_concurrency_sort(struct job_concurrency *job)
{
	if (job->count)
		qsort(job->lines, job->count, sizeof *job->lines, compare_lines);
}

void job_concurrency_add(struct job_concurrency *job, const struct mpi_source *source,
			 const struct mpi_rank *rank)
{
	const struct profile *profile = source->profile;
	struct job_line line = {.process = source->process};

	if (!find_range(profile, &line))
		return;
	line = job_line_create(line.process, line.shift, line.first, line.count);
	for (size_t i = 0; i < profile->timeline.count; i++) {
		const struct profile_timeline *row = &profile->timeline.rows[i];
		int metric = metric_of(row);

		if (metric >= 0 && row->shift <= SHIFT_MAX && row->time_ns)
			line.bins[metric][(row->bin >> (line.shift - row->shift)) - line.first] +=
				(float)row->time_ns;
	}
	scale(&line, JOB_USEFUL, rank->useful_ns);
	scale(&line, JOB_ON_PROCESSOR, (double)rank->cpu_ns);
	job_concurrency_append(job, &line);
}

void job_concurrency_clear(struct job_concurrency *job)
{
	for (size_t i = 0; i < job->count; i++)
		for (size_t metric = 0; metric < JOB_METRICS; metric++)
			free(job->lines[i].bins[metric]);
	free(job->lines);
	*job = (struct job_concurrency){0};
}

/* ---- bins of the job */

/* The distribution of the number of active threads in one bin: `full` of them always, the others
 * with a probability. */
struct bin {
	uint64_t full;
	size_t parts;
	double mean, variance; /* of the parts */
	double chance[JOB_EXACT_PARTS + 1];
};

struct axis {
	unsigned shift;
	double start_ns, end_ns; /* of the job, on the clock of the first host */
	uint64_t first;
	size_t count;
	struct bin *bins;
};

/* How much of the bin is within the life of the job. */
static double width_of(const struct axis *axis, size_t bin)
{
	double low = ldexp((double)(axis->first + bin), (int)axis->shift);
	double high = ldexp((double)(axis->first + bin + 1), (int)axis->shift);

	return fmin(high, axis->end_ns) - fmax(low, axis->start_ns);
}

static void add_part(struct bin *bin, double chance)
{
	if (!bin->parts)
		bin->chance[0] = 1;
	if (++bin->parts <= JOB_EXACT_PARTS) {
		for (size_t i = bin->parts; i > 0; i--)
			bin->chance[i] =
				bin->chance[i] * (1 - chance) + bin->chance[i - 1] * chance;
		bin->chance[0] *= 1 - chance;
	}
	bin->mean += chance;
	bin->variance += chance * (1 - chance);
}

static void add_time(struct axis *axis, size_t bin, double ns)
{
	double width = width_of(axis, bin), threads = width > 0 ? ns / width : 0;
	double whole = fmin(floor(threads), LEVELS_MAX);

	if (threads <= 0)
		return;
	axis->bins[bin].full += (uint64_t)whole;
	if (threads > whole)
		add_part(&axis->bins[bin], fmin(threads - whole, 1));
}

/* Bins of another host, or shorter ones, are added to the bin in which their middle is. */
static void add_line(struct axis *axis, const struct job_line *line, enum job_metric metric,
		     double offset_ns)
{
	double *sums = memory_allocate(axis->count, sizeof *sums);

	for (size_t i = 0; i < line->count; i++) {
		double middle =
			ldexp((double)(line->first + i) + 0.5, (int)line->shift) + offset_ns;
		double bin = floor(ldexp(middle, -(int)axis->shift)) - (double)axis->first;

		bin = fmin(fmax(bin, 0), (double)axis->count - 1);
		sums[(size_t)bin] += (double)line->bins[metric][i];
	}
	for (size_t i = 0; i < axis->count; i++)
		add_time(axis, i, sums[i]);
	free(sums);
}

/* By process, so that each line finds its offset at once. */
static double *list_offsets(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks,
			    size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < ranks->count; i++)
		if (ranks->rows[i].process >= *count)
			*count = ranks->rows[i].process + 1;
	double *offsets = memory_allocate(*count, sizeof *offsets);

	for (size_t i = 0; i < ranks->count; i++)
		offsets[ranks->rows[i].process] = mpi_clocks_offset(clocks, i);
	return offsets;
}

static bool make_axis(struct axis *axis, const struct job_concurrency *job,
		      const struct mpi_ranks *ranks, const struct mpi_clocks *clocks)
{
	*axis = (struct axis){.start_ns = INFINITY, .end_ns = -INFINITY};
	for (size_t i = 0; i < job->count; i++)
		if (job->lines[i].shift > axis->shift)
			axis->shift = job->lines[i].shift;
	for (size_t i = 0; i < ranks->count; i++) {
		double offset = mpi_clocks_offset(clocks, i);

		axis->start_ns = fmin(axis->start_ns, (double)ranks->rows[i].start_ns + offset);
		axis->end_ns = fmax(axis->end_ns, (double)ranks->rows[i].end_ns + offset);
	}
	double first = floor(ldexp(fmax(axis->start_ns, 0), -(int)axis->shift));
	double last = ceil(ldexp(axis->end_ns, -(int)axis->shift)) - 1;

	if (!(axis->end_ns > axis->start_ns) || !(last >= first) || last - first >= JOB_BINS_MAX)
		return false;
	axis->first = number_of_real(first);
	axis->count = (size_t)(last - first + 1);
	axis->bins = memory_allocate(axis->count, sizeof *axis->bins);
	return true;
}

/* ---- levels */

struct levels {
	double *ns;
	size_t count, capacity;
};

static void add_level(struct levels *levels, double level, double ns)
{
	size_t i = level > 0 ? (size_t)fmin(level, LEVELS_MAX) : 0;

	while (i >= levels->count) {
		levels->ns = memory_grow(levels->ns, levels->count, &levels->capacity,
					 sizeof *levels->ns);
		levels->count++;
	}
	levels->ns[i] += ns;
}

static double normal_below(const struct bin *bin, double value)
{
	return 0.5 * erfc((bin->mean - value) / sqrt(2 * bin->variance));
}

static void add_normal(struct levels *levels, const struct bin *bin, double width)
{
	double reach = DEVIATIONS * sqrt(bin->variance) + 1, before = 0;
	double low = fmax(0, floor(bin->mean - reach));
	double high = fmin((double)bin->parts, ceil(bin->mean + reach));

	for (double i = low; i <= high; i++) {
		double below = i < high ? normal_below(bin, i + 0.5) : 1;

		add_level(levels, (double)bin->full + i, width * (below - before));
		before = below;
	}
}

static void add_bin(struct levels *levels, const struct bin *bin, double width)
{
	if (!bin->parts)
		add_level(levels, (double)bin->full, width);
	else if (bin->parts > JOB_EXACT_PARTS && bin->variance > 0)
		add_normal(levels, bin, width);
	else
		for (size_t i = 0; i <= bin->parts && i <= JOB_EXACT_PARTS; i++)
			add_level(levels, (double)bin->full + (double)i, width * bin->chance[i]);
}

/* Adds thread time on processors that were free: each level is raised by one, beginning with the
 * one below the full one. Returns what does not fit. */
static double raise(struct levels *levels, size_t most, double excess)
{
	double moved = 1;

	for (size_t pass = 0; excess > 0 && moved > 0 && pass < most; pass++) {
		moved = 0;
		for (size_t i = most; i-- > 0 && excess > 0;) {
			double step = fmin(excess, levels->ns[i]);
			levels->ns[i] -= step;
			levels->ns[i + 1] += step;
			excess -= step;
			moved += step;
		}
	}
	return excess;
}

/* Moves threads above `most` to processors that were free in the same bin. Returns what does not
 * fit there: a time line without records may overfill a bin. */
static double fold_above(struct levels *levels, size_t most)
{
	double excess = 0;

	for (size_t i = most + 1; i < levels->count; i++) {
		excess += (double)(i - most) * levels->ns[i];
		levels->ns[most] += levels->ns[i];
		levels->ns[i] = 0;
	}
	return raise(levels, most, excess);
}

/* The same of threads that were active for the whole bin: all processors are taken. Without it each
 * of a million levels would be looked at. */
static double fold_full(struct bin *bin, uint64_t processors, double width)
{
	uint64_t above = bin->full > processors ? bin->full - processors : 0;

	bin->full -= above;
	return (double)above * width;
}

static void add_axis(struct levels *levels, const struct axis *axis, uint64_t processors)
{
	struct levels one = {0};
	double excess = 0;

	for (size_t i = 0; i < axis->count; i++) {
		struct bin *bin = &axis->bins[i];
		double width = width_of(axis, i);

		if (processors)
			excess += fold_full(bin, processors, width);
		add_bin(&one, bin, width);
		if (processors && processors < one.count)
			excess += fold_above(&one, (size_t)processors);
		for (size_t level = 0; level < one.count; level++) {
			if (one.ns[level] > 0)
				add_level(levels, (double)level, one.ns[level]);
			one.ns[level] = 0;
		}
		one.count = 0; /* the next bin does not loop over the levels of this one */
	}
	if (excess > 0)
		raise(levels, (size_t)processors, excess);
	free(one.ns);
}

static struct efficiency of_levels(const struct levels *levels, double elapsed_ns, uint64_t units)
{
	struct efficiency_level *rows = memory_allocate(levels->count, sizeof *rows);
	size_t count = 0;

	for (size_t i = 0; i < levels->count; i++)
		if (levels->ns[i] >= 1)
			rows[count++] =
				(struct efficiency_level){i, number_of_real(levels->ns[i] + 0.5)};
	return efficiency_from_levels(rows, count, number_of_real(elapsed_ns), GRADE_ESTIMATED,
				      units);
}

struct efficiency job_concurrency_of(const struct job_concurrency *job, enum job_metric metric,
				     const struct mpi_ranks *ranks, const struct mpi_clocks *clocks,
				     uint64_t units, uint64_t processors)
{
	struct levels levels = {0};
	struct axis axis;
	size_t count;

	/* a rank without a time line would look like one that did nothing */
	if (job->count < 2 || job->count < ranks->count || !make_axis(&axis, job, ranks, clocks))
		return efficiency_unknown();
	double *offsets = list_offsets(ranks, clocks, &count);

	for (size_t i = 0; i < job->count; i++)
		add_line(&axis, &job->lines[i], metric,
			 job->lines[i].process < count ? offsets[job->lines[i].process] : 0);
	add_axis(&levels, &axis, processors);
	struct efficiency efficiency = of_levels(&levels, axis.end_ns - axis.start_ns, units);

	free(offsets);
	free(levels.ns);
	free(axis.bins);
	return efficiency;
}

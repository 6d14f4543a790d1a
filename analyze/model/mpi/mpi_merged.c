/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_merged.h"

#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_accumulator_parts.h"

#include <math.h>
#include <stdlib.h>

/* ---- ranks */

static void write_ranks(const struct mpi_ranks *ranks, struct merged_writer *writer)
{
	for (size_t i = 0; i < ranks->count; i++)
		merged_writer_add(writer, MERGED_mpi_ranks, &ranks->rows[i]);
}

static void read_ranks(struct mpi_accumulator *accumulator, const struct merged_input *input)
{
	struct mpi_rank rank = {.job_start = 0};

	for (size_t next = 0; merged_next(input, MERGED_mpi_ranks, &next, &rank);)
		mpi_ranks_append(&accumulator->ranks, &rank);
}

/* ---- sites */

static void write_bins(struct merged_writer *writer, size_t row, bool is_size,
		       const struct histogram *histogram)
{
	for (size_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
		const struct merged_mpi_site_bins copy = {row, is_size, bin, histogram->bins[bin]};

		if (copy.count)
			merged_writer_add(writer, MERGED_mpi_site_bins, &copy);
	}
}

static void write_sites(const struct mpi_sites *sites, struct merged_writer *writer)
{
	const struct mpi_site *site;

	for (size_t i = 0; (site = mpi_sites_row(sites, i)); i++) {
		merged_writer_add(writer, MERGED_mpi_sites, site);
		write_bins(writer, i, false, &site->lengths);
		write_bins(writer, i, true, &site->sizes);
	}
}

/* Of each row of the sites; released by the caller. */
static struct histogram *read_bins(const struct merged_input *input, bool is_size, size_t sites)
{
	struct histogram *histograms = memory_allocate(sites, sizeof *histograms);
	struct merged_mpi_site_bins row;

	for (size_t next = 0; merged_next(input, MERGED_mpi_site_bins, &next, &row);)
		if (row.row < sites && row.bin < HISTOGRAM_BINS && row.is_size == is_size)
			histograms[row.row].bins[row.bin] += row.count;
	return histograms;
}

static void read_sites(struct mpi_accumulator *accumulator, const struct merged_input *input)
{
	size_t count;
	struct mpi_site row = {.deviation_ns = 0};

	merged_input_rows(input, MERGED_mpi_sites, &count);
	struct histogram *lengths = read_bins(input, false, count);
	struct histogram *sizes = read_bins(input, true, count);

	for (size_t next = 0; merged_next(input, MERGED_mpi_sites, &next, &row);) {
		if (row.is_by_name)
			row.routine = row.line = 0;
		row.lengths = lengths[next - 1];
		row.sizes = sizes[next - 1];
		if (row.routine != MERGED_NO_ROW)
			mpi_sites_unite(accumulator->sites, &row);
	}
	free(lengths);
	free(sizes);
}

/* ---- occurrences */

static void write_occurrence(const struct mpi_occurrence *from, struct merged_writer *writer)
{
	merged_writer_add(writer, MERGED_mpi_occurrences, from);
	for (size_t i = 0; i < from->moment_count; i++)
		merged_writer_add(writer, MERGED_mpi_moments, &from->moments[i]);
}

static void write_occurrences(const struct mpi_occurrences *occurrences,
			      struct merged_writer *writer)
{
	for (size_t i = 0; i < occurrences->host_count; i++)
		merged_writer_add(writer, MERGED_mpi_hosts, &occurrences->hosts[i]);
	for (size_t i = 0; i < occurrences->count; i++)
		write_occurrence(occurrences->all[i], writer);
	for (size_t i = 0; i < occurrences->count_count; i++)
		merged_writer_add(writer, MERGED_mpi_call_counts, &occurrences->counts[i]);
}

/* The file's instants are on its first host's clock. Returns what converts them to that of the
 * run. */
static uint64_t read_hosts(struct mpi_occurrences *occurrences, const struct merged_input *input)
{
	size_t count;
	const struct merged_mpi_hosts *rows = merged_input_rows(input, MERGED_mpi_hosts, &count);
	uint64_t offset = 0;

	for (size_t i = count; i-- > 0;)
		offset = (uint64_t)mpi_occurrences_offset(occurrences, rows[i].name,
							  rows[i].realtime_offset);
	return offset;
}

/* From rows of a file that may hold anything. */
static void check_caller(struct mpi_caller *caller)
{
	bool is_known = caller->rank != MPI_NO_RANK && caller->routine != MERGED_NO_ROW;

	if (is_known)
		return;
	caller->rank = MPI_NO_RANK;
	caller->routine = 0;
}

static void read_occurrence(struct mpi_accumulator *accumulator, struct mpi_occurrence *row,
			    const struct merged_mpi_moments *moments)
{
	struct mpi_moment kept[MPI_MOMENTS_MAX];

	check_caller(&row->last);
	check_caller(&row->root);
	if (row->last.rank == MPI_NO_RANK || !row->moment_stride)
		return;
	for (size_t i = 0; i < row->moment_count; i++)
		kept[i] = (struct mpi_moment){moments[i]};
	row->moments = kept;
	mpi_occurrences_unite(&accumulator->occurrences, row);
}

static void read_counts(struct mpi_accumulator *accumulator, const struct merged_input *input)
{
	struct merged_mpi_call_counts row;

	for (size_t next = 0; merged_next(input, MERGED_mpi_call_counts, &next, &row);)
		if (row.size)
			mpi_occurrences_count(&accumulator->occurrences, row.call, row.size,
					      row.calls, row.ns);
}

static void read_occurrences(struct mpi_accumulator *accumulator, const struct merged_input *input)
{
	uint64_t offset = read_hosts(&accumulator->occurrences, input);
	size_t moment_count, at = 0;
	const struct merged_mpi_moments *moments =
		merged_input_rows(input, MERGED_mpi_moments, &moment_count);
	struct mpi_occurrence row = {.moment_capacity = 0};

	for (size_t next = 0; merged_next(input, MERGED_mpi_occurrences, &next, &row);) {
		if (row.moment_count > MPI_MOMENTS_MAX || row.moment_count > moment_count - at)
			break;
		row.base_ns += offset;
		read_occurrence(accumulator, &row, moments + at);
		at += row.moment_count;
	}
	read_counts(accumulator, input);
}

static void write_unranked(const struct mpi_accumulator *accumulator, struct merged_writer *writer)
{
	struct merged_mpi_unranked row = {accumulator->unranked_ns};

	if (accumulator->unranked_ns > 0)
		merged_writer_add(writer, MERGED_mpi_unranked, &row);
}

static void read_unranked(struct mpi_accumulator *accumulator, const struct merged_input *input)
{
	struct merged_mpi_unranked row;

	for (size_t next = 0; merged_next(input, MERGED_mpi_unranked, &next, &row);)
		accumulator->unranked_ns += row.elapsed_ns;
}

/* ---- pairs */

static void write_pairs(const struct mpi_pairs *pairs, struct merged_writer *writer)
{
	for (size_t i = 0; i < pairs->count; i++)
		merged_writer_add(writer, MERGED_mpi_pairs, &pairs->rows[i]);
}

/* Rows of a rank follow each other. */
static void read_pairs(struct mpi_pairs *pairs, const struct merged_input *input)
{
	size_t first = pairs->count;
	struct mpi_pair pair;

	for (size_t next = 0; merged_next(input, MERGED_mpi_pairs, &next, &pair);) {
		if (pairs->count > first &&
		    (pairs->rows[first].rank != pair.rank || pairs->rows[first].job != pair.job)) {
			mpi_pairs_close(pairs, first);
			first = pairs->count;
		}
		mpi_pairs_append(pairs, &pair);
	}
	mpi_pairs_close(pairs, first);
}

/* ---- time lines */

static void write_lines(const struct job_concurrency *job, struct merged_writer *writer)
{
	for (size_t i = 0; i < job->count; i++) {
		const struct job_line *line = &job->lines[i];
		struct merged_mpi_lines row = {line->process, line->shift, line->first,
					       line->count};

		merged_writer_add(writer, MERGED_mpi_lines, &row);
		for (size_t b = 0; b < line->count; b++) {
			struct merged_mpi_bins bin = {(double)line->bins[JOB_USEFUL][b],
						      (double)line->bins[JOB_ON_PROCESSOR][b]};

			merged_writer_add(writer, MERGED_mpi_bins, &bin);
		}
	}
}

/* From a file that may hold anything. */
static float bin_time(double ns)
{
	return (float)fmin(fmax(ns, 0), 1e19);
}

static void read_line(struct job_concurrency *job, const struct merged_mpi_lines *row,
		      const struct merged_mpi_bins *bins)
{
	struct job_line line =
		job_line_create(row->process, (unsigned)row->shift, row->first, row->count);

	for (size_t i = 0; i < line.count; i++) {
		line.bins[JOB_USEFUL][i] = bin_time(bins[i].useful_ns);
		line.bins[JOB_ON_PROCESSOR][i] = bin_time(bins[i].on_processor_ns);
	}
	job_concurrency_append(job, &line);
}

static void read_lines(struct job_concurrency *job, const struct merged_input *input)
{
	size_t bin_count, at = 0;
	const struct merged_mpi_bins *bins = merged_input_rows(input, MERGED_mpi_bins, &bin_count);
	struct merged_mpi_lines row;

	for (size_t next = 0;
	     merged_next(input, MERGED_mpi_lines, &next, &row) && row.count <= bin_count - at;
	     at += row.count)
		if (row.process != MERGED_NO_ROW &&
		    job_line_is_valid(row.shift, row.first, row.count))
			read_line(job, &row, &bins[at]);
	job_concurrency_sort(job);
}

/* ---- all of it */

bool mpi_accumulator_is_used(const struct mpi_accumulator *accumulator)
{
	return accumulator->is_used;
}

void mpi_accumulator_write(const struct mpi_accumulator *accumulator, struct merged_writer *writer)
{
	write_ranks(&accumulator->ranks, writer);
	write_sites(accumulator->sites, writer);
	write_occurrences(&accumulator->occurrences, writer);
	write_unranked(accumulator, writer);
	write_pairs(&accumulator->pairs, writer);
	write_lines(&accumulator->job, writer);
}

void mpi_accumulator_read(struct mpi_accumulator *accumulator, const struct merged_input *input,
			  bool has_mpi)
{
	read_ranks(accumulator, input);
	read_sites(accumulator, input);
	read_occurrences(accumulator, input);
	read_unranked(accumulator, input);
	read_pairs(&accumulator->pairs, input);
	read_lines(&accumulator->job, input);
	/* A damaged file may contradict its own rows: there are no ranks without MPI. */
	accumulator->is_used |= has_mpi || accumulator->ranks.count || accumulator->pairs.count;
}

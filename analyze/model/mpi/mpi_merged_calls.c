/* SPDX-License-Identifier: MIT */
/* Calls of the accumulator of MPI in merged runs: call sites, and occurrences of collective calls.
 */
#include "analyze/model/mpi/mpi_merged.h"

#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_accumulator_parts.h"

#include <stdlib.h>

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

void mpi_calls_write(const struct mpi_accumulator *accumulator, struct merged_writer *writer)
{
	write_sites(accumulator->sites, writer);
	write_occurrences(&accumulator->occurrences, writer);
	write_unranked(accumulator, writer);
}

void mpi_calls_read(struct mpi_accumulator *accumulator, const struct merged_input *input)
{
	read_sites(accumulator, input);
	read_occurrences(accumulator, input);
	read_unranked(accumulator, input);
}

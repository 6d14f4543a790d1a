/* SPDX-License-Identifier: MIT */
/* Calls of the accumulator of MPI in merged runs: call sites, and occurrences of collective calls.
 */
#include "analyze/model/mpi/mpi_merged.h"

#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_accumulator_parts.h"

#include <stdlib.h>

#define COPY(figure) .figure = from->figure,

/* ---- sites */

#define SITE_FIGURES(X)                                                                            \
	X(count)                                                                                   \
	X(sum_ns)                                                                                  \
	X(shortest_ns)                                                                             \
	X(longest_ns)

#define SPREAD_FIGURES(X)                                                                          \
	X(min_ns)                                                                                  \
	X(mean_ns)                                                                                 \
	X(max_ns)                                                                                  \
	X(sum_squares)                                                                             \
	X(max_rank)                                                                                \
	X(ranks)

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
		bool is_by_name = site->routine == MPI_BY_NAME;
		const struct mpi_figures *from = &site->figures;
		struct merged_mpi_sites row = {.call = site->call,
					       .class = site->class,
					       .is_by_name = is_by_name,
					       .routine = is_by_name ? 0 : site->routine,
					       .line = site->line,
					       SITE_FIGURES(COPY) SUMS_OF_mpi_calls(SUM_COPY)
#define COPY_SPREAD(figure) .figure = site->spread.figure,
						       SPREAD_FIGURES(COPY_SPREAD)
#undef COPY_SPREAD
		};

		merged_writer_add(writer, MERGED_mpi_sites, &row);
		write_bins(writer, i, false, &from->lengths);
		write_bins(writer, i, true, &from->sizes);
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
	struct merged_mpi_sites row, *from = &row;

	merged_input_rows(input, MERGED_mpi_sites, &count);
	struct histogram *lengths = read_bins(input, false, count);
	struct histogram *sizes = read_bins(input, true, count);

	for (size_t next = 0; merged_next(input, MERGED_mpi_sites, &next, &row);) {
		struct mpi_site site = {
			.call = row.call,
			.class = row.class,
			.routine = row.is_by_name ? MPI_BY_NAME : row.routine,
			.line = (unsigned)row.line,
			.figures = {SITE_FIGURES(COPY) SUMS_OF_mpi_calls(SUM_COPY).lengths =
					    lengths[next - 1],
				    .sizes = sizes[next - 1]},
			.spread = {SPREAD_FIGURES(COPY)},
		};

		if (row.is_by_name || row.routine != MERGED_NO_ROW)
			mpi_sites_unite(accumulator->sites, &site);
	}
	free(lengths);
	free(sizes);
}

/* ---- occurrences */

#define OCCURRENCE_FIGURES(X)                                                                      \
	X(job)                                                                                     \
	X(identity)                                                                                \
	X(leader)                                                                                  \
	X(sequence)                                                                                \
	X(size)                                                                                    \
	X(ranks)                                                                                   \
	X(sum_enter)                                                                               \
	X(latest_enter)                                                                            \
	X(earliest_leave)                                                                          \
	X(root_enter)                                                                              \
	X(root_leave)                                                                              \
	X(moment_stride)

static void write_occurrence(const struct mpi_occurrence *from, struct merged_writer *writer)
{
	struct merged_mpi_occurrences row = {.call = from->call,
					     .base_ns = from->base_ns,
					     .late_rank = from->last.rank,
					     .late_routine = from->last.routine,
					     .late_line = from->last.line,
					     .root_rank = from->root.rank,
					     .root_routine = from->root.routine,
					     .root_line = from->root.line,
					     .moments = from->moment_count,
					     OCCURRENCE_FIGURES(COPY)};

	merged_writer_add(writer, MERGED_mpi_occurrences, &row);
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
static struct mpi_late late_of(uint64_t rank, uint64_t routine, uint64_t line)
{
	bool is_known = rank != MPI_NO_RANK && routine != MERGED_NO_ROW;

	return (struct mpi_late){.rank = is_known ? rank : MPI_NO_RANK,
				 .routine = is_known ? routine : 0,
				 .line = (unsigned)line};
}

static void read_occurrence(struct mpi_accumulator *accumulator,
			    const struct merged_mpi_occurrences *from, uint64_t offset,
			    const struct merged_mpi_moments *moments)
{
	struct mpi_moment kept[MPI_MOMENTS_MAX];
	struct mpi_occurrence row = {
		.call = from->call,
		.base_ns = from->base_ns + offset,
		.last = late_of(from->late_rank, from->late_routine, from->late_line),
		.root = late_of(from->root_rank, from->root_routine, from->root_line),
		.moments = kept,
		.moment_count = from->moments,
		OCCURRENCE_FIGURES(COPY)};

	if (row.last.rank == MPI_NO_RANK || !row.moment_stride)
		return;
	for (size_t i = 0; i < row.moment_count; i++)
		kept[i] = (struct mpi_moment){moments[i]};
	mpi_occurrences_unite(&accumulator->occurrences, &row);
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
	struct merged_mpi_occurrences row;

	for (size_t next = 0; merged_next(input, MERGED_mpi_occurrences, &next, &row);) {
		if (row.moments > MPI_MOMENTS_MAX || row.moments > moment_count - at)
			break;
		read_occurrence(accumulator, &row, offset, moments + at);
		at += row.moments;
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

/* SPDX-License-Identifier: MIT */
/* Ranks, pairs and time lines; calls are in mpi_merged_calls.c. */
#include "analyze/model/mpi/mpi_merged.h"

#include "analyze/model/mpi/mpi_accumulator_parts.h"

#include <math.h>

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
	mpi_calls_write(accumulator, writer);
	write_pairs(&accumulator->pairs, writer);
	write_lines(&accumulator->job, writer);
}

void mpi_accumulator_read(struct mpi_accumulator *accumulator, const struct merged_input *input,
			  bool has_mpi)
{
	read_ranks(accumulator, input);
	mpi_calls_read(accumulator, input);
	read_pairs(&accumulator->pairs, input);
	read_lines(&accumulator->job, input);
	/* A damaged file may contradict its own rows: there are no ranks without MPI. */
	accumulator->is_used |= has_mpi || accumulator->ranks.count || accumulator->pairs.count;
}

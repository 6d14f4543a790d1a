/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_accumulator_parts.h"

#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_window.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>

struct mpi_accumulator *mpi_accumulator_create(struct names *names)
{
	struct mpi_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->sites = mpi_sites_create(names);
	mpi_occurrences_create(&accumulator->occurrences, names);
	return accumulator;
}

void mpi_accumulator_add(struct mpi_accumulator *accumulator, const struct profile *profile,
			 const struct process *process)
{
	if (!profile->mpi_process.count && !profile->mpi_calls.count)
		return;
	struct mpi_source source = {
		.names = accumulator->names,
		.profile = profile,
		.process = process->index,
		.rank = process->rank,
		.end_ns = process->life.end_ns,
		.threads = process->threads,
		.thread_count = process->thread_count,
	};

	accumulator->is_used = true;
	if (source.rank == MPI_NO_RANK)
		accumulator->unranked_ns += (double)process->elapsed_ns;
	mpi_ranks_add(&accumulator->ranks, &source);
	if (source.rank != MPI_NO_RANK) {
		struct mpi_rank *rank = &accumulator->ranks.rows[accumulator->ranks.count - 1];

		mpi_window_measure(rank, &source);
		job_concurrency_add(&accumulator->job, &source, rank);
	}
	mpi_sites_add(accumulator->sites, &source);
	mpi_occurrences_add(&accumulator->occurrences, &source);
	mpi_pairs_add(&accumulator->pairs, &source);
}

static double time_of(const struct mpi_ranks *ranks)
{
	double sum = 0;

	for (size_t i = 0; i < ranks->count; i++)
		sum += (double)(ranks->rows[i].end_ns - ranks->rows[i].start_ns) *
		       (double)ranks->rows[i].units;
	return sum;
}

struct mpi mpi_accumulator_finish(struct mpi_accumulator *accumulator, uint64_t processors)
{
	struct mpi mpi = {.is_used = accumulator->is_used,
			  .ranks = accumulator->ranks,
			  .pairs = accumulator->pairs};

	mpi_ranks_finish(&mpi.ranks);
	mpi_pairs_finish(&mpi.pairs);
	mpi.time_ns = time_of(&mpi.ranks);
	mpi.unranked_ns = accumulator->unranked_ns;
	mpi.lists = mpi_sites_finish(accumulator->sites, mpi.ranks.count);
	mpi.collectives = mpi_collectives_of(&accumulator->occurrences);
	mpi.outliers = mpi_outliers_of(&mpi.ranks);
	mpi.clocks = mpi_clocks_of(&mpi.ranks);
	mpi.efficiency = mpi_efficiency_of(&mpi.ranks, &mpi.clocks);
	mpi.between = mpi_between_of(&mpi.ranks, &mpi.clocks);
	mpi.jobs = mpi_jobs_of(&mpi.ranks, &mpi.clocks);
	mpi.useful = job_concurrency_of(&accumulator->job, JOB_USEFUL, &mpi.ranks, &mpi.clocks,
					mpi.efficiency.units, processors);
	mpi.on_processor = job_concurrency_of(&accumulator->job, JOB_ON_PROCESSOR, &mpi.ranks,
					      &mpi.clocks, mpi.efficiency.units, processors);
	job_concurrency_clear(&accumulator->job);
	free(accumulator);
	return mpi;
}

static void destroy(struct mpi_accumulator *accumulator)
{
	mpi_ranks_clear(&accumulator->ranks);
	mpi_pairs_clear(&accumulator->pairs);
	mpi_sites_destroy(accumulator->sites);
	mpi_occurrences_clear(&accumulator->occurrences);
	job_concurrency_clear(&accumulator->job);
	free(accumulator);
}

struct mpi mpi_accumulator_end(struct mpi_accumulator *accumulator)
{
	struct mpi mpi = {.ranks = accumulator->ranks};

	accumulator->ranks = (struct mpi_ranks){0};
	destroy(accumulator);
	mpi_ranks_finish(&mpi.ranks);
	mpi.clocks = mpi_clocks_of(&mpi.ranks);
	mpi.jobs = mpi_jobs_of(&mpi.ranks, &mpi.clocks);
	return mpi;
}

void mpi_clear(struct mpi *mpi)
{
	mpi_ranks_clear(&mpi->ranks);
	free(mpi->outliers);
	mpi_clocks_clear(&mpi->clocks);
	mpi_jobs_clear(&mpi->jobs);
	mpi_site_lists_clear(&mpi->lists);
	mpi_pairs_clear(&mpi->pairs);
	mpi_collectives_clear(&mpi->collectives);
	efficiency_clear(&mpi->useful);
	efficiency_clear(&mpi->on_processor);
}

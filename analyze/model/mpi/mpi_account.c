/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_account_parts.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>

struct mpi_account *mpi_account_create(struct names *names)
{
	struct mpi_account *account = memory_allocate(1, sizeof *account);

	account->names = names;
	account->sites = mpi_sites_create(names);
	mpi_occurrences_create(&account->occurrences, names);
	return account;
}

void mpi_account_add(struct mpi_account *account, const struct profile *profile,
		     const struct process *process)
{
	if (!profile->mpi_process.count && !profile->mpi_calls.count)
		return;
	struct mpi_source source = {
		.names = account->names,
		.profile = profile,
		.process = process->index,
		.rank = process->rank,
		.end_ns = process->life.end_ns,
		.threads = process->threads,
		.thread_count = process->thread_count,
	};

	account->is_used = true;
	if (source.rank == MPI_NO_RANK)
		account->unranked_ns += (double)process->elapsed_ns;
	mpi_ranks_add(&account->ranks, &source);
	if (source.rank != MPI_NO_RANK)
		job_concurrency_add(&account->job, &source,
				    &account->ranks.rows[account->ranks.count - 1]);
	mpi_sites_add(account->sites, &source);
	mpi_occurrences_add(&account->occurrences, &source);
	mpi_pairs_add(&account->pairs, &source);
}

static double time_of(const struct mpi_ranks *ranks)
{
	double sum = 0;

	for (size_t i = 0; i < ranks->count; i++)
		sum += (double)(ranks->rows[i].end_ns - ranks->rows[i].start_ns) *
		       (double)ranks->rows[i].units;
	return sum;
}

struct mpi mpi_account_finish(struct mpi_account *account, uint64_t processors)
{
	struct mpi mpi = {
		.is_used = account->is_used, .ranks = account->ranks, .pairs = account->pairs};

	mpi_ranks_finish(&mpi.ranks);
	mpi_pairs_finish(&mpi.pairs);
	mpi.time_ns = time_of(&mpi.ranks);
	mpi.unranked_ns = account->unranked_ns;
	mpi.lists = mpi_sites_finish(account->sites, mpi.ranks.count);
	mpi.collectives = mpi_collectives_of(&account->occurrences);
	mpi.outliers = mpi_outliers_of(&mpi.ranks);
	mpi.clocks = mpi_clocks_of(&mpi.ranks);
	mpi.efficiency = mpi_efficiency_of(&mpi.ranks, &mpi.clocks);
	mpi.jobs = mpi_jobs_of(&mpi.ranks, &mpi.clocks);
	mpi.useful = job_concurrency_of(&account->job, JOB_USEFUL, &mpi.ranks, &mpi.clocks,
					mpi.efficiency.units, processors);
	mpi.on_processor = job_concurrency_of(&account->job, JOB_ON_PROCESSOR, &mpi.ranks,
					      &mpi.clocks, mpi.efficiency.units, processors);
	job_concurrency_clear(&account->job);
	free(account);
	return mpi;
}

static void destroy(struct mpi_account *account)
{
	mpi_ranks_clear(&account->ranks);
	mpi_pairs_clear(&account->pairs);
	mpi_sites_destroy(account->sites);
	mpi_occurrences_clear(&account->occurrences);
	job_concurrency_clear(&account->job);
	free(account);
}

struct mpi mpi_account_end(struct mpi_account *account)
{
	struct mpi mpi = {.ranks = account->ranks};

	account->ranks = (struct mpi_ranks){0};
	destroy(account);
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

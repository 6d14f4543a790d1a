/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_ranks.h"

#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <string.h>

double finding_stake_of_ranks(const struct run *run, struct finding *finding, double lost_ns,
			      double longest_ns, double cause_ns)
{
	struct finding_whole whole = finding_whole_of_ranks(run);
	const struct finding_loss loss = {
		.idle_ns = lost_ns, .longest_ns = longest_ns, .cause_ns = cause_ns};

	return finding_percent(run, finding_stake_ns(&whole, &loss, finding));
}

double finding_longest_in(const struct mpi *mpi, enum mpi_class class)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->lists.call_count && mpi->jobs.count < 2; i++)
		if (mpi->lists.calls[i].class == class)
			ns += mpi->lists.calls[i].spread.max_ns;
	return ns;
}

/* Of the rank that was in it for the shortest time. */
static double life_ns(const struct mpi *mpi)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->lists.call_count; i++)
		if (mpi->lists.calls[i].class == MPI_CLASS_LIFE)
			ns += mpi->lists.calls[i].spread.min_ns;
	return ns;
}

double finding_per_unit(const struct mpi_rank *rank, double ns)
{
	return ns / fmax(1, (double)rank->units);
}

double finding_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	double elapsed_ns = (double)rank->end_ns - (double)rank->start_ns;
	double outside = elapsed_ns > 0 ? fmax(0, 1 - life_ns(mpi) / elapsed_ns) : 1;

	return finding_per_unit(rank, (double)rank->ready_ns) * outside;
}

static double lost_by_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	return (double)rank->end_ns - (double)rank->start_ns -
	       finding_per_unit(rank, rank->useful_ns) - finding_ready_of_rank_ns(mpi, rank);
}

double finding_least_lost_ns(const struct mpi *mpi)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < mpi->ranks.count; i++)
		least_ns = fmin(least_ns, lost_by_ns(mpi, &mpi->ranks.rows[i]));
	return mpi->jobs.count < 2 && isfinite(least_ns) ? fmax(1, least_ns - life_ns(mpi)) : 0;
}

char *finding_rank_name(uint64_t rank)
{
	return memory_print("%llu", (unsigned long long)rank);
}

double finding_lateness_ns(const struct mpi_pair *pair)
{
	double price = finding_limits.message * (double)pair->messages_received +
		       finding_limits.message_byte * (double)pair->bytes_received;

	return fmax(0, (double)pair->wait_ns - price);
}

double finding_all_lateness_ns(const struct mpi_pairs *pairs)
{
	double ns = 0;

	for (size_t i = 0; i < pairs->count; i++)
		ns += finding_lateness_ns(&pairs->rows[i]);
	return ns;
}

bool finding_waits_for_messages(const struct mpi_site *site)
{
	return site->class == MPI_CLASS_RECEIVE || site->class == MPI_CLASS_SENDRECV ||
	       site->class == MPI_CLASS_PROBE || site->class == MPI_CLASS_COMPLETION;
}

const struct mpi_site *finding_call_of(const struct mpi *mpi, const char *name)
{
	for (size_t i = 0; i < mpi->lists.call_count; i++)
		if (!strcmp(mpi->lists.calls[i].call, name))
			return &mpi->lists.calls[i];
	return NULL;
}

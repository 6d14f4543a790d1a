/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_ranks.h"

#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double finding_longest_in(const struct mpi *mpi, enum mpi_class class)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->lists.call_count && mpi->jobs.count < 2; i++)
		if (mpi->lists.calls[i].class == class)
			ns += mpi->lists.calls[i].spread.max_ns;
	return ns;
}

/* Of the rank that was in it for the shortest time: the others wait there as well. */
static double least_life_ns(const struct mpi *mpi)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->lists.call_count; i++)
		if (mpi->lists.calls[i].class == MPI_CLASS_LIFE)
			ns += mpi->lists.calls[i].spread.min_ns;
	return ns;
}

static double between_ns(uint64_t begin_ns, uint64_t end_ns)
{
	return begin_ns && end_ns > begin_ns ? (double)(end_ns - begin_ns) : 0;
}

double finding_life_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	uint64_t end_ns = rank->finalize_end_ns ? rank->finalize_end_ns : rank->end_ns;

	if (!rank->init_end_ns && !rank->finalize_begin_ns)
		return least_life_ns(mpi);
	return between_ns(rank->init_begin_ns, rank->init_end_ns) +
	       between_ns(rank->finalize_begin_ns, end_ns);
}

static double span_ns(const struct mpi_rank *rank)
{
	return (double)rank->end_ns - (double)rank->start_ns;
}

double finding_life_cause_ns(const struct mpi *mpi)
{
	double longest_ns = 0, rest_ns = 0;

	for (size_t i = 0; i < mpi->ranks.count && mpi->jobs.count < 2; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];

		longest_ns = fmax(longest_ns, span_ns(rank));
		rest_ns = fmax(rest_ns, span_ns(rank) - finding_life_of_rank_ns(mpi, rank));
	}
	return fmax(0, longest_ns - rest_ns);
}

double finding_per_unit(const struct mpi_rank *rank, double ns)
{
	return ns / fmax(1, (double)rank->units);
}

/* In which it can have wanted a processor and had none: it neither slept nor worked. */
static double left_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	return fmax(0, span_ns(rank) - finding_life_of_rank_ns(mpi, rank) -
			       finding_per_unit(rank, (double)rank->wait_ns + rank->useful_ns));
}

double finding_mpi_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	return fmax(0, finding_per_unit(rank, (double)rank->mpi_ns) -
			       finding_life_of_rank_ns(mpi, rank));
}

double finding_waits_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	return fmax(0, finding_per_unit(rank, (double)rank->mpi_ns) - least_life_ns(mpi));
}

double finding_any_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	double elapsed_ns = span_ns(rank);
	double outside =
		elapsed_ns > 0 ? fmax(0, 1 - finding_life_of_rank_ns(mpi, rank) / elapsed_ns) : 1;
	double ready_ns = finding_per_unit(rank, (double)rank->ready_ns) * outside;

	return elapsed_ns > 0 ? fmin(ready_ns, left_of_rank_ns(mpi, rank)) : ready_ns;
}

double finding_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	double ready_ns = finding_any_ready_of_rank_ns(mpi, rank);
	double outside_ns = left_of_rank_ns(mpi, rank) - finding_mpi_of_rank_ns(mpi, rank);

	return span_ns(rank) > 0 ? fmin(ready_ns, fmax(0, outside_ns)) : ready_ns;
}

static void charge(double *charged_ns, const struct mpi *mpi, uint64_t rank, double ns)
{
	if (rank < mpi->ranks.count)
		charged_ns[rank] += ns;
}

/* What others waited for each rank, by its number. Released by the caller. */
static double *charged_of(const struct mpi *mpi)
{
	double *charged_ns = memory_allocate(mpi->ranks.count + 1, sizeof *charged_ns);

	for (size_t i = 0; i < mpi->pairs.count; i++)
		charge(charged_ns, mpi, mpi->pairs.rows[i].peer,
		       finding_lateness_ns(&mpi->pairs.rows[i]));
	for (size_t i = 0; i < mpi->collectives.count; i++)
		for (size_t j = 0; j < mpi->collectives.rows[i].late_count; j++)
			charge(charged_ns, mpi, mpi->collectives.rows[i].late[j].rank,
			       mpi->collectives.rows[i].late[j].lost_ns);
	return charged_ns;
}

static double asleep_ns(const struct run *run, const struct mpi_rank *rank)
{
	double ns = finding_working_ns(&run->processes[rank->process], finding_blocked_ns,
				       FINDING_CAUSE(SLEEP));

	return finding_per_unit(rank, fmin(ns, (double)rank->wait_ns));
}

double finding_own_lateness_ns(const struct run *run, const struct mpi_rank *rank,
			       double charged_ns, double delayed_ns)
{
	double others = (double)run->mpi.ranks.count - 1;

	return fmax(charged_ns - others * delayed_ns,
		    fmin(charged_ns, others * asleep_ns(run, rank)));
}

/* Waits in MPI that are charged to no rank, as those of sends, for several ranks at once, and for
 * nonblocking collective calls, as far as the others slept: they may have been for that. */
static double nameless_ns(const struct run *run, const double *charged_ns)
{
	const struct mpi *mpi = &run->mpi;
	double others = (double)mpi->ranks.count - 1, uncharged_ns = 0, asleep = 0;

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];
		double own_ns = rank->rank < mpi->ranks.count ? charged_ns[rank->rank] : 0;

		uncharged_ns += finding_mpi_of_rank_ns(mpi, rank) - own_ns;
		asleep += fmax(0, others * asleep_ns(run, rank) - own_ns);
	}
	return fmax(0, fmin(uncharged_ns, asleep));
}

/* Waits for ranks that had their processors, or slept: these were late by themselves. */
static double waits_for_late_ns(const struct run *run)
{
	const struct mpi *mpi = &run->mpi;
	double *charged_ns = charged_of(mpi), ns = nameless_ns(run, charged_ns);

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];
		double own_ns = rank->rank < mpi->ranks.count ? charged_ns[rank->rank] : 0;

		ns += finding_own_lateness_ns(run, rank, own_ns,
					      finding_ready_of_rank_ns(mpi, rank));
	}
	free(charged_ns);
	return ns;
}

double finding_wanting_of_ranks_ns(const struct run *run)
{
	const struct mpi *mpi = &run->mpi;
	double ready_ns = 0, left_ns = 0;

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];

		ready_ns += (double)rank->ready_ns;
		left_ns += left_of_rank_ns(mpi, rank) * (double)rank->units;
	}
	if (mpi->jobs.count > 1)
		return ready_ns;
	return fmin(ready_ns, fmax(0, left_ns - waits_for_late_ns(run)));
}

double finding_polled_by_ranks_ns(const struct run *run)
{
	double ready_ns = 0;

	for (size_t i = 0; i < run->mpi.ranks.count; i++)
		ready_ns += (double)run->mpi.ranks.rows[i].ready_ns;
	return fmin(waits_for_late_ns(run), ready_ns - finding_wanting_of_ranks_ns(run));
}

double finding_ready_share(const struct mpi *mpi)
{
	double ready_ns = 0, whole_ns = mpi->efficiency.elapsed_ns * (double)mpi->efficiency.units;

	for (size_t i = 0; i < mpi->ranks.count; i++)
		ready_ns += (double)mpi->ranks.rows[i].ready_ns;
	return whole_ns > 0 ? fmin(1, ready_ns / whole_ns) : 0;
}

double finding_polled_ns(const struct mpi *mpi, const struct mpi_site *site)
{
	double ns = (double)site->figures.vain_ns * (1 - finding_ready_share(mpi));

	return ns < finding_limits.poll * (double)site->figures.vain ? ns : 0;
}

double finding_no_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	(void)mpi;
	(void)rank;
	return 0;
}

double finding_least_lost_ns(const struct mpi *mpi, finding_ready_of_rank ready_ns)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];

		least_ns = fmin(least_ns, span_ns(rank) - ready_ns(mpi, rank) -
						  finding_per_unit(rank, rank->useful_ns));
	}
	return mpi->jobs.count < 2 && isfinite(least_ns) ? fmax(1, least_ns - least_life_ns(mpi))
							 : 0;
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

/* SPDX-License-Identifier: MIT */
/* The rule on messages that come late: how long ranks wait for them, where they receive, and where
 * messages are sent.
 *
 * A rank waits longer than its messages need because its peer sends late. A peer that has more work
 * in total, or had no processor, does not send late: for as long as the waiting rank was useful for
 * less than the longest one was or wanted to be, it would have had to wait for something anyway.
 * rank-imbalance and oversubscription report that. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_ranks.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

/* ---- places */

/* Profiles do not tell which messages were waited for where: the time is distributed over places by
 * the time in them. */
static void add_receiver(struct finding *finding, const struct run *run)
{
	const struct mpi_site_lists *lists = &run->mpi.lists;
	const struct mpi_site *most = NULL;
	double whole_ns = 0;
	size_t among = 0;

	for (size_t i = 0; i < lists->site_count; i++) {
		const struct mpi_site *site = &lists->sites[i];

		if (!finding_waits_for_messages(site) || !site->figures.sum_ns)
			continue;
		whole_ns += (double)site->figures.sum_ns;
		among++;
		if (!most || site->figures.sum_ns > most->figures.sum_ns)
			most = site;
	}
	if (most && finding_add_routine(finding, run, most->routine, most->line,
					(double)most->figures.sum_ns, whole_ns, among))
		finding_add_step(finding, FINDING_CALL, memory_copy_text(most->call),
				 (double)most->figures.sum_ns, whole_ns, among);
}

static bool sends(const struct mpi_site *site)
{
	return (site->class == MPI_CLASS_SEND || site->class == MPI_CLASS_SENDRECV ||
		site->class == MPI_CLASS_START) &&
	       site->figures.bytes_sent;
}

/* "; most of the messages are sent in f (x.c:12)", or nothing where no place sends most. Released
 * by the caller. */
static char *senders_text(const struct run *run)
{
	const struct mpi_site_lists *lists = &run->mpi.lists;
	const struct mpi_site *most = NULL;
	double whole = 0;

	for (size_t i = 0; i < lists->site_count; i++) {
		const struct mpi_site *site = &lists->sites[i];

		if (!sends(site))
			continue;
		whole += (double)site->figures.count;
		if (!most || site->figures.count > most->figures.count)
			most = site;
	}
	if (!most || (double)most->figures.count < finding_limits.most * whole)
		return memory_copy_text("");
	char *place = names_place_text(run->names, most->routine, most->line);
	char *text = memory_print("; %s of all messages are sent by %s in %s",
				  quantity_percent(100 * (double)most->figures.count / whole).text,
				  most->call, place);

	free(place);
	return text;
}

/* ---- amounts */

/* The longest time for which a rank was useful, or wanted to be. */
static double longest_wanting_ns(const struct mpi *mpi)
{
	double most_ns = 0;

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];

		most_ns = fmax(most_ns, finding_per_unit(rank, rank->useful_ns) +
						finding_ready_of_rank_ns(mpi, rank));
	}
	return most_ns;
}

/* How long a rank would have waited for something anyway, or had no processor itself. */
static double less_useful_ns(const struct mpi_rank *rank, double longest_ns)
{
	return fmax(0, longest_ns - finding_per_unit(rank, rank->useful_ns));
}

static int compare_rank(const void *number, const void *row)
{
	uint64_t a = *(const uint64_t *)number, b = ((const struct mpi_rank *)row)->rank;

	return (a > b) - (a < b);
}

/* With a single job; NULL: the rank left no profile. */
static const struct mpi_rank *rank_of(const struct mpi *mpi, uint64_t number)
{
	return mpi->ranks.count ? bsearch(&number, mpi->ranks.rows, mpi->ranks.count,
					  sizeof *mpi->ranks.rows, compare_rank)
				: NULL;
}

/* The part of the waits for messages that unequal work, and missing processors, explain. With
 * several jobs, ranks have equal numbers and cannot be told apart. */
static double told_of_messages_ns(const struct mpi *mpi, double longest_ns)
{
	double *late_ns = memory_allocate(mpi->ranks.count + 1, sizeof *late_ns), ns = 0;

	for (size_t i = 0; i < mpi->pairs.count && mpi->jobs.count < 2; i++) {
		const struct mpi_rank *rank = rank_of(mpi, mpi->pairs.rows[i].rank);

		if (rank)
			late_ns[rank - mpi->ranks.rows] += finding_lateness_ns(&mpi->pairs.rows[i]);
	}
	for (size_t i = 0; i < mpi->ranks.count; i++)
		ns += fmin(late_ns[i], less_useful_ns(&mpi->ranks.rows[i], longest_ns));
	free(late_ns);
	return ns;
}

/* What remains of the wait of a pair. */
static double untold_ns(const struct mpi *mpi, const struct mpi_pair *pair, double longest_ns)
{
	const struct mpi_rank *rank = mpi->jobs.count < 2 ? rank_of(mpi, pair->rank) : NULL;

	return fmax(0, finding_lateness_ns(pair) - (rank ? less_useful_ns(rank, longest_ns) : 0));
}

/* The pair that waited longest; NULL: none waited for a peer that is known. */
static const struct mpi_pair *latest(const struct mpi_pairs *pairs, size_t *among)
{
	const struct mpi_pair *worst = NULL;
	double worst_ns = 0;

	*among = 0;
	for (size_t i = 0; i < pairs->count; i++) {
		double ns = finding_lateness_ns(&pairs->rows[i]);

		*among += ns > 0;
		if (ns <= worst_ns || pairs->rows[i].peer == MPI_NO_PEER)
			continue;
		worst_ns = ns;
		worst = &pairs->rows[i];
	}
	return worst;
}

static void tell(struct finding *finding, const struct run *run, const struct mpi_pair *worst,
		 double late_ns)
{
	char *senders = senders_text(run);

	finding->evidence = memory_print(
		"%s in receives beyond what latency and bytes explain; rank %llu waited longest: "
		"%s for %s of rank %llu%s",
		quantity_seconds(late_ns).text, (unsigned long long)worst->rank,
		quantity_seconds((double)worst->wait_ns).text,
		quantity_things((double)worst->messages_received, "message").text,
		(unsigned long long)worst->peer, senders);
	free(senders);
}

double judge_late_sender(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	size_t among;
	const struct mpi_pair *worst = latest(&mpi->pairs, &among);

	if (!worst)
		return NAN;
	double late_ns = finding_all_lateness_ns(&mpi->pairs);
	double longest_ns = longest_wanting_ns(mpi);
	double told_ns = told_of_messages_ns(mpi, longest_ns);

	tell(finding, run, worst, late_ns);
	finding_add_step(finding, FINDING_RANK,
			 memory_print("%llu, for rank %llu", (unsigned long long)worst->rank,
				      (unsigned long long)worst->peer),
			 finding_lateness_ns(worst), late_ns, among);
	add_receiver(finding, run);
	if (told_ns > 0)
		finding->grade = grade_worse(finding->grade, mpi->efficiency.grade);
	return finding_stake_of_ranks(run, finding, late_ns - told_ns,
				      untold_ns(mpi, worst, longest_ns),
				      finding_least_lost_ns(mpi, finding_ready_of_rank_ns));
}

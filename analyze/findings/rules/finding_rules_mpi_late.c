/* SPDX-License-Identifier: MIT */
/* The rule on ranks that come late to collective calls. A nanosecond for which a rank waits is
 * counted by one rule only: a rank that is late in a collective call because a message came late,
 * because it has more work than the others in total, or because it had no processor, is reported
 * for that. */
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

/* ---- ranks that come late */

static double charged_to(const struct mpi_collectives *collectives, uint64_t rank)
{
	double ns = 0;

	for (size_t i = 0; i < collectives->count; i++)
		for (size_t j = 0; j < collectives->rows[i].late_count; j++)
			if (collectives->rows[i].late[j].rank == rank)
				ns += collectives->rows[i].late[j].lost_ns;
	return ns;
}

/* How long a rank waited for messages. */
static double waited_for_messages_ns(const struct mpi_pairs *pairs, uint64_t rank)
{
	double ns = 0;

	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->rows[i].rank == rank)
			ns += finding_lateness_ns(&pairs->rows[i]);
	return ns;
}

/* Time in which a rank neither worked nor slept before it entered: it waited for messages, or had
 * no processor. */
static double delayed_ns(const struct mpi *mpi, const struct mpi_rank *rank)
{
	return waited_for_messages_ns(&mpi->pairs, rank->rank) +
	       finding_ready_of_rank_ns(mpi, rank);
}

/* The part of the others' waiting for the last rank that other rules report: messages and missing
 * processors, and more work than the others in total. With several jobs, ranks have equal
 * numbers. */
static double told_of_late_ns(const struct run *run)
{
	const struct mpi *mpi = &run->mpi;
	double uneven_ns = mpi->efficiency.max_useful_ns - mpi->efficiency.average_useful_ns;
	double ns = uneven_ns > 0 ? uneven_ns * (double)mpi->ranks.count : 0;

	for (size_t i = 0; i < mpi->ranks.count && mpi->jobs.count < 2; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];
		double charged_ns = charged_to(&mpi->collectives, rank->rank);

		ns += charged_ns -
		      finding_own_lateness_ns(run, rank, charged_ns, delayed_ns(mpi, rank));
	}
	return ns;
}

static double lost_in_collectives_ns(const struct mpi *mpi)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->collectives.count; i++)
		ns += mpi->collectives.rows[i].lost_ns;
	return ns;
}

/* A rank that is always last never waits. If all ranks waited for about as long, and have about as
 * much work, each of them was last in its turn. (Which one was last is known only for calls whose
 * instants were kept, every n-th, and turns may be as long.) */
static const struct mpi_site *taken_in_turns(const struct mpi *mpi, const char *name)
{
	const struct mpi_site *call = finding_call_of(mpi, name);

	return call && mpi->ranks.count > 1 && call->spread.ranks == mpi->ranks.count &&
			       call->spread.min_ns >= finding_limits.turns * call->spread.max_ns &&
			       mpi->efficiency.load_balance >= finding_limits.even
		       ? call
		       : NULL;
}

static void tell_turns(struct finding *finding, const struct run *run, const struct mpi_site *call,
		       double lost_ns)
{
	const struct mpi_collective *worst = run->mpi.collectives.rows;

	finding->title = "ranks wait for the last one in collective calls, each in its turn";
	finding->advice = "Share out the work of each step evenly, not that of the whole; or let "
			  "ranks get ahead of each other: nonblocking calls, or fewer of them.";
	finding->evidence = memory_print(
		"%s of waiting for the last rank, most in %s: each of %zu ranks was in it for "
		"%s to %s, though all have about as much work (load balance %s)",
		quantity_seconds(lost_ns).text, worst->call, run->mpi.ranks.count,
		quantity_seconds(call->spread.min_ns).text,
		quantity_seconds(call->spread.max_ns).text,
		quantity_percent(100 * run->mpi.efficiency.load_balance).text);
}

static void tell_late(struct finding *finding, const struct run *run, double lost_ns)
{
	const struct mpi_collective *worst = run->mpi.collectives.rows;
	const struct mpi_late *late = worst->late;
	char *place = names_place_text(run->names, late->routine, late->line);

	finding->evidence = memory_print(
		"%s of waiting for the last rank, most in %s: rank %llu was last for %s "
		"of it, at %s",
		quantity_seconds(lost_ns).text, worst->call, (unsigned long long)late->rank,
		quantity_percent(100 * late->lost_ns / worst->lost_ns).text, place);
	free(place);
	finding_add_step(finding, FINDING_RANK, finding_rank_name(late->rank),
			 charged_to(&run->mpi.collectives, late->rank), lost_ns,
			 run->mpi.ranks.count);
}

/* Rows are sorted by lost time, the most first. */
double judge_collectives(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	const struct mpi_collective *worst = mpi->collectives.rows;
	double all_ns = lost_in_collectives_ns(mpi);

	if (!mpi->collectives.count || !worst->late_count || all_ns <= 0)
		return NAN;
	const struct mpi_site *in_turns = taken_in_turns(mpi, worst->call);
	const struct mpi_late *late = worst->late;

	if (in_turns)
		tell_turns(finding, run, in_turns, all_ns);
	else
		tell_late(finding, run, all_ns);
	finding->grade = worst->grade;
	if (finding_add_step(finding, FINDING_CALL, memory_copy_text(worst->call), worst->lost_ns,
			     all_ns, mpi->collectives.count))
		finding_add_routine(finding, run, late->routine, late->line, late->lost_ns, all_ns,
				    worst->late_count);
	return finding_stake_of_ranks(run, finding, fmax(0, all_ns - told_of_late_ns(run)), 0,
				      finding_longest_in(mpi, MPI_CLASS_COLLECTIVE));
}

/* SPDX-License-Identifier: MIT */
/* Rules about MPI. Severities are shares of the time of all ranks (threads that execute the program
 * x elapsed time). */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_balance.h"
#include "analyze/findings/where/finding_delayed.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_ranks.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elapsed time of all ranks, however many threads they have. */
static double rank_time(const struct mpi *mpi)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->ranks.count; i++)
		ns += (double)mpi->ranks.rows[i].end_ns - (double)mpi->ranks.rows[i].start_ns;
	return ns;
}

static bool add_site(struct finding *finding, const struct run *run, const struct mpi_site *site,
		     double own_ns, double whole_ns, size_t among)
{
	bool is_most = finding_add_routine(finding, run, site->routine, site->line, own_ns,
					   whole_ns, among);

	if (is_most)
		finding_add_step(finding, FINDING_CALL, memory_copy_text(site->call), own_ns,
				 whole_ns, among);
	return is_most;
}

/* By how much the useful time of the rank may be too long: if it is inferred, time without a
 * processor may be part of it. */
static double doubt_ns(const struct mpi *mpi, uint64_t rank)
{
	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *row = &mpi->ranks.rows[i];

		if (row->rank == rank && row->useful_grade == GRADE_ESTIMATED)
			return (double)row->ready_ns / (double)row->units;
	}
	return 0;
}

/* The rank that has most above the average, and its part of all time above it. */
static void add_busiest_rank(struct finding *finding, const struct run *run)
{
	const struct mpi_ranks *ranks = &run->mpi.ranks;
	double mean_ns = run->mpi.efficiency.average_useful_ns, excess_ns = 0, most_ns = 0;
	uint64_t most = 0;
	size_t among = 0;

	for (size_t i = 0; i < ranks->count; i++) {
		double units = (double)ranks->rows[i].units;
		double ns = ranks->rows[i].useful_ns / (units > 0 ? units : 1) - mean_ns;

		if (!(ns > 0))
			continue;
		excess_ns += ns;
		among++;
		if (ns <= most_ns)
			continue;
		most_ns = ns;
		most = ranks->rows[i].rank;
	}
	finding_add_step(finding, FINDING_RANK, finding_rank_name(most), most_ns, excess_ns, among);
}

/* By how much the process of the rank has more CPU time in the routine itself than the ranks on
 * average; 0: it has not the most. */
static double beyond_mean_ns(const struct run *run, const struct mpi_rank *rank,
			     const struct routine_time *routine)
{
	const struct spread *spread = &routine->by_process;

	if (!spread->count || spread->max_at.process != rank->process)
		return 0;
	return spread->max_ns -
	       spread->mean_ns * (double)spread->count / (double)run->mpi.ranks.count;
}

/* Where the rank has more to do than the others: of the program's own routines. MPI's are busy
 * while it waits. */
static void tell_uneven_routine(const struct run *run, struct finding *finding,
				const struct mpi_rank *rank)
{
	const struct routine_time *most = NULL;
	double most_ns = 0, all_ns = 0;
	size_t among = 0;

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		const struct routine *routine = names_routine(run->names, row->routine);
		double ns = beyond_mean_ns(run, rank, row);

		if (!(ns > 0) || routine->is_mpi || routine->is_parallel ||
		    !finding_is_code(run, row->routine))
			continue;
		all_ns += ns;
		among++;
		most = ns > most_ns ? row : most;
		most_ns = fmax(most_ns, ns);
	}
	if (!most || most_ns < finding_limits.most * all_ns)
		return;
	char *place = names_place_text(run->names, most->routine, most->line);
	double mean_ns = most->by_process.max_ns - most_ns;

	finding_add_evidence(
		finding,
		memory_print("most of the difference is in %s: %s of CPU time there, %s in a "
			     "rank on average",
			     place, quantity_seconds(most->by_process.max_ns).text,
			     quantity_seconds(mean_ns).text));
	finding_add_routine(finding, run, most->routine, most->line, most_ns, all_ns, among);
	free(place);
}

static void tell_where_uneven(const struct run *run, struct finding *finding, uint64_t rank)
{
	const struct mpi_ranks *ranks = &run->mpi.ranks;

	for (size_t i = 0; i < ranks->count && run->mpi.jobs.count < 2; i++)
		if (ranks->rows[i].rank == rank)
			tell_uneven_routine(run, finding, &ranks->rows[i]);
}

/* The gain if all ranks were useful for as long as the average. */
double judge_ranks(const struct run *run, struct finding *finding)
{
	const struct mpi_efficiency *efficiency = &run->mpi.efficiency;

	if (run->mpi.ranks.count < 2 || !isfinite(efficiency->load_balance))
		return NAN;
	char *balance = finding_balance_text(&run->mpi, "");
	bool is_hybrid = efficiency->units > run->mpi.ranks.count;

	finding->evidence = memory_print(
		"%s%s%srank %llu was useful for %s, %s on average for %s: load balance %s",
		balance ? balance : "", balance ? ": " : "", is_hybrid ? "a thread of " : "",
		(unsigned long long)efficiency->max_rank,
		quantity_seconds(efficiency->max_useful_ns).text,
		is_hybrid ? "those of all ranks" : "the ranks",
		quantity_seconds(efficiency->average_useful_ns).text,
		quantity_percent(100 * efficiency->load_balance).text);
	free(balance);
	double lost_ns = efficiency->max_useful_ns - efficiency->average_useful_ns -
			 doubt_ns(&run->mpi, efficiency->max_rank);

	add_busiest_rank(finding, run);
	tell_where_uneven(run, finding, efficiency->max_rank);
	finding->grade = efficiency->grade;
	double stretch = finding_stretch_of_rank(run, efficiency->max_rank);

	lost_ns = fmax(0, lost_ns) * stretch;
	if (stretch > 1)
		finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	return finding_stake_of_ranks(run, finding, lost_ns * (double)efficiency->units, lost_ns,
				      lost_ns);
}

/* ---- places */

/* Of the time in a place, what was not for nothing: polls are mpi-polling's. */
static double own_ns(const struct mpi *mpi, const struct mpi_site *site)
{
	return fmax(0, (double)site->figures.sum_ns - finding_polled_ns(mpi, site));
}

/* What other rules report of a place: ranks that are late in a collective call, by its share of the
 * time in all calls of that name; messages that come late, by its share of the time in all calls
 * that wait for them; and polls that found nothing. */
static double told_of_site_ns(const struct mpi *mpi, const struct mpi_site *site)
{
	double lost_ns = 0, whole_ns = 0, site_ns = own_ns(mpi, site);

	if (site->class == MPI_CLASS_COLLECTIVE) {
		const struct mpi_site *call = finding_call_of(mpi, site->call);

		for (size_t i = 0; i < mpi->collectives.count; i++)
			if (!strcmp(mpi->collectives.rows[i].call, site->call))
				lost_ns += mpi->collectives.rows[i].lost_ns;
		whole_ns = call ? (double)call->figures.sum_ns : 0;
	} else if (finding_waits_for_messages(site)) {
		lost_ns = finding_all_lateness_ns(&mpi->pairs);
		for (size_t i = 0; i < mpi->lists.call_count; i++)
			if (finding_waits_for_messages(&mpi->lists.calls[i]))
				whole_ns += own_ns(mpi, &mpi->lists.calls[i]);
	}
	double late_ns = whole_ns > 0 ? fmin(site_ns, lost_ns * site_ns / whole_ns) : 0;

	return late_ns + finding_polled_ns(mpi, site);
}

/* Time is charged to a peer only where one message, or those of one rank, ended the wait: not where
 * a call waits for several ranks at once, and not where a send waits. */
static const char *advice_for_site(const struct mpi *mpi, const struct mpi_site *site)
{
	double charged_ns = 0;

	for (size_t i = 0; i < mpi->pairs.count; i++)
		charged_ns += (double)mpi->pairs.rows[i].wait_ns;
	if (2 * site->figures.gapped >= site->figures.count)
		return "Its data lie apart in memory (column gapped of mpi_sites): copy them "
		       "together, or turn the array so that what is sent is contiguous.";
	if (site->class == MPI_CLASS_SEND)
		return "It waits for its receiver: receive earlier (MPI_Irecv), or send with "
		       "MPI_Isend and work meanwhile.";
	if (site->class != MPI_CLASS_COMPLETION || charged_ns >= (double)site->figures.sum_ns / 2)
		return NULL;
	if (!strcmp(site->call, "MPI_Wait"))
		return "Its requests are charged to no rank, as of nonblocking collective calls "
		       "and of sends: the section ranks shows who works or sleeps while the "
		       "others wait. Let all ranks come in time, or work before this wait.";
	return "It waits for several ranks at once, and whose message comes last is not "
	       "known: with MPI_Waitany in its place the section peers shows it. Let work "
	       "and communication overlap.";
}

/* A program can do nothing about the start and end of MPI. */
double judge_mpi_site(const struct run *run, struct finding *finding)
{
	const struct mpi_site *worst = NULL;

	for (size_t i = 0; i < run->mpi.lists.site_count && !worst; i++)
		if (run->mpi.lists.sites[i].class != MPI_CLASS_LIFE)
			worst = &run->mpi.lists.sites[i];
	if (!worst || !worst->spread.ranks)
		return NAN;
	char *place = names_place_text(run->names, worst->routine, worst->line);

	finding->evidence =
		memory_print("%s in %s called at %s, the most (%s) on rank %llu",
			     quantity_seconds((double)worst->figures.sum_ns).text, worst->call,
			     place, quantity_seconds(worst->spread.max_ns).text,
			     (unsigned long long)worst->spread.max_rank);
	free(place);
	double ns = (double)worst->figures.sum_ns;
	double left = fmax(0, ns - told_of_site_ns(&run->mpi, worst) -
				      finding_ready_share(&run->mpi) * ns);

	const char *advice = advice_for_site(&run->mpi, worst);

	if (advice)
		finding->advice = advice;
	add_site(finding, run, worst, (double)worst->figures.sum_ns, ns, 1);
	finding_add_step(finding, FINDING_RANK, finding_rank_name(worst->spread.max_rank),
			 worst->spread.max_ns, ns, worst->spread.ranks);
	return finding_stake_of_ranks(
		run, finding, left, worst->spread.max_ns * left / fmax(1, ns),
		finding_least_lost_ns(&run->mpi, finding_no_ready_of_rank_ns));
}

/* ---- communication */

/* Of several threads that were in MPI that of the one that was in it longest. */
static double in_mpi_of(const struct mpi_rank *rank)
{
	return (double)(rank->mpi_threads > 1 ? rank->mpi_most_ns : rank->mpi_ns);
}

static double share_of_mpi(const struct mpi *mpi)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->ranks.count; i++)
		ns += in_mpi_of(&mpi->ranks.rows[i]);
	return ns / rank_time(mpi);
}

struct costs {
	double in_mpi, life, late, messages, polls, ready;
};

static struct costs costs_of(const struct mpi *mpi)
{
	struct costs costs = {0};

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		costs.in_mpi += (double)mpi->ranks.rows[i].mpi_ns;
		costs.ready += (double)mpi->ranks.rows[i].ready_ns;
	}
	for (size_t i = 0; i < mpi->lists.call_count; i++) {
		const struct mpi_site *call = &mpi->lists.calls[i];

		costs.polls += finding_polled_ns(mpi, call);
		if (call->class == MPI_CLASS_LIFE)
			costs.life += (double)call->figures.sum_ns;
	}
	for (size_t i = 0; i < mpi->collectives.count; i++)
		costs.late += mpi->collectives.rows[i].lost_ns;
	costs.messages = finding_all_lateness_ns(&mpi->pairs);
	return costs;
}

static void add_longest_site(struct finding *finding, const struct run *run, double whole_ns)
{
	const struct mpi_site_lists *lists = &run->mpi.lists;
	const struct mpi_site *most = NULL;
	size_t among = 0;

	for (size_t i = 0; i < lists->site_count; i++) {
		if (lists->sites[i].class == MPI_CLASS_LIFE)
			continue;
		among++;
		most = most ? most : &lists->sites[i];
	}
	if (most)
		add_site(finding, run, most, (double)most->figures.sum_ns, whole_ns, among);
}

/* Time in MPI that is explained neither by its start and end, nor by late ranks, late messages,
 * polls or missing processors. */
double judge_communication(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	struct costs costs = costs_of(mpi);

	if (mpi->ranks.count < 2 || !isfinite(mpi->efficiency.parallel))
		return NAN;
	finding->evidence = memory_print(
		"%s in MPI calls, %s of the ranks' time: %s for start and end of MPI, "
		"%s for late ranks in collective calls, %s for late messages, %s for polls "
		"that found nothing, up to %s without a processor; parallel efficiency %s",
		quantity_seconds(costs.in_mpi).text, quantity_percent(100 * share_of_mpi(mpi)).text,
		quantity_seconds(costs.life).text, quantity_seconds(costs.late).text,
		quantity_seconds(costs.messages).text, quantity_seconds(costs.polls).text,
		quantity_seconds(costs.ready).text,
		quantity_percent(100 * mpi->efficiency.parallel).text);
	add_longest_site(finding, run, costs.in_mpi - costs.life);
	finding->grade = mpi->efficiency.grade;
	double left_ns =
		costs.in_mpi - costs.life - costs.late - costs.messages - costs.polls - costs.ready;

	return finding_stake_of_ranks(run, finding, fmax(0, left_ns), 0,
				      finding_least_lost_ns(mpi, finding_no_ready_of_rank_ns));
}

/* A short job is mostly its own start. */
double judge_mpi_life(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	struct costs costs = costs_of(mpi);

	if (mpi->ranks.count < 2)
		return NAN;
	finding->evidence = memory_print(
		"%s of the ranks' %s in MPI_Init, MPI_Finalize and their like",
		quantity_seconds(costs.life).text, quantity_seconds(rank_time(mpi)).text);
	return finding_stake_of_ranks(run, finding, costs.life, 0, finding_life_cause_ns(mpi));
}

static bool has_messages(const struct mpi_site *site)
{
	return site->class == MPI_CLASS_SEND || site->class == MPI_CLASS_RECEIVE ||
	       site->class == MPI_CLASS_SENDRECV || site->class == MPI_CLASS_ONE_SIDED;
}

static bool is_small(const struct mpi_site *site)
{
	const struct mpi_figures *figures = &site->figures;
	double bytes = (double)figures->bytes_sent + (double)figures->bytes_received;

	return has_messages(site) && figures->count && bytes > 0 &&
	       bytes < finding_limits.small_message * (double)figures->count &&
	       (double)figures->sum_ns < finding_limits.small_call * (double)figures->count;
}

/* The cost of a nonblocking message in the calls that complete it: what these take without late
 * messages, per request. */
static double completion_ns(const struct mpi *mpi)
{
	double ns = -finding_all_lateness_ns(&mpi->pairs), completed = 0;

	for (size_t i = 0; i < mpi->lists.site_count; i++) {
		const struct mpi_site *site = &mpi->lists.sites[i];

		ns += site->class == MPI_CLASS_COMPLETION ? (double)site->figures.sum_ns : 0;
		completed += (double)site->figures.completed;
	}
	return completed > 0 && ns > 0 ? ns / completed : 0;
}

struct small_messages {
	double each_ns; /* completion_ns, if that is the cost of a message */
	double ns, calls, bytes;
	const struct mpi_site *worst;
	double worst_ns;
};

static double small_ns(const struct small_messages *small, const struct mpi_site *site)
{
	return (double)site->figures.sum_ns + small->each_ns * (double)site->figures.completed;
}

static struct small_messages small_messages_of(const struct mpi *mpi)
{
	struct small_messages small = {.each_ns = completion_ns(mpi)};

	if (small.each_ns >= finding_limits.small_call)
		small.each_ns = 0; /* the calls wait for something */
	for (size_t i = 0; i < mpi->lists.site_count; i++) {
		const struct mpi_site *site = &mpi->lists.sites[i];

		if (!is_small(site))
			continue;
		double ns = small_ns(&small, site);
		if (!small.worst || ns > small.worst_ns) {
			small.worst = site;
			small.worst_ns = ns;
		}
		small.ns += ns;
		small.calls += (double)site->figures.count;
		small.bytes +=
			(double)site->figures.bytes_sent + (double)site->figures.bytes_received;
	}
	return small;
}

/* A routine may call from several places. */
static void add_small(struct finding *finding, const struct run *run,
		      const struct small_messages *small)
{
	const struct mpi_site_lists *lists = &run->mpi.lists;
	size_t elsewhere = 0, calls = 0;
	double ns = 0;

	for (size_t i = 0; i < lists->site_count; i++) {
		const struct mpi_site *site = &lists->sites[i];
		bool is_here = site->routine == small->worst->routine;

		ns += is_here && is_small(site) ? small_ns(small, site) : 0;
		elsewhere += !is_here && is_small(site);
		calls += is_small(site);
	}
	if (finding_add_routine(finding, run, small->worst->routine, small->worst->line, ns,
				small->ns, 1 + elsewhere))
		finding_add_step(finding, FINDING_CALL, memory_copy_text(small->worst->call),
				 small->worst_ns, small->ns, calls);
}

double judge_small_messages(const struct run *run, struct finding *finding)
{
	struct small_messages small = small_messages_of(&run->mpi);

	if (small.calls < finding_limits.small_calls)
		return NAN;
	char *place = names_place_text(run->names, small.worst->routine, small.worst->line);

	finding->evidence =
		memory_print("%.0f calls with %s each on average, %s a call%s, %s together; most "
			     "in %s called at %s",
			     small.calls, quantity_size((uint64_t)(small.bytes / small.calls)).text,
			     quantity_seconds(small.ns / small.calls).text,
			     small.each_ns > 0 ? " with its completion" : "",
			     quantity_seconds(small.ns).text, small.worst->call, place);
	free(place);
	add_small(finding, run, &small);
	return finding_stake_of_ranks(run, finding, small.ns, 0, 0);
}

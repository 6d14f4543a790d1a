/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules_mpi.h"

#include "analyze/memory.h"
#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_rules.h"
#include "analyze/model/finding_stake.h"
#include "analyze/model/finding_where.h"
#include "analyze/model/run.h"

#include <math.h>
#include <stdlib.h>

static double rank_time(const struct mpi *mpi)
{
	return mpi->efficiency.elapsed_ns * (double)mpi->efficiency.units;
}

/* What is at stake of the elapsed time of the run, of which the job may be a part. longest_ns: of
 * the rank that lost most; 0: not known. cause_ns: elapsed time that the cause took; 0: not known.
 */
static double stake_of_ranks(const struct run *run, struct finding *finding, double lost_ns,
			     double longest_ns, double cause_ns)
{
	struct finding_whole whole = finding_whole_of_ranks(run);
	const struct finding_loss loss = {
		.idle_ns = lost_ns, .longest_ns = longest_ns, .cause_ns = cause_ns};

	return finding_percent(run, finding_stake_ns(&whole, &loss, finding));
}

/* Elapsed time that calls of this class took at most: all ranks are in them at once, so that it is
 * the longest rank's and not the sum of ranks. 0: not known, as of jobs that may come one after the
 * other. */
static double longest_in(const struct mpi *mpi, enum mpi_class class)
{
	double ns = 0;

	for (size_t i = 0; i < mpi->lists.call_count && mpi->jobs.count < 2; i++)
		if (mpi->lists.calls[i].class == class)
			ns += mpi->lists.calls[i].spread.max_ns;
	return ns;
}

static char *rank_name(uint64_t rank)
{
	return memory_print("%llu", (unsigned long long)rank);
}

static bool add_site(struct finding *finding, const struct run *run, const struct mpi_site *site,
		     double whole_ns, size_t among)
{
	bool is_most = finding_add_routine(finding, run, site->routine, site->line,
					   (double)site->figures.sum_ns, whole_ns, among);

	if (is_most)
		finding_add_step(finding, FINDING_CALL, memory_copy_text(site->call),
				 (double)site->figures.sum_ns, whole_ns, among);
	return is_most;
}

/* By how much the useful time of the rank may be too long: where it is inferred, time without a
 * processor may have been taken for it. */
static double doubt_ns(const struct mpi *mpi, uint64_t rank)
{
	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *row = &mpi->ranks.rows[i];

		if (row->rank == rank && row->useful_grade == GRADE_ESTIMATED)
			return (double)row->ready_ns / (double)row->units;
	}
	return 0;
}

/* Who has more than the average, and which part of all that is beyond it. */
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
	finding_add_step(finding, FINDING_RANK, rank_name(most), most_ns, excess_ns, among);
}

/* What would be won if all ranks were as long useful as the average. */
double judge_ranks(const struct run *run, struct finding *finding)
{
	const struct mpi_efficiency *efficiency = &run->mpi.efficiency;

	if (run->mpi.ranks.count < 2 || !isfinite(efficiency->load_balance))
		return NAN;
	finding->evidence = memory_print(
		"rank %llu was useful for %.3g s, the ranks on average for %.3g s: load balance "
		"%.0f %%",
		(unsigned long long)efficiency->max_rank, efficiency->max_useful_ns / 1e9,
		efficiency->average_useful_ns / 1e9, 100 * efficiency->load_balance);
	double lost_ns = efficiency->max_useful_ns - efficiency->average_useful_ns -
			 doubt_ns(&run->mpi, efficiency->max_rank);

	add_busiest_rank(finding, run);
	finding->grade = efficiency->grade;
	lost_ns = fmax(0, lost_ns);
	return stake_of_ranks(run, finding, lost_ns * (double)efficiency->units, lost_ns, lost_ns);
}

static double charged_to(const struct mpi_collectives *collectives, uint64_t rank)
{
	double ns = 0;

	for (size_t i = 0; i < collectives->count; i++)
		for (size_t j = 0; j < collectives->rows[i].late_count; j++)
			if (collectives->rows[i].late[j].rank == rank)
				ns += collectives->rows[i].late[j].lost_ns;
	return ns;
}

/* Rows come with the most lost time first. */
double judge_collectives(const struct run *run, struct finding *finding)
{
	const struct mpi_collective *worst = run->mpi.collectives.rows;
	double lost_ns = 0;

	for (size_t i = 0; i < run->mpi.collectives.count; i++)
		lost_ns += run->mpi.collectives.rows[i].lost_ns;
	if (!run->mpi.collectives.count || !worst->late_count || lost_ns <= 0)
		return NAN;
	const struct mpi_late *late = worst->late;
	char *place = names_place_text(run->names, late->routine, late->line);

	finding->evidence = memory_print(
		"%.3g s of waiting for the last rank, most in %s: rank %llu was last for %.0f %% "
		"of it, at %s",
		lost_ns / 1e9, worst->call, (unsigned long long)late->rank,
		100 * late->lost_ns / worst->lost_ns, place);
	free(place);
	finding->grade = worst->grade;
	finding_add_step(finding, FINDING_RANK, rank_name(late->rank),
			 charged_to(&run->mpi.collectives, late->rank), lost_ns,
			 run->mpi.ranks.count);
	if (finding_add_step(finding, FINDING_CALL, memory_copy_text(worst->call), worst->lost_ns,
			     lost_ns, run->mpi.collectives.count))
		finding_add_routine(finding, run, late->routine, late->line, late->lost_ns, lost_ns,
				    worst->late_count);
	return stake_of_ranks(run, finding, lost_ns, 0,
			      longest_in(&run->mpi, MPI_CLASS_COLLECTIVE));
}

/* Start and end of MPI are nothing that a program could do better. */
double judge_mpi_site(const struct run *run, struct finding *finding)
{
	const struct mpi_site *worst = NULL;

	for (size_t i = 0; i < run->mpi.lists.site_count && !worst; i++)
		if (run->mpi.lists.sites[i].class != MPI_CLASS_LIFE)
			worst = &run->mpi.lists.sites[i];
	if (!worst || !worst->spread.ranks)
		return NAN;
	char *place = names_place_text(run->names, worst->routine, worst->line);

	finding->evidence = memory_print(
		"%.3g s in %s called at %s, the most (%.3g s) on rank %llu",
		(double)worst->figures.sum_ns / 1e9, worst->call, place, worst->spread.max_ns / 1e9,
		(unsigned long long)worst->spread.max_rank);
	free(place);
	double ns = (double)worst->figures.sum_ns;

	add_site(finding, run, worst, ns, 1);
	finding_add_step(finding, FINDING_RANK, rank_name(worst->spread.max_rank),
			 worst->spread.max_ns, ns, worst->spread.ranks);
	return stake_of_ranks(run, finding, ns, worst->spread.max_ns, 0);
}

/* ---- communication */

struct costs {
	double in_mpi, life, late, ready;
};

static struct costs costs_of(const struct mpi *mpi)
{
	struct costs costs = {0};

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		costs.in_mpi += (double)mpi->ranks.rows[i].mpi_ns;
		costs.ready += (double)mpi->ranks.rows[i].ready_ns;
	}
	for (size_t i = 0; i < mpi->lists.call_count; i++)
		if (mpi->lists.calls[i].class == MPI_CLASS_LIFE)
			costs.life += (double)mpi->lists.calls[i].figures.sum_ns;
	for (size_t i = 0; i < mpi->collectives.count; i++)
		costs.late += mpi->collectives.rows[i].lost_ns;
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
		add_site(finding, run, most, whole_ns, among);
}

/* Time in MPI that neither its start and end, nor late ranks, nor missing processors explain. */
double judge_communication(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	struct costs costs = costs_of(mpi);

	if (mpi->ranks.count < 2 || !isfinite(mpi->efficiency.parallel))
		return NAN;
	finding->evidence = memory_print(
		"%.3g s in MPI calls, %.0f %% of the ranks' time: %.3g s for start and end of MPI, "
		"%.3g s for late ranks in collective calls, up to %.3g s without a processor; "
		"parallel efficiency %.0f %%",
		costs.in_mpi / 1e9, 100 * costs.in_mpi / rank_time(mpi), costs.life / 1e9,
		costs.late / 1e9, costs.ready / 1e9, 100 * mpi->efficiency.parallel);
	add_longest_site(finding, run, costs.in_mpi - costs.life);
	finding->grade = mpi->efficiency.grade;
	return stake_of_ranks(run, finding,
			      fmax(0, costs.in_mpi - costs.life - costs.late - costs.ready), 0, 0);
}

/* A short job is mostly its own start. */
double judge_mpi_life(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	struct costs costs = costs_of(mpi);

	if (mpi->ranks.count < 2)
		return NAN;
	finding->evidence =
		memory_print("%.3g s of the ranks' %.3g s in MPI_Init, MPI_Finalize and their like",
			     costs.life / 1e9, rank_time(mpi) / 1e9);
	return stake_of_ranks(run, finding, costs.life, 0, longest_in(mpi, MPI_CLASS_LIFE));
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

/* Sites come with the most time first. */
double judge_small_messages(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	const struct mpi_site *worst = NULL;
	double ns = 0, calls = 0, bytes = 0;
	size_t among = 0;

	for (size_t i = 0; i < mpi->lists.site_count; i++) {
		const struct mpi_site *site = &mpi->lists.sites[i];

		if (!is_small(site))
			continue;
		among++;
		worst = worst ? worst : site;
		ns += (double)site->figures.sum_ns;
		calls += (double)site->figures.count;
		bytes += (double)site->figures.bytes_sent + (double)site->figures.bytes_received;
	}
	if (calls < finding_limits.small_calls)
		return NAN;
	char *place = names_place_text(run->names, worst->routine, worst->line);

	finding->evidence = memory_print(
		"%.0f calls with %.0f bytes each on average, %.3g us a call, %.3g s together; most "
		"in %s called at %s",
		calls, bytes / calls, ns / calls / 1e3, ns / 1e9, worst->call, place);
	free(place);
	add_site(finding, run, worst, ns, among);
	return stake_of_ranks(run, finding, ns, 0, 0);
}

/* ---- messages that come late */

static double lateness(const struct mpi_pair *pair)
{
	double price = finding_limits.message * (double)pair->messages_received +
		       finding_limits.message_byte * (double)pair->bytes_received;

	return fmax(0, (double)pair->wait_ns - price);
}

double judge_late_sender(const struct run *run, struct finding *finding)
{
	const struct mpi_pairs *pairs = &run->mpi.pairs;
	const struct mpi_pair *worst = NULL;
	double late_ns = 0, worst_ns = 0;
	size_t among = 0;

	for (size_t i = 0; i < pairs->count; i++) {
		double ns = lateness(&pairs->rows[i]);

		late_ns += ns;
		among += ns > 0;
		if (ns <= worst_ns || pairs->rows[i].peer == MPI_NO_PEER)
			continue;
		worst_ns = ns;
		worst = &pairs->rows[i];
	}
	if (!worst)
		return NAN;
	finding->evidence = memory_print(
		"%.3g s in receives beyond what latency and bytes explain; rank %llu waited longest: "
		"%.3g s for %llu messages of rank %llu",
		late_ns / 1e9, (unsigned long long)worst->rank, (double)worst->wait_ns / 1e9,
		(unsigned long long)worst->messages_received, (unsigned long long)worst->peer);
	finding_add_step(finding, FINDING_RANK,
			 memory_print("%llu, for rank %llu", (unsigned long long)worst->rank,
				      (unsigned long long)worst->peer),
			 worst_ns, late_ns, among);
	return stake_of_ranks(run, finding, late_ns, worst_ns, 0);
}

/* ---- processors */

bool is_rank_oversubscribed(const struct run *run)
{
	return run->mpi.ranks.count > 1 && run->processors &&
	       run->mpi.efficiency.units > run->processors;
}

double finding_polling_ns(const struct mpi_ranks *ranks)
{
	double sum = 0;

	for (size_t i = 0; i < ranks->count; i++)
		sum += fmax(0, (double)ranks->rows[i].cpu_ns - ranks->rows[i].useful_ns);
	return sum;
}

double judge_rank_oversubscription(const struct run *run, struct finding *finding)
{
	double ready = 0, cpu = 0;

	if (!is_rank_oversubscribed(run))
		return NAN;
	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		ready += (double)run->mpi.ranks.rows[i].ready_ns;
		cpu += (double)run->mpi.ranks.rows[i].cpu_ns;
	}
	if (run->mpi.ranks.count <= run->processors) {
		finding->title = "ranks have more threads than there are processors";
		finding->advice = "Start fewer threads in each rank (OMP_NUM_THREADS), or fewer "
				  "ranks on a host.";
	} else if (finding_is_shared_with_others(run)) {
		finding->title = "more ranks than processors, and other programs besides";
		finding->advice = "Measure on an idle machine, with no more ranks than there are "
				  "processors.";
	}
	finding->evidence = memory_print(
		"%zu ranks with %llu threads were ready, but without one of %llu processors, for "
		"%.3g s; they had %.0f %% of the processors, and %.3g s of their %.3g s CPU time "
		"went into polling and other work inside of waits",
		run->mpi.ranks.count, (unsigned long long)run->mpi.efficiency.units,
		(unsigned long long)run->processors, ready / 1e9, run->efficiency_percent,
		finding_polling_ns(&run->mpi.ranks) / 1e9, cpu / 1e9);
	finding_add_ready_stake(run, finding, ready);
	return 100 * ready / (ready + cpu);
}

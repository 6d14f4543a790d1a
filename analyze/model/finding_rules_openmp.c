/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules_openmp.h"

#include "analyze/memory.h"
#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_rules.h"
#include "analyze/model/finding_rules_mpi.h"
#include "analyze/model/finding_rules_wait.h"
#include "analyze/model/finding_stake.h"
#include "analyze/model/finding_where.h"
#include "analyze/model/omp_advice.h"
#include "analyze/model/run.h"

#include <math.h>
#include <stdlib.h>

bool is_told_by_openmp(const struct run *run)
{
	return run->omp.regions.count > 0;
}

/* ---- regions: what all of them lost by one problem, and which one lost most */

struct loss {
	double sum_ns, worst_ns;
	size_t regions; /* that lose by it */
	const struct omp_region *worst;
};

static struct loss loss_of(const struct run *run, double (*lost_ns)(const struct omp_region *))
{
	struct loss loss = {0};

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];
		double ns = lost_ns(region);

		loss.sum_ns += ns;
		loss.regions += ns > 0;
		if (ns <= loss.worst_ns)
			continue;
		loss.worst_ns = ns;
		loss.worst = region;
	}
	return loss;
}

static char *region_text(const struct run *run, const struct omp_region *region)
{
	return names_place_text(run->names, region->place.routine, region->place.line);
}

static bool add_region(struct finding *finding, const struct run *run, const struct loss *loss)
{
	return finding_add_step(finding, FINDING_REGION, region_text(run, loss->worst),
				loss->worst_ns, loss->sum_ns, loss->regions);
}

/* Who worked more than the mean of the members, and which part of all that is beyond it. */
static void add_busiest_member(struct finding *finding, const struct omp_region *region)
{
	const struct omp_member *most = NULL;
	double mean_ns = omp_region_mean_work(region), excess_ns = 0;
	size_t among = 0;

	for (size_t i = 0; i < region->member_count; i++) {
		const struct omp_member *member = &region->member_rows[i];

		if (!((double)member->work_ns > mean_ns))
			continue;
		excess_ns += (double)member->work_ns - mean_ns;
		among++;
		if (!most || member->work_ns > most->work_ns)
			most = member;
	}
	if (most)
		finding_add_step(finding, FINDING_THREAD,
				 memory_print("%llu of the team", (unsigned long long)most->number),
				 (double)most->work_ns - mean_ns, excess_ns, among);
}

/* cause_ns: elapsed time that it took; 0: not known. */
static double stake_of_regions(const struct run *run, struct finding *finding, double lost_ns,
			       double cause_ns)
{
	const struct finding_loss loss = {.idle_ns = lost_ns, .cause_ns = cause_ns};

	return finding_stake(run, finding, &loss);
}

/* By how much all regions would be shorter if their members had equal work. */
static double uneven_elapsed_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];
		double team = omp_region_team(region);

		ns += omp_lost_by_imbalance(region) / fmax(1, team);
	}
	return ns;
}

/* "1.23 s", and of less than a millisecond "45.6 us". */
static char *time_text(double ns)
{
	return ns < 1e6 ? memory_print("%.3g us", ns / 1e3) : memory_print("%.3g s", ns / 1e9);
}

/* Time in which a member was ready, but had no processor, is work for the recorder: it may be all
 * that makes the work unequal. */
double judge_omp_imbalance(const struct run *run, struct finding *finding)
{
	struct loss loss = loss_of(run, omp_lost_by_imbalance);

	if (!loss.worst)
		return NAN;
	const struct omp_region *worst = loss.worst;
	const struct omp_spread *spread = &worst->spread;
	double others = spread->members > 1 ? (double)(spread->members - 1) : 1;
	char *place = region_text(run, worst), *most = time_text(spread->max_ns);
	char *rest = time_text((spread->sum_ns - spread->max_ns) / others);

	finding->evidence = memory_print(
		"%.3g s of waiting for members with more work; most in %s: of its team of %.3g, "
		"thread %llu worked for %s, the others for %s on average",
		loss.sum_ns / 1e9, place, omp_region_team(worst),
		(unsigned long long)spread->most.number, most, rest);
	free(place);
	free(most);
	free(rest);
	if (add_region(finding, run, &loss))
		add_busiest_member(finding, worst);
	return stake_of_regions(run, finding, fmax(0, loss.sum_ns - run->omp.totals.ready_ns),
				uneven_elapsed_ns(run));
}

double judge_omp_short_regions(const struct run *run, struct finding *finding)
{
	struct loss loss = loss_of(run, omp_lost_in_forks);

	if (!loss.worst)
		return NAN;
	const struct omp_region *worst = loss.worst;
	char *place = region_text(run, worst);

	finding->evidence = memory_print(
		"%.3g s for starting and ending teams of short regions; most in %s: %.0f "
		"executions of %.3g us",
		loss.sum_ns / 1e9, place, worst->count, worst->elapsed_ns / worst->count / 1e3);
	free(place);
	add_region(finding, run, &loss);
	return stake_of_regions(run, finding, loss.sum_ns, 0);
}

static const struct omp_construct_row *most_pieces(const struct omp_region *region)
{
	const struct omp_construct_row *most = NULL;

	for (size_t i = 0; i < region->construct_count; i++) {
		const struct omp_construct_row *row = &region->constructs[i];

		if (row->pieces > 0 && (!most || row->pieces > most->pieces))
			most = row;
	}
	return most;
}

double judge_omp_small_pieces(const struct run *run, struct finding *finding)
{
	struct loss loss = loss_of(run, omp_lost_in_scheduling);
	const struct omp_construct_row *row = loss.worst ? most_pieces(loss.worst) : NULL;

	if (!row)
		return NAN;
	char *place = names_place_text(run->names, row->place.routine, row->place.line);

	finding->evidence = memory_print(
		"%.3g s in handing out pieces of loops; most in %s: %.0f pieces with %.3g us of "
		"work each",
		loss.sum_ns / 1e9, place, row->pieces, loss.worst->work_ns / row->pieces / 1e3);
	free(place);
	add_region(finding, run, &loss);
	return stake_of_regions(run, finding, loss.sum_ns, 0);
}

double judge_omp_small_tasks(const struct run *run, struct finding *finding)
{
	struct loss loss = loss_of(run, omp_lost_in_small_tasks);
	const struct omp_task_row *most = NULL;

	for (size_t i = 0; loss.worst && i < loss.worst->task_count; i++)
		if (!most || loss.worst->tasks[i].executed > most->executed)
			most = &loss.worst->tasks[i];
	if (!most || most->executed <= 0)
		return NAN;
	char *place = names_place_text(run->names, most->place.routine, most->place.line);

	finding->evidence = memory_print(
		"%.3g s of waiting while tasks were made, queued and fetched; most by %s: %.0f "
		"tasks with %.3g us of work each",
		loss.sum_ns / 1e9, place, most->executed, most->work_ns / most->executed / 1e3);
	free(place);
	add_region(finding, run, &loss);
	return stake_of_regions(run, finding, loss.sum_ns, 0);
}

/* ---- serial parts */

struct alone {
	const struct routine_time *most; /* NULL: none */
	double sum_ns;
	size_t count;
};

/* Of the program's own routines: a clock that it reads is no serial part. */
static struct alone alone_of(const struct run *run)
{
	struct alone alone = {0};

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		const struct routine *routine = names_routine(run->names, row->routine);

		if (!*routine->module || routine->is_runtime || !row->self_ns || !row->alone_ns)
			continue;
		alone.sum_ns += (double)row->alone_ns;
		alone.count++;
		if (!alone.most || row->alone_ns > alone.most->alone_ns)
			alone.most = row;
	}
	return alone;
}

/* Time in MPI is another matter: the rules on MPI tell of it. */
static double outside_mpi(const struct omp_sums *sums)
{
	return sums->serial_ns > 0 ? fmax(0, 1 - sums->mpi_ns / sums->serial_ns) : 0;
}

/* Of ranks and other processes the mean: they have their serial parts side by side. */
static double serial_elapsed_ns(const struct run *run)
{
	const struct omp_sums *sums = &run->omp.sums;

	return outside_mpi(sums) * sums->serial_ns / fmax(1, (double)run->omp.totals.processes);
}

double judge_omp_serial(const struct run *run, struct finding *finding)
{
	const struct omp_sums *sums = &run->omp.sums;
	double share = outside_mpi(sums), lost_ns = share * sums->lost_serial_ns;

	if (!is_told_by_openmp(run) || lost_ns <= 0)
		return NAN;
	struct alone alone = alone_of(run);
	const struct routine_time *row = alone.most;
	char *place = row ? names_place_text(run->names, row->routine, row->line) : NULL;
	char *most = row ? memory_print("; what ran alone most is %s: %.3g s", place,
					(double)row->alone_ns / 1e9)
			 : memory_copy_text("");

	finding->evidence = memory_print(
		"%.3g s outside of regions%s, %.3g s in them: %.3g s of the teams' threads went "
		"without work%s",
		share * sums->serial_ns / 1e9, share < 1 ? " and of MPI" : "",
		sums->region_ns / 1e9, lost_ns / 1e9, most);
	free(place);
	free(most);
	if (row)
		finding_add_routine(finding, run, row->routine, row->line, (double)row->alone_ns,
				    alone.sum_ns, alone.count);
	return stake_of_regions(run, finding, lost_ns, serial_elapsed_ns(run));
}

/* ---- locks */

static const char *lock_advice(enum operation operation)
{
	switch (operation) {
	case OP_CRITICAL:
		return "Use a reduction or atomic in its place, do less in it, or give unrelated "
		       "critical sections names of their own.";
	case OP_ATOMIC:
		return "Use a reduction in its place, or a type that the hardware's atomics know.";
	case OP_ORDERED:
		return "Take what needs no order out of the ordered part.";
	default:
		return NULL;
	}
}

static bool is_omp_wait(const struct run *run, const struct sync_row *row, unsigned causes)
{
	(void)run, (void)causes;
	return row->cause == CAUSE_OPENMP && row->wait_ns;
}

/* Rows come with the longest wait first. */
double judge_omp_locks(const struct run *run, struct finding *finding)
{
	const struct sync_row *worst = NULL;
	double wait_ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!is_omp_wait(run, row, 0))
			continue;
		wait_ns += (double)row->wait_ns;
		worst = worst ? worst : row;
	}
	if (!worst)
		return NAN;
	const char *advice = lock_advice(worst->operation);

	finding->evidence = finding_wait_evidence(run, worst, "of waiting for", "held by");
	if (wait_ns > (double)worst->wait_ns) {
		char *whole = memory_print("%.3g s of waiting for all of them; %s", wait_ns / 1e9,
					   finding->evidence);

		free(finding->evidence);
		finding->evidence = whole;
	}
	finding->advice = advice ? advice : finding->advice;
	finding_add_objects(finding, run, is_omp_wait, 0);
	return stake_of_regions(run, finding, wait_ns, 0);
}

/* ---- waiting in the runtime */

/* Of ranks that have more threads than there are processors the rules on MPI tell. */
bool is_omp_oversubscribed(const struct run *run)
{
	const struct omp_totals *totals = &run->omp.totals;

	return !is_rank_oversubscribed(run) && totals->processors &&
	       totals->threads > totals->processors;
}

static double spin_of(const struct thread_time *time, unsigned causes)
{
	(void)causes;
	return (double)thread_time_spin(time);
}

/* A thread that spins keeps others of the program from a processor for as long as these are ready.
 */
double judge_omp_spinning(const struct run *run, struct finding *finding)
{
	const struct omp_totals *totals = &run->omp.totals;

	if (!is_told_by_openmp(run) || !finding_is_ready(run) ||
	    finding_is_shared_with_others(run) || totals->wait_policy == OMP_WAIT_PASSIVE)
		return NAN;
	finding->evidence = memory_print(
		"%.3g s of processors' time spent waiting in the OpenMP runtime, while threads "
		"were ready for %.3g s and had no processor",
		totals->spin_ns / 1e9, (double)run->ready_ns / 1e9);
	finding->grade = GRADE_ESTIMATED; /* when a thread spun and when it was ready */
	finding_add_threads(finding, run, spin_of, 0);
	return stake_of_regions(run, finding, fmin(totals->spin_ns, (double)run->ready_ns), 0);
}

double judge_omp_blocking(const struct run *run, struct finding *finding)
{
	const struct omp_totals *totals = &run->omp.totals;

	if (!is_told_by_openmp(run) || totals->wait_policy != OMP_WAIT_PASSIVE ||
	    totals->switches <= 0 || is_omp_oversubscribed(run))
		return NAN;
	finding->evidence = memory_print(
		"OMP_WAIT_POLICY=passive: %.0f times a thread of a team was put to sleep, for %.3g "
		"us on average; waking one up takes some tens of microseconds",
		totals->switches, totals->blocked_ns / totals->switches / 1e3);
	finding->grade = GRADE_ESTIMATED; /* the price of waking up */
	return stake_of_regions(
		run, finding,
		fmin(totals->blocked_ns, finding_limits.omp_wake_up * totals->switches), 0);
}

double judge_omp_oversubscription(const struct run *run, struct finding *finding)
{
	const struct omp_totals *totals = &run->omp.totals;
	double ready = (double)run->ready_ns, wanted = ready + (double)run->cpu_ns;

	if (!is_omp_oversubscribed(run) || !finding_is_ready(run) || wanted <= 0)
		return NAN;
	finding->evidence = memory_print(
		"teams of up to %llu threads on %llu processor%s: threads were ready to run, but "
		"without one, for %.3g s",
		(unsigned long long)totals->threads, (unsigned long long)totals->processors,
		totals->processors == 1 ? "" : "s", ready / 1e9);
	finding_add_ready_stake(run, finding, ready);
	return 100 * ready / wanted;
}

/* SPDX-License-Identifier: MIT */
/* Rules about OpenMP. Severities are shares of the processors' time (processors x elapsed) that
 * threads of teams lost, spinning included, except for teams that are larger than the number of
 * processors: there it is the share of the time in which threads wanted to run and could not. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_omp_loss.h"
#include "analyze/findings/where/finding_omp_uneven.h"
#include "analyze/findings/where/finding_place.h"
#include "analyze/findings/where/finding_ready.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/openmp/omp_advice.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

bool is_told_by_openmp(const struct run *run)
{
	return run->omp.regions.count > 0;
}

/* The member that worked most above the mean, and its part of all work above it. */
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

/* cause_ns: elapsed time that the cause took; 0: unknown. */
static double stake_of_regions(const struct run *run, struct finding *finding, double lost_ns,
			       double cause_ns)
{
	const struct finding_loss loss = {.idle_ns = lost_ns, .cause_ns = cause_ns};

	return finding_stake(run, finding, &loss);
}

static char *uneven_evidence(const struct run *run, const struct omp_loss *loss)
{
	const struct omp_spread *spread = &loss->worst->spread;
	double others = spread->members > 1 ? (double)(spread->members - 1) : 1;
	char *place = omp_region_text(run, loss->worst);
	char *text = memory_print(
		"%s of waiting for members with more work; most in %s: of its team of %s, "
		"thread %llu worked for %s, the others for %s on average",
		quantity_seconds(loss->sum_ns).text, place,
		quantity_plain(round(omp_region_team(loss->worst) * 100) / 100).text,
		(unsigned long long)spread->most.number, quantity_seconds(spread->max_ns).text,
		quantity_seconds((spread->sum_ns - spread->max_ns) / others).text);

	free(place);
	return text;
}

/* How long members waited for each other is what the other programs made of it. */
static char *uneven_cpu_evidence(const struct run *run, const struct omp_uneven *uneven)
{
	char *place = omp_region_text(run, uneven->worst);
	char *text = memory_print(
		"other programs had processors meanwhile, so that members are judged by their CPU "
		"time; most in %s: of its team of %s, thread %llu worked for %s of CPU time, the "
		"members for %s on average",
		place, quantity_plain(round(omp_region_team(uneven->worst) * 100) / 100).text,
		uneven->most_number, quantity_seconds(uneven->most_cpu_ns).text,
		quantity_seconds(uneven->mean_cpu_ns).text);

	free(place);
	return text;
}

double judge_omp_imbalance(const struct run *run, struct finding *finding)
{
	struct omp_loss loss = omp_loss_of(run, omp_lost_by_imbalance);
	struct omp_uneven uneven = finding_omp_uneven_of(run, finding);
	bool is_by_cpu = uneven.by_cpu_ns > uneven.elapsed_ns;

	if (is_by_cpu)
		loss = (struct omp_loss){.sum_ns = uneven.by_cpu_ns,
					 .worst_ns = uneven.worst_ns,
					 .regions = uneven.regions,
					 .worst = uneven.worst};
	if (!loss.worst)
		return NAN;
	finding->evidence =
		is_by_cpu ? uneven_cpu_evidence(run, &uneven) : uneven_evidence(run, &loss);
	if (finding_add_region(finding, run, &loss) && !is_by_cpu)
		add_busiest_member(finding, loss.worst);
	/* of processes the mean: their regions overlap */
	double cpu_ns = uneven.by_cpu_ns / fmax(1, run->omp.totals.processes);

	return fmin(100, finding_percent(run, cpu_ns) +
				 stake_of_regions(run, finding, uneven.lost_ns, uneven.elapsed_ns));
}

/* ---- serial parts */

/* The program's own routines only: reading a clock is no serial part. */
static bool is_programs_own(const struct run *run, const struct routine_time *row)
{
	const struct routine *routine = names_routine(run->names, row->routine);

	return *routine->module && !routine->is_runtime;
}

static const struct finding_part serial_part = {FINDING_SERIAL, is_programs_own};

struct serial {
	struct finding_part_sum sum;
	struct finding_place place;
};

static struct serial serial_of(const struct run *run)
{
	struct serial serial = {.sum = finding_part_sum(run, &serial_part)};

	serial.place = finding_place_of(run, &serial_part, &serial.sum, true);
	return serial;
}

static char *serial_text(const struct run *run, const struct serial *serial)
{
	const struct routine_time *row = serial->place.row;

	if (!row)
		return memory_copy_text("");
	char *place = names_place_text(run->names, row->routine, row->line);
	char *text = memory_print("; outside ran mostly %s: %s", place,
				  quantity_seconds(serial->place.ns).text);

	free(place);
	return text;
}

/* Without time in MPI, which the rules on MPI report. */
static double outside_mpi(const struct omp_totals *sums)
{
	return sums->serial_ns > 0 ? fmax(0, 1 - sums->mpi_ns / sums->serial_ns) : 0;
}

/* The mean over ranks and other processes: their serial parts overlap. */
static double serial_elapsed_ns(const struct run *run)
{
	const struct omp_totals *sums = &run->omp.totals;

	return outside_mpi(sums) * sums->serial_ns / fmax(1, (double)run->omp.totals.processes);
}

double judge_omp_serial(const struct run *run, struct finding *finding)
{
	const struct omp_totals *sums = &run->omp.totals;
	double share = outside_mpi(sums), lost_ns = share * sums->lost_serial_ns;

	if (!is_told_by_openmp(run) || lost_ns <= 0)
		return NAN;
	struct serial serial = serial_of(run);
	const struct routine_time *row = serial.place.row;
	char *most = serial_text(run, &serial);

	finding->evidence = memory_print(
		"%s outside of regions%s, %s in them: %s of the teams' threads went "
		"without work%s",
		quantity_seconds(share * sums->serial_ns).text, share < 1 ? " and of MPI" : "",
		quantity_seconds(sums->region_ns).text, quantity_seconds(lost_ns).text, most);
	free(most);
	if (row)
		finding_add_routine(finding, run, row->routine, row->line,
				    fmin(serial.place.ns, serial.sum.sum_ns), serial.sum.sum_ns,
				    serial.sum.count);
	return stake_of_regions(run, finding, lost_ns, serial_elapsed_ns(run));
}

/* ---- waiting in the runtime */

/* Ranks that have more threads than there are processors are left to the rules on MPI. */
static bool has_large_teams(const struct run *run)
{
	const struct omp_totals *totals = &run->omp.totals;

	return !is_rank_oversubscribed(run) && totals->processors &&
	       totals->threads > totals->processors;
}

bool is_omp_oversubscribed(const struct run *run)
{
	return has_large_teams(run) || has_nested_teams(run);
}

static double spin_of(const struct thread_time *time, unsigned causes)
{
	(void)causes;
	return (double)thread_time_spin(time);
}

/* Members that spin between regions while their rank waits for another one wait as the rank does:
 * the rules on MPI tell why. The part of the waiting to which this applies; the same share of it is
 * taken to be spinning as of all waiting. */
static double share_for_ranks(const struct run *run)
{
	const struct omp *omp = &run->omp;

	if (run->mpi.ranks.count < 2 || !(omp->totals.wait_ns > 0) || !(omp->totals.serial_ns > 0))
		return 0;
	return fmin(1, (1 - outside_mpi(&omp->totals)) * omp->idle_ns / omp->totals.wait_ns);
}

/* A spinning thread keeps other threads of the program from a processor for as long as these are
 * ready. */
double judge_omp_spinning(const struct run *run, struct finding *finding)
{
	const struct omp_totals *totals = &run->omp.totals;
	double for_ranks_ns = share_for_ranks(run) * totals->spin_ns;
	double spin_ns = totals->spin_ns - for_ranks_ns;

	if (!is_told_by_openmp(run) || !finding_is_ready(run) ||
	    finding_is_shared_with_others(run) || totals->wait_policy == OMP_WAIT_PASSIVE)
		return NAN;
	char *rest = for_ranks_ns > 0 ? memory_print(", without %s while their ranks were in MPI",
						     quantity_seconds(for_ranks_ns).text)
				      : memory_copy_text("");
	finding->evidence = memory_print(
		"%s of processors' time spent waiting in the OpenMP runtime%s, while threads "
		"were ready for %s and had no processor",
		quantity_seconds(spin_ns).text, rest, quantity_seconds((double)run->ready_ns).text);
	free(rest);
	finding->grade =
		GRADE_ESTIMATED; /* it is not known when a thread spun and when it was ready */
	if (run->mpi.ranks.count >
	    1) /* the threads of another rank may lack the processor that this one uses */
		finding->advice = "Set OMP_WAIT_POLICY=passive (LLVM's runtime: KMP_BLOCKTIME=0).";
	finding_add_threads(finding, run, spin_of, 0);
	return stake_of_regions(run, finding, fmin(spin_ns, (double)run->ready_ns), 0);
}

double judge_omp_blocking(const struct run *run, struct finding *finding)
{
	const struct omp_totals *totals = &run->omp.totals;

	if (!is_told_by_openmp(run) || totals->wait_policy != OMP_WAIT_PASSIVE ||
	    totals->switches <= 0 || is_omp_oversubscribed(run))
		return NAN;
	finding->evidence = memory_print(
		"OMP_WAIT_POLICY=passive: %s a thread of a team was put to sleep, for %s on average; waking one up takes some tens of microseconds",
		quantity_things(totals->switches, "time").text,
		quantity_seconds(totals->blocked_ns / totals->switches).text);
	finding->grade = GRADE_ESTIMATED; /* the cost of a wake-up is an estimate */
	return stake_of_regions(
		run, finding,
		fmin(totals->blocked_ns, finding_limits.omp_wake_up * totals->switches), 0);
}

double judge_omp_oversubscription(const struct run *run, struct finding *finding)
{
	const struct omp_totals *totals = &run->omp.totals;
	double ready_ns = finding_explained_ready_ns(run);

	if (!has_large_teams(run) || has_nested_teams(run) || !finding_is_ready(run))
		return NAN;
	char *ready = finding_ready_text(run, ready_ns, "these explain");

	finding->evidence =
		memory_print("teams of up to %s on %s: %s",
			     quantity_things((double)totals->threads, "thread").text,
			     quantity_things((double)totals->processors, "processor").text, ready);
	free(ready);
	finding_add_explained_stake(run, finding, ready_ns);
	return finding_ready_percent(run, ready_ns);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules_threads.h"

#include "analyze/memory.h"
#include "analyze/model/finding_crowd.h"
#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_rules.h"
#include "analyze/model/finding_rules_grain.h"
#include "analyze/model/finding_rules_mpi.h"
#include "analyze/model/finding_rules_openmp.h"
#include "analyze/model/finding_stake.h"
#include "analyze/model/finding_where.h"
#include "analyze/model/run.h"

#include <math.h>
#include <stdlib.h>

/* ---- one thread alone */

/* A routine that one thread runs is a serial part; one that all run is alone only while the others
 * wait, or have done their share. */

struct alone {
	const struct routine_time *most; /* NULL: no sample was alone */
	double sum_ns;
	size_t count;
};

static bool is_of_one_thread(const struct routine_time *row)
{
	const struct routine_spread *spread = &row->spread;

	return spread->max_ns >=
	       finding_limits.one_thread * spread->mean_ns * (double)spread->count;
}

/* Of all routines, or of those that one thread runs. */
static struct alone alone_of(const struct run *run, bool is_single)
{
	struct alone alone = {0};

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];

		if (!row->samples || !row->alone_ns || (is_single && !is_of_one_thread(row)))
			continue;
		alone.count++;
		alone.sum_ns += (double)row->alone_ns;
		if (!alone.most || row->alone_ns > alone.most->alone_ns)
			alone.most = row;
	}
	return alone;
}

static char *alone_evidence(const struct run *run, const struct routine_time *row, double alone_ns,
			    bool is_single)
{
	char *text = memory_print("one thread alone for %.3g s (%.0f %% of the time)",
				  FINDING_SECONDS(alone_ns), run->on_processor.sequential_percent);

	if (!row)
		return text;
	char *place = names_place_text(run->names, row->routine, row->line);
	char *whole = memory_print("%s; most of it%s in %s: %.3g s", text,
				   is_single ? ", as far as only one thread runs it," : "", place,
				   FINDING_SECONDS(row->alone_ns));

	free(text);
	free(place);
	return whole;
}

/* Who ran the routine: where nearly all of its time is one thread's, that one. */
static void add_runner(struct finding *finding, const struct routine_time *row)
{
	const struct routine_spread *spread = &row->spread;
	double sum = spread->mean_ns * (double)spread->count;

	if (!spread->max_tid || row->is_by_total)
		return;
	char *name = spread->max_name && *spread->max_name
			     ? memory_print("%llu (%s)", (unsigned long long)spread->max_tid,
					    spread->max_name)
			     : memory_print("%llu", (unsigned long long)spread->max_tid);

	finding_add_step(finding, FINDING_THREAD, name, spread->max_ns, sum, spread->count);
}

static void add_alone(struct finding *finding, const struct run *run, const struct alone *alone)
{
	const struct routine_time *row = alone->most;

	if (!row)
		return;
	finding_add_routine(finding, run, row->routine, row->line, (double)row->alone_ns,
			    alone->sum_ns, alone->count);
	add_runner(finding, row);
}

/* Thread time that explains why one is alone in what all threads run: the others wait at a barrier,
 * have done their smaller share, sleep, read and write, or have no processor. */
static double explained_ns(const struct run *run)
{
	const uint64_t *waits = run->synchronization.wait_ns_by_cause;
	double ns =
		(double)waits[CAUSE_BARRIER] + (double)waits[CAUSE_SPINLOCK] +
		run->imbalance.lost_ns +
		finding_blocked_ns(&run->focus->sum, FINDING_CAUSE(SLEEP) | FINDING_CAUSE(OTHER));

	if (finding_is_shared_with_others(run))
		ns += (double)run->focus->ready_ns;
	return ns;
}

/* While others wait for a lock, that is the cause, not the work that is done meanwhile. */
static double waits_for_locks_ns(const struct run *run)
{
	const uint64_t *waits = run->synchronization.wait_ns_by_cause;

	return (double)waits[CAUSE_MUTEX] + (double)waits[CAUSE_RWLOCK];
}

/* How many do nothing while one is alone: of the threads that there are on average. So many are
 * explained at once by waits that explain it. */
static double others_of(const struct run *run)
{
	double threads = fmax(2, round(finding_threads_on_average(run)));

	return fmin(threads, (double)run->focus->file->process.processors) - 1;
}

struct alone_time {
	double single_ns, shared_ns; /* in routines of one thread, and of several */
};

/* Elapsed time that nothing else explains. */
static struct alone_time unexplained(const struct run *run, const struct alone *all,
				     const struct alone *single, double alone_ns)
{
	double others = others_of(run);
	double single_ns = all->sum_ns > 0 ? alone_ns * single->sum_ns / all->sum_ns : alone_ns;
	double shared_ns = fmax(0, alone_ns - single_ns - explained_ns(run) / others);

	return (struct alone_time){single_ns, shared_ns};
}

/* Of a part that runs alone each processor could have its share; starting short threads is told by
 * itself. */
static double stake_of_alone(const struct run *run, const struct alone_time *time)
{
	double processors = (double)run->focus->file->process.processors;
	double ns = time->single_ns + time->shared_ns - waits_for_locks_ns(run) / others_of(run) -
		    finding_short_threads_ns(run);

	return finding_percent(run, fmax(0, ns) * (1 - 1 / processors));
}

double judge_sequential(const struct run *run, struct finding *finding)
{
	const struct process *focus = run->focus;
	double alone_ns = (double)efficiency_level_ns(&run->on_processor, 1);

	/* One thread only: that there are no others is another finding. Of several ranks one alone
	   says nothing of the job. Of teams the regions know why. */
	if (run->mpi.ranks.count > 1 || is_told_by_openmp(run))
		return NAN;
	if (focus->file->process.threads_started < 2 || focus->file->process.processors < 2)
		return NAN;
	struct alone all = alone_of(run, false), single = alone_of(run, true);
	struct alone_time time = unexplained(run, &all, &single, alone_ns);
	bool is_single = time.single_ns > time.shared_ns && single.most && single.most != all.most;

	finding->evidence =
		alone_evidence(run, is_single ? single.most : all.most, alone_ns, is_single);
	finding->grade = run->on_processor.grade;
	add_alone(finding, run, is_single ? &single : &all);
	return stake_of_alone(run, &time);
}

/* ---- too many threads, or too few */

static char *ready_evidence(const struct run *run, double ready)
{
	return memory_print("threads were ready to run, but without a processor, for %.3g s; up to "
			    "%llu of them on %llu processor%s",
			    FINDING_SECONDS(ready),
			    (unsigned long long)finding_threads_wanting(run),
			    (unsigned long long)run->processors, run->processors == 1 ? "" : "s");
}

/* On average no more wanted to run than there are processors: the
 * program alone would have had enough of them. */
static void tell_of_others(const struct run *run, struct finding *finding, double wanted)
{
	if (wanted <= finding_limits.wanted * finding_capacity_ns(run)) {
		finding->kind = FINDING_ENVIRONMENT;
		finding->title = "other programs use the processors";
		finding->advice = "Measure on an idle machine, or with processors of the program's "
				  "own (taskset).";
		return;
	}
	finding->title = "more threads than processors, and other programs besides";
	finding->advice = "Measure on an idle machine, with as many threads as there are "
			  "processors.";
}

double judge_oversubscription(const struct run *run, struct finding *finding)
{
	double ready = (double)run->ready_ns, wanted = ready + (double)run->cpu_ns;

	/* an instant of readiness is no problem, however little the program ran */
	if (wanted <= 0 || !finding_is_ready(run) || is_rank_oversubscribed(run) ||
	    is_omp_oversubscribed(run))
		return NAN;
	if (finding_is_shared_with_others(run))
		tell_of_others(run, finding, wanted);
	finding->evidence = ready_evidence(run, ready);
	finding_add_ready_stake(run, finding, ready);
	finding_add_threads(finding, run, finding_ready_ns, 0);
	return 100 * ready / wanted;
}

/* Whose useful levels stand for the run: a job of ranks, the only process, or one beside which the
 * others are nothing, as a shell is that has started it. NULL: nobody's. */
static const struct efficiency *levels_of(const struct run *run)
{
	double others = (double)run->cpu_ns - (double)run->focus->cpu_ns;
	const struct efficiency *useful = run->mpi.ranks.count ? &run->mpi.useful : &run->useful;
	bool is_one = run->process_count == 1 || run->mpi.ranks.count ||
		      others <= finding_limits.part * (double)run->cpu_ns;

	return is_one && useful->levels ? useful : NULL;
}

struct full {
	double elapsed_ns; /* with more than half of the threads at work */
	double stake_ns;   /* what as many threads as processors could win of it */
};

static struct full full_of_levels(const struct efficiency *useful, double threads,
				  double processors)
{
	struct full full = {0};

	for (size_t i = 0; i < useful->level_count; i++) {
		double active = (double)useful->levels[i].active;
		double ns = (double)useful->levels[i].time_ns;

		if (2 * active <= threads)
			continue;
		full.elapsed_ns += ns;
		full.stake_ns += ns * fmax(0, 1 - active / processors);
	}
	return full;
}

/* Without levels: for no longer can all of them have been at work at once. */
static struct full full_of_cpu(const struct run *run, double threads, double processors)
{
	double ns = fmin((double)run->elapsed_ns, finding_whole_of(run).used_ns / threads);

	return (struct full){ns, ns * fmax(0, 1 - threads / processors)};
}

/* Whether more threads would have done more is known of the time only in which those that there
 * are had enough to do: who waits for a lock would wait with more of them as well. Who starts
 * threads has a part that runs alone, which is told by itself. */
static struct full full_of(const struct run *run)
{
	const struct efficiency *useful = levels_of(run);
	double least = run->focus->file->process.threads_started > 1 ? 2 : 1;
	double threads = fmax(useful ? least : 1, round(finding_threads_on_average(run)));
	double processors = (double)run->processors;

	return useful ? full_of_levels(useful, threads, processors)
		      : full_of_cpu(run, threads, processors);
}

double judge_too_few_threads(const struct run *run, struct finding *finding)
{
	uint64_t threads = finding_threads_wanting(run);

	if (!run->processors || threads >= run->processors)
		return NAN;
	struct full full = full_of(run);

	finding->evidence = memory_print(
		"never more than %llu thread%s that wanted to run, for %llu processors; for %.3g s "
		"most of them were at work",
		(unsigned long long)threads, threads > 1 ? "s" : "",
		(unsigned long long)run->processors, FINDING_SECONDS(full.elapsed_ns));
	finding->grade = levels_of(run) ? levels_of(run)->grade : GRADE_ESTIMATED;
	return finding_percent(run, full.stake_ns);
}

/* ---- work is unequal */

double judge_imbalance(const struct run *run, struct finding *finding)
{
	const struct imbalance *worst = &run->imbalance;
	double members = (double)worst->count;

	if (!worst->count)
		return NAN;
	char *place = names_place_text(run->names, worst->start.routine, worst->start.line);

	finding->evidence = memory_print(
		"%zu threads started in %s used %.3g s of CPU time on average, thread %llu %.3g s",
		worst->count, place, worst->sum_ns / members / 1e9,
		(unsigned long long)worst->longest_tid, worst->max_ns / 1e9);
	finding_add_step(finding, FINDING_ROUTINE, place, 1, 1, 1);
	finding_add_step(finding, FINDING_THREAD,
			 memory_print("%llu", (unsigned long long)worst->longest_tid),
			 worst->max_ns - worst->sum_ns / members, worst->excess_ns, worst->count);
	/* all could have ended when the mean of them did */
	double ns = worst->max_ns - worst->sum_ns / members;
	const struct finding_loss loss = {
		.idle_ns = worst->lost_ns, .longest_ns = ns, .cause_ns = ns};

	return finding_stake(run, finding, &loss);
}

/* ---- on a processor, but waiting */

struct concurrency {
	const struct efficiency *on_processor, *useful;
};

static struct concurrency concurrency_of(const struct run *run)
{
	if (run->mpi.ranks.count)
		return (struct concurrency){&run->mpi.on_processor, &run->mpi.useful};
	return (struct concurrency){&run->on_processor, &run->useful};
}

static char *waiting_text(const struct run *run)
{
	double spinlock_ns = (double)run->synchronization.wait_ns_by_cause[CAUSE_SPINLOCK];

	if (run->mpi.ranks.count)
		return memory_print("%.3g s of CPU time in MPI calls and other waits",
				    FINDING_SECONDS(finding_polling_ns(&run->mpi.ranks)));
	if (run->omp.totals.spin_ns > spinlock_ns)
		return memory_print("%.3g s of CPU time waiting in the OpenMP runtime",
				    FINDING_SECONDS(run->omp.totals.spin_ns));
	if (spinlock_ns > 0)
		return memory_print("%.3g s of waiting for spinlocks",
				    FINDING_SECONDS(spinlock_ns));
	return memory_copy_text("the rest is the going to sleep and waking up of short waits");
}

/* Of the processors that its threads could have: where they were ready, others had the rest. */
static bool looks_busy(const struct run *run, const struct efficiency *on_processor)
{
	double width = finding_whole_of(run).width, busy = on_processor->average;
	double ready = (double)run->ready_ns / (double)run->elapsed_ns;
	double others = fmin(fmax(0, width - busy), ready);

	return busy >= finding_limits.busy * (width - others);
}

/* The share of the work on processors that was for nothing. */
static double stake_of_waiting(const struct run *run, const struct concurrency *both)
{
	double lost = both->on_processor->average - both->useful->average;
	double whole_ns = (double)both->on_processor->total_ns;

	return finding_percent(run, fmin(lost, lost / both->on_processor->average) * whole_ns);
}

double judge_false_parallelism(const struct run *run, struct finding *finding)
{
	struct concurrency both = concurrency_of(run);
	double lost_ns = (both.on_processor->average - both.useful->average) *
			 (double)both.on_processor->total_ns;

	if (!(lost_ns > 0) || !run->elapsed_ns || !looks_busy(run, both.on_processor))
		return NAN;
	char *waits = waiting_text(run);

	finding->evidence = memory_print(
		"on average %.2f threads on processors, of which %.2f were useful and the others "
		"in waits: %s",
		both.on_processor->average, both.useful->average, waits);
	finding->grade = grade_worse(both.on_processor->grade, both.useful->grade);
	free(waits);
	return stake_of_waiting(run, &both);
}

/* SPDX-License-Identifier: MIT */
/* Rules on how many threads run at once, and how evenly. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_bound.h"
#include "analyze/findings/where/finding_crowd.h"
#include "analyze/findings/where/finding_delayed.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_place.h"
#include "analyze/findings/where/finding_polled.h"
#include "analyze/findings/where/finding_ready.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"
#include "analyze/model/threads/thread_role.h"

#include <math.h>
#include <stdlib.h>

/* ---- too many threads, or too few */

/* Threads are ready because others of the program have all processors, or because of other
 * programs, no longer than these had processors. The rest of the readiness is the time from being
 * woken to running. */
static double crowded_ns(const struct run *run, bool is_shared)
{
	double others_ns = is_shared ? finding_others_ns(run) : 0;

	/* on one processor the program's own threads take turns, however many there are */
	if (run->processors == 1)
		return finding_taken_ns(run);
	return isfinite(others_ns)
		       ? fmin((double)run->ready_ns, finding_own_ready_ns(run) + others_ns)
		       : (double)run->ready_ns;
}

/* The table of threads has all of it. */
static char *ready_evidence(const struct run *run, double ready_ns, bool is_of_others)
{
	char *time = finding_ready_text(run, ready_ns,
					is_of_others ? "other programs explain"
						     : "the lack of processors explains");
	uint64_t wanting = finding_threads_wanting(run);
	char *text =
		wanting > 1
			? memory_print("%s; up to %llu of them on %s", time,
				       (unsigned long long)wanting,
				       quantity_things((double)run->processors, "processor").text)
			: memory_print("%s; one at a time", time);

	free(time);
	return text;
}

/* Rules on ranks and teams tell what these explain of it, or why it is nothing to be told. */
static bool is_of_others_alone(const struct run *run)
{
	return is_rank_oversubscribed(run) || is_omp_oversubscribed(run);
}

/* If on average no more threads wanted to run than there are processors, the program alone would
 * have had enough of them. */
static void tell_of_others(const struct run *run, struct finding *finding, double wanted)
{
	if (is_of_others_alone(run) || wanted <= finding_limits.wanted * finding_capacity_ns(run)) {
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
	bool is_shared = finding_is_shared_with_others(run);
	bool is_of_others = run->processors == 1 || is_of_others_alone(run);
	double ready = fmax(0, crowded_ns(run, is_shared) - finding_bound_ready_ns(run));

	if (is_of_others_alone(run) && run->processors > 1)
		ready = fmax(0, ready - finding_explained_ready_ns(run));
	double polled = finding_polled_ready_ns(run);

	ready = fmin(ready, (double)run->ready_ns - polled);
	/* a short readiness is no problem, however little the program ran */
	if (!(ready > 0) || ready < finding_limits.ready_elapsed * (double)run->elapsed_ns)
		return NAN;
	if (is_shared)
		tell_of_others(run, finding, ready + (double)run->cpu_ns);
	finding->evidence = ready_evidence(run, ready, is_of_others);
	if (polled >= finding_limits.part * (double)run->ready_ns)
		finding_add_evidence(
			finding, memory_print("for %s they were ready to spin or to poll, which "
					      "needs no processor",
					      quantity_seconds(polled).text));
	/* work that was for nothing, spinning or waking up, is reported by other rules */
	finding_add_ready_stake(
		run, finding, fmin(ready, fmax(0, finding_capacity_ns(run) - (double)run->cpu_ns)));
	finding_add_threads(finding, run, finding_ready_ns, 0);
	return finding_ready_percent(run, ready);
}

/* The useful levels that represent the run: of a job of ranks, of the only process, or of one
 * beside which the others are negligible, as a shell that has started it. NULL: none do. */
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
	double stake_ns;   /* what as many threads as processors could gain of it */
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

/* Without levels: an upper bound of the time for which all can have been at work at once. */
static struct full full_of_cpu(const struct run *run, double threads, double processors)
{
	double ns = fmin((double)run->elapsed_ns, finding_whole_of(run).used_ns / threads);

	return (struct full){ns, ns * fmax(0, 1 - threads / processors)};
}

/* Whether more threads would have done more is known only for the time in which the existing ones
 * had enough to do: threads that wait for a lock would wait with more of them as well. A thread
 * that starts others has a part that runs alone, which another rule reports. */
static struct full full_of(const struct run *run)
{
	const struct efficiency *useful = levels_of(run);
	double least = run->focus->file->process.threads_started > 1 ? 2 : 1;
	double threads = fmax(useful ? least : 1, round(finding_threads_on_average(run)));
	double processors = (double)run->processors;

	return useful ? full_of_levels(useful, threads, processors)
		      : full_of_cpu(run, threads, processors);
}

/* What could be distributed: where most of the CPU time went. */
static void add_work(struct finding *finding, const struct run *run)
{
	const struct finding_part part = {.measure = FINDING_CPU_TIME};
	struct finding_part_sum sum = finding_part_sum(run, &part);
	struct finding_place place = finding_place_of(run, &part, &sum, false);

	if (place.row)
		finding_add_routine(finding, run, place.row->routine, place.row->line, place.ns,
				    sum.sum_ns, sum.count);
}

double judge_too_few_threads(const struct run *run, struct finding *finding)
{
	uint64_t threads = finding_threads_wanting(run);

	if (!run->processors || threads >= run->processors)
		return NAN;
	struct full full = full_of(run);

	finding->evidence = memory_print(
		"never more than %llu thread%s that wanted to run, for %llu processors; for %s "
		"most of them were at work",
		(unsigned long long)threads, threads > 1 ? "s" : "",
		(unsigned long long)run->processors, quantity_seconds(full.elapsed_ns).text);
	finding->grade = levels_of(run) ? levels_of(run)->grade : GRADE_ESTIMATED;
	add_work(finding, run);
	return finding_percent(run, full.stake_ns);
}

/* ---- work is unequal */

/* The thread with the most work had a processor for a part of the time in which it wanted one:
 * without the work that it has more, that whole time would be shorter. 1: it had it always. */
static double stretch_of(const struct run *run, const struct imbalance *group)
{
	const struct thread_time *longest = finding_thread_of(run->focus, group->longest_tid);
	double cpu_ns = longest ? (double)thread_time_cpu(longest) : 0;

	return cpu_ns > 0 ? finding_stretched_ns(run, cpu_ns, (double)longest->ready_ns) / cpu_ns
			  : 1;
}

/* What the longest thread alone had to do, in routines of its own, is reported by another rule. All
 * threads could have ended at the mean of the rest. */
static double stake_of_imbalance(const struct run *run, struct finding *finding,
				 const struct imbalance *group)
{
	double ns = imbalance_uneven_ns(group) - finding_alone_part_ns(run, group->longest_tid);
	double stretch = stretch_of(run, group);
	const struct finding_loss loss = {.idle_ns = group->lost_ns * stretch,
					  .longest_ns = fmax(0, ns) * stretch,
					  .cause_ns = fmax(0, ns) * stretch};

	if (stretch > 1)
		finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	return finding_stake(run, finding, &loss);
}

double judge_imbalance(const struct run *run, struct finding *finding)
{
	const struct imbalance *worst = &run->imbalance;
	double members = (double)worst->count;

	if (!worst->count)
		return NAN;
	char *place = names_place_text(run->names, worst->start.routine, worst->start.line);

	finding->evidence = memory_print(
		"%zu threads that run %s worked for %s of CPU time on average, thread %llu for %s",
		worst->count, place, quantity_seconds(worst->sum_ns / members).text,
		(unsigned long long)worst->longest_tid, quantity_seconds(worst->max_ns).text);
	free(place);
	finding_add_place(finding, FINDING_ROUTINE, run, &worst->start, 1, 1, 1);
	finding_add_step(finding, FINDING_THREAD,
			 thread_label(worst->longest_tid, worst->longest_name),
			 imbalance_uneven_ns(worst), worst->excess_ns, worst->count);
	return stake_of_imbalance(run, finding, worst);
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
	double spinlock_ns =
		finding_spun_ns(run, (double)run->synchronization.wait_ns_by_cause[CAUSE_SPINLOCK]);

	if (run->mpi.ranks.count)
		return memory_print("%s of CPU time in MPI calls and other waits",
				    quantity_seconds(finding_polling_ns(&run->mpi.ranks)).text);
	if (run->omp.totals.spin_ns > spinlock_ns)
		return memory_print("%s of CPU time waiting in the OpenMP runtime",
				    quantity_seconds(run->omp.totals.spin_ns).text);
	if (spinlock_ns > 0)
		return memory_print("%s of CPU time waiting for spinlocks",
				    quantity_seconds(spinlock_ns).text);
	return memory_copy_text("the rest is the going to sleep and waking up of short waits");
}

/* Relative to the processors that its threads could have: while they were ready, other programs had
 * the rest. */
static bool looks_busy(const struct run *run, const struct efficiency *on_processor)
{
	double width = finding_whole_of(run).width, busy = on_processor->average;
	double ready = (double)run->ready_ns / (double)run->elapsed_ns;
	double others = fmin(fmax(0, width - busy), ready);

	return busy >= finding_limits.busy * (width - others);
}

/* The share of the time on processors that was not useful. */
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
		"on average %s threads on processors, of which %s were useful and the others "
		"in waits: %s",
		quantity_number(both.on_processor->average).text,
		quantity_number(both.useful->average).text, waits);
	finding->grade = grade_worse(both.on_processor->grade, both.useful->grade);
	free(waits);
	return stake_of_waiting(run, &both);
}

/* SPDX-License-Identifier: MIT */
/* The rule on parts that run alone. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_crowd.h"
#include "analyze/findings/where/finding_delayed.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_place.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"
#include "analyze/model/threads/thread_role.h"

#include <math.h>
#include <stdlib.h>

/* A routine that one thread runs is a serial part; one that all threads run is alone only while the
 * others wait, or have done their share. */

static bool is_one_threads(const struct run *run, const struct routine_time *row)
{
	const struct spread *spread = &row->total_spread;

	(void)run;
	return finding_is_of_one_thread(row) && spread->max_ns >= finding_limits.alone_thread *
									  spread->mean_ns *
									  (double)spread->count;
}

static bool has_few_samples(const struct routine_time *row)
{
	double calls = row->self_ns ? (double)row->total_ns / (double)row->self_ns : 1;

	return (double)row->samples * fmax(1, calls) < finding_limits.thread_samples;
}

static bool is_surely_one_threads(const struct run *run, const struct routine_time *row)
{
	return is_one_threads(run, row) && !has_few_samples(row);
}

static bool is_perhaps_one_threads(const struct run *run, const struct routine_time *row)
{
	return is_one_threads(run, row) && has_few_samples(row);
}

static const struct finding_part all_routines = {FINDING_ALONE, NULL};
static const struct finding_part single_routines = {FINDING_ALONE, is_one_threads};
static const struct finding_part sure_routines = {FINDING_ALONE, is_surely_one_threads};
static const struct finding_part few_routines = {FINDING_ALONE, is_perhaps_one_threads};

/* Of a part that one thread runs the routines with few samples are that thread's, too. If they are
 * of several threads, each is one's by chance, as all have few samples of many routines. */
static const struct finding_part *single_part(const struct run *run)
{
	struct finding_part_sum few = finding_part_sum(run, &few_routines);
	double others_ns = 0;

	for (size_t i = 0; few.most && i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];

		if (row->samples && is_perhaps_one_threads(run, row) &&
		    row->total_spread.max_at.tid != few.most->total_spread.max_at.tid)
			others_ns += (double)row->alone_ns;
	}
	return others_ns > (1 - finding_limits.alone_thread) * few.sum_ns ? &sure_routines
									  : &single_routines;
}

/* all: of all routines. The share is that of samples, the time is T_1, so that a part is never
 * longer than the whole. */
static char *alone_evidence(const struct run *run, const struct finding_place *place,
			    const struct finding_part_sum *all, double alone_ns)
{
	char *text = memory_print("one thread alone for %s (%s of the time)",
				  quantity_seconds(alone_ns).text,
				  quantity_percent(run->on_processor.sequential_percent).text);

	if (!place->row || !(all->sum_ns > 0))
		return text;
	double share = fmin(1, place->ns / all->sum_ns);
	char *name = names_place_text(run->names, place->row->routine, place->row->line);
	char *whole = memory_print("%s; %s in %s: %s", text,
				   share > 0.5 ? "most of it" : "the largest part", name,
				   quantity_seconds(share * alone_ns).text);

	free(text);
	free(name);
	return whole;
}

/* The thread that ran the routine, if nearly all of its time is one thread's. */
static void add_runner(struct finding *finding, const struct routine_time *row)
{
	const struct spread *spread = &row->total_spread;
	double sum = spread->mean_ns * (double)spread->count;

	if (!spread->max_at.tid)
		return;
	finding_add_step(finding, FINDING_THREAD,
			 thread_label(spread->max_at.tid, spread->max_at.name), spread->max_ns, sum,
			 spread->count);
}

static void add_alone(struct finding *finding, const struct run *run,
		      const struct finding_part_sum *alone, const struct finding_place *place)
{
	if (!place->row)
		return;
	finding_add_routine(finding, run, place->row->routine, place->row->line, place->ns,
			    alone->sum_ns, alone->count);
	add_runner(finding, place->row);
}

/* ---- what is at stake */

/* What threads of the group lose by their smaller shares while one is alone: no more than what the
 * rule on unequal work claims on all processors. Threads that lived one after the other are many,
 * and short compared to their sum. */
static double uneven_ns(const struct run *run)
{
	double processors = (double)run->focus->file->process.processors;

	return fmin(run->imbalance.lost_ns, processors * imbalance_uneven_ns(&run->imbalance));
}

/* Thread time that explains why one thread is alone in what all threads run: the others wait at a
 * barrier, have done their smaller share, sleep, read and write, or have no processor. */
static double explained_ns(const struct run *run)
{
	const uint64_t *waits = run->synchronization.wait_ns_by_cause;
	double ns =
		(double)waits[CAUSE_BARRIER] + finding_spun_ns(run, (double)waits[CAUSE_SPINLOCK]) +
		uneven_ns(run) +
		finding_working_ns(run->focus, finding_blocked_ns,
				   FINDING_CAUSE(SLEEP) | FINDING_CAUSE(OTHER) | FINDING_ALL_IO);

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

/* How many threads do nothing while one is alone, of the average number of threads. Waits that
 * explain it explain so many at once. */
static double others_of(const struct run *run)
{
	double threads = fmax(2, round(finding_threads_on_average(run)));

	return fmin(threads, (double)run->focus->file->process.processors) - 1;
}

/* While a thread is alone on a processor, others may be ready for one that other programs have:
 * then it is not the program that is serial. What the thread of the part itself was ready for is
 * not in the time alone. */
static double others_ready_ns(const struct run *run, const struct finding_part_sum *single)
{
	const struct thread_time *runner =
		single->most ? finding_thread_of(run->focus, single->most->total_spread.max_at.tid)
			     : NULL;
	double own_ns = runner ? (double)runner->ready_ns : 0;

	return finding_taken_part(run) * fmax(0, (double)run->focus->ready_ns - own_ns);
}

struct alone_time {
	double single_ns, shared_ns; /* in routines of one thread, and of several */
};

/* Elapsed time that nothing else explains. */
static struct alone_time unexplained(const struct run *run, const struct finding_part_sum *all,
				     const struct finding_part_sum *single, double alone_ns)
{
	double others = others_of(run);
	double single_ns = all->sum_ns > 0 ? alone_ns * single->sum_ns / all->sum_ns : alone_ns;
	double shared_ns = fmax(0, alone_ns - single_ns - explained_ns(run) / others);

	single_ns = fmax(0, single_ns - others_ready_ns(run, single));
	return (struct alone_time){single_ns, shared_ns};
}

/* A part that runs alone could be divided among the processors; the time for starting short threads
 * is reported by a rule of its own. */
static double stake_of_alone(const struct run *run, const struct alone_time *time)
{
	double processors = (double)run->focus->file->process.processors;
	double ns = time->single_ns + time->shared_ns - waits_for_locks_ns(run) / others_of(run) -
		    finding_short_threads_ns(run);

	return finding_percent(run, fmax(0, ns) * (1 - 1 / processors));
}

double finding_alone_part_ns(const struct run *run, uint64_t tid)
{
	struct finding_part_sum all = finding_part_sum(run, &all_routines);
	struct finding_part_sum single = finding_part_sum(run, single_part(run));

	if (!single.most || single.most->total_spread.max_at.tid != tid || !(all.sum_ns > 0))
		return 0;
	return (double)efficiency_level_ns(&run->on_processor, 1) * single.sum_ns / all.sum_ns;
}

double judge_sequential(const struct run *run, struct finding *finding)
{
	const struct process *focus = run->focus;
	double alone_ns = (double)efficiency_level_ns(&run->on_processor, 1);

	/* With one thread only, another rule reports that there are no others. Of several ranks one
	 * that is alone says nothing about the job. Of teams the regions tell why. */
	if (run->mpi.ranks.count > 1 || is_told_by_openmp(run))
		return NAN;
	if (focus->file->process.threads_started < 2 || focus->file->process.processors < 2)
		return NAN;
	const struct finding_part *one = single_part(run);
	struct finding_part_sum all = finding_part_sum(run, &all_routines);
	struct finding_part_sum single = finding_part_sum(run, one);
	struct alone_time time = unexplained(run, &all, &single, alone_ns);
	bool is_single = time.single_ns > time.shared_ns && single.most && single.most != all.most;

	const struct finding_part_sum *alone = is_single ? &single : &all;
	struct finding_place place =
		finding_place_of(run, is_single ? one : &all_routines, alone, is_single);

	finding->evidence = alone_evidence(run, &place, &all, alone_ns);
	finding->grade = run->on_processor.grade;
	add_alone(finding, run, alone, &place);
	return stake_of_alone(run, &time);
}

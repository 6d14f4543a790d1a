/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_waits.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_chain.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_object.h"
#include "analyze/findings/where/finding_pause.h"
#include "analyze/findings/where/finding_polled.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MPI libraries have locks between their own threads, used mostly while MPI starts: a program can
 * do nothing about them. */
static bool is_of_library(const struct run *run, const struct sync_row *row)
{
	return row->waiters.count &&
	       runtime_is_mpi(names_routine(run->names, row->waiters.rows[0].routine)->module);
}

bool finding_is_wait_for(const struct run *run, const struct sync_row *row, unsigned causes)
{
	return sync_row_working_ns(row) && causes & 1u << row->cause && !is_of_library(run, row);
}

/* Nobody woke the thread: its time was over. */
static bool is_time_out(const struct run *run, const struct sync_site *site)
{
	return !strcmp(names_routine(run->names, site->routine)->name, "[time-out]");
}

double finding_timed_out_ns(const struct run *run, const struct sync_row *row)
{
	double ns = 0;

	for (size_t i = 0; i < row->blame.count; i++)
		if (is_time_out(run, &row->blame.rows[i]))
			ns += (double)row->blame.rows[i].time_ns;
	return fmin(ns, (double)sync_row_working_ns(row));
}

static char *blame_text(const struct run *run, const struct sync_row *row, const char *verb)
{
	const struct sync_site *site = row->blame.rows;

	if (!row->blame.count)
		return memory_copy_text("");
	char *place = names_place_text(run->names, site->routine, site->line);
	char *chain = finding_chain_text(run, row);
	char *text = memory_print(
		"; %s %s (%s)%s", is_time_out(run, site) ? "ended by" : verb, place,
		quantity_percent(100 * (double)site->time_ns / (double)row->wait_ns).text, chain);

	free(chain);
	free(place);
	return text;
}

static bool is_same(const struct sync_site *site, size_t routine, unsigned line)
{
	return site && site->routine == routine && site->line == line;
}

/* Are both ends named in the evidence already? */
static bool is_named_already(const struct sync_row *row, const struct sync_pair *pair)
{
	return row->blame.count && is_same(row->blame.rows, pair->holder, pair->holder_line) &&
	       is_same(sync_row_main_waiter(row), pair->victim, pair->victim_line);
}

/* The place that waits most and the one that holds most need not belong together: if there are
 * several pairs, the first one is named. It would say nothing new of two threads in one routine, or
 * of the two that are named already. */
static char *pair_text(const struct run *run, const struct sync_row *row)
{
	const struct sync_pair *pair = row->pairs.rows;

	if (row->pairs.count < 2 || pair->holder == pair->victim ||
	    !finding_is_code(run, pair->holder) || !finding_is_code(run, pair->victim) ||
	    is_named_already(row, pair))
		return memory_copy_text("");
	char *victim = names_place_text(run->names, pair->victim, pair->victim_line);
	char *holder = names_place_text(run->names, pair->holder, pair->holder_line);
	const char *about = pair->grade == GRADE_EXACT ? "" : "about ";
	char *text = memory_print(
		"; the most between two: %s for %s, %s%s", victim, holder, about,
		quantity_percent(100 * (double)pair->time_ns / (double)row->wait_ns).text);

	free(victim);
	free(holder);
	return text;
}

char *finding_wait_evidence(const struct run *run, const struct sync_row *of, unsigned causes,
			    const char *verb, const char *blame_verb)
{
	struct sync_row *row = finding_object_waits(run, of, finding_is_wait_for, causes);
	const char *name = run->synchronization.names[row->object];
	const struct sync_site *site = sync_row_main_waiter(row);
	char *waiter = site ? names_place_text(run->names, site->routine, site->line)
			    : memory_copy_text("an unknown place");
	char *blamed = blame_text(run, row, blame_verb);
	char *paired = pair_text(run, row);
	char *text = memory_print("%s %s %s, mostly in %s%s%s",
				  quantity_seconds(sync_row_working_ns(row)).text, verb, name,
				  waiter, blamed, paired);

	free(waiter);
	free(blamed);
	free(paired);
	finding_object_free(row);
	return text;
}

/* By number of the object; released by the caller. */
static double *waiting_by_object(const struct run *run, unsigned causes)
{
	const struct synchronization *all = &run->synchronization;
	size_t last = 0;

	for (size_t i = 0; i < all->count; i++)
		last = all->rows[i].object > last ? all->rows[i].object : last;
	double *ns = memory_allocate(last + 1, sizeof *ns);

	for (size_t i = 0; i < all->count; i++)
		if (finding_is_wait_for(run, &all->rows[i], causes))
			ns[all->rows[i].object] += (double)sync_row_working_ns(&all->rows[i]);
	return ns;
}

struct finding_waiting finding_waiting_for(const struct run *run, unsigned causes)
{
	struct finding_waiting sum = {0};
	double *of_object_ns = waiting_by_object(run, causes);

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!finding_is_wait_for(run, row, causes))
			continue;
		sum.wait_ns += (double)sync_row_working_ns(row);
		sum.idle_ns += (double)row->idle_ns;
		sum.waits += row->contended - row->idle_waits;
		bool is_same_object = sum.worst && sum.worst->object == row->object;
		if (is_same_object ? sync_row_working_ns(row) > sync_row_working_ns(sum.worst)
				   : of_object_ns[row->object] > sum.worst_ns)
			sum.worst = row;
		sum.worst_ns = of_object_ns[sum.worst->object];
	}
	free(of_object_ns);
	return sum;
}

void finding_add_evidence(struct finding *finding, char *clause)
{
	char *whole = memory_print("%s; %s", finding->evidence, clause);

	free(finding->evidence);
	free(clause);
	finding->evidence = whole;
}

/* The worst is one of many. */
static void tell_of_all(struct finding *finding, const struct finding_waiting *sum,
			const char *verb)
{
	char *worst = finding->evidence;

	finding->evidence = memory_print("%s %s all of them; %s",
					 quantity_seconds(sum->wait_ns).text, verb, worst);
	free(worst);
}

struct finding_waiting finding_judge_waits(const struct run *run, struct finding *finding,
					   unsigned causes, const char *verb,
					   const char *blame_verb)
{
	struct finding_waiting sum = finding_waiting_for(run, causes);

	if (!sum.worst)
		return sum;
	finding->evidence = finding_wait_evidence(run, sum.worst, causes, verb, blame_verb);
	if (sum.worst_ns < finding_limits.most * sum.wait_ns)
		tell_of_all(finding, &sum, verb);
	if (sum.idle_ns >= finding_limits.part * sum.wait_ns)
		finding_add_evidence(finding,
				     memory_print("idle threads, which do not count, waited for "
						  "%s more",
						  quantity_seconds(sum.idle_ns).text));
	finding_add_threads(finding, run, finding_blocked_ns, causes);
	finding_add_objects(finding, run, finding_is_wait_for, causes);
	return sum;
}

void finding_tell_ready(struct finding *finding, double ready_ns, double wait_ns)
{
	if (ready_ns > 0 && ready_ns >= finding_limits.ready_wait * wait_ns)
		finding_add_evidence(finding, memory_print("for %s of %s waiting threads were "
							   "ready, but without a processor",
							   quantity_seconds(ready_ns).text,
							   quantity_seconds(wait_ns).text));
}

double finding_lost_by_waits(const struct run *run, struct finding *finding, unsigned causes,
			     const struct finding_waiting *sum)
{
	struct finding_waiters waiters = finding_waiters_of(run, causes);
	double lost_ns = finding_lost_of(&waiters, waiters.blocked_ns, sum->wait_ns);

	if (!sum->worst || lost_ns >= sum->wait_ns)
		return sum->wait_ns;
	finding->grade = grade_worse(finding->grade, waiters.grade);
	finding_tell_ready(finding, sum->wait_ns - lost_ns, sum->wait_ns);
	return lost_ns;
}

/* Sleep, input and output: what others of the run do not cause. Without sleeps, threads wait for
 * locks as before: sleep of a holder is a loss of the lock (finding_holders.h), not of sleeping. */
static double rest_ns(const struct run *run, unsigned causes)
{
	unsigned rest = (FINDING_CAUSE(SLEEP) | FINDING_CAUSE(OTHER) | FINDING_ALL_IO) & ~causes;
	double ns = 0;

	for (size_t i = 0; i < run->process_count && !run->mpi.ranks.count; i++)
		ns += finding_working_ns(&run->processes[i], finding_blocked_ns, rest);
	return ns;
}

double finding_all_timed_out_ns(const struct run *run, unsigned causes)
{
	double ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++)
		if (finding_is_wait_for(run, &run->synchronization.rows[i], causes))
			ns += finding_timed_out_ns(run, &run->synchronization.rows[i]);
	return ns;
}

/* No thread ends before it has done its own work, with the processors that other programs leave it:
 * the longest of these times remains, whatever is won. CPU time that was of no use (spinning) may
 * all have been that thread's. */
static double longest_work_ns(const struct run *run, const struct finding_whole *whole)
{
	double taken = run->ready_ns ? whole->taken_ns / (double)run->ready_ns : 0;
	double useless_ns = fmax(0, whole->cpu_ns - whole->used_ns), longest_ns = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		for (size_t j = 0; j < process->thread_count; j++) {
			const struct thread_time *time = &process->threads[j];
			double ns = (double)thread_time_cpu(time) - useless_ns +
				    taken * (double)time->ready_ns;

			longest_ns = fmax(longest_ns, ns);
		}
	}
	return longest_ns;
}

/* Who waits to be woken waits until others have done something: no more can be won than they worked
 * for, seen from the thread that waited longest. What they wait for themselves (a sleep, input,
 * each other) is found by the rules on that. Where a time-out ended the wait, nobody did anything:
 * all of it may have been for nothing. */
static double most_of_woken_ns(const struct run *run, const struct finding_whole *whole,
			       unsigned causes)
{
	const struct thread_time *longest = finding_longest(run, causes);

	if (!longest)
		return INFINITY;
	return fmin(fmax(0, whole->used_ns - (double)thread_time_cpu(longest)) +
			    finding_all_timed_out_ns(run, causes),
		    fmax(0, whole->elapsed_ns - longest_work_ns(run, whole)));
}

/* No more can be won, whatever the processors could do. While threads wait at a barrier, at least
 * one is on its way there. At best what it does is shared out among all of them: k of n that wait
 * win k / n of the time, no more than half of what they wait for together. */
static double most_of_waits_ns(const struct run *run, const struct finding_whole *whole,
			       unsigned causes, double lost_ns)
{
	if (causes == FINDING_CAUSE(BARRIER))
		return lost_ns / 2;
	return causes & ~FINDING_WOKEN ? INFINITY : most_of_woken_ns(run, whole, causes);
}

/* The longest thread lost what it was blocked for. */
double finding_stake_of_waits(const struct run *run, struct finding *finding, unsigned causes,
			      double lost_ns)
{
	bool is_pause = finding_is_pause(causes);
	double longest_ns =
		is_pause ? finding_pause_path_ns(run, causes) : finding_longest_ns(run, causes);
	const struct finding_loss loss = {
		.idle_ns = lost_ns,
		.longest_ns = longest_ns,
		.cause_ns = is_pause ? finding_pause_cause_ns(run, longest_ns) : 0,
		.rest_ns = is_pause ? finding_pause_rest_ns(run, causes) : rest_ns(run, causes)};
	struct finding_whole whole = finding_whole_of(run);

	if (is_pause)
		whole.used_ns = fmax(0, whole.used_ns - finding_yielded_ns(run));
	double stake_ns = finding_stake_ns(&whole, &loss, finding);
	double most_ns = most_of_waits_ns(run, &whole, causes, lost_ns);

	if (most_ns < stake_ns)
		finding->grade = grade_worse(finding->grade, whole.grade);
	return finding_percent(run, fmin(stake_ns, most_ns));
}

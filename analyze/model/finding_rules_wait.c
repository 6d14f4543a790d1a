/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules_wait.h"

#include "analyze/memory.h"
#include "analyze/model/finding_helpers.h"
#include "analyze/model/finding_limits.h"
#include "analyze/model/finding_rules.h"
#include "analyze/model/finding_stake.h"
#include "analyze/model/finding_where.h"
#include "analyze/model/run.h"
#include "analyze/model/runtime_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- waits for objects */

/* MPI libraries have locks between their own threads, mostly while MPI starts: nothing that a
 * program could do better. */
static bool is_of_library(const struct run *run, const struct sync_row *row)
{
	return row->waiters.count &&
	       runtime_is_mpi(names_routine(run->names, row->waiters.rows[0].routine)->module);
}

static bool is_wait_for(const struct run *run, const struct sync_row *row, unsigned causes)
{
	return row->wait_ns && causes & 1u << row->cause && !is_of_library(run, row);
}

static char *blame_text(const struct run *run, const struct sync_row *row, const char *verb)
{
	const struct sync_site *site = row->blame.rows;

	if (!row->blame.count)
		return memory_copy_text("");
	char *place = names_place_text(run->names, site->routine, site->line);
	bool is_code = *names_routine(run->names, site->routine)->module;
	char *text = memory_print("; %s%s%s (%.0f %%)", is_code ? verb : "", is_code ? " " : "",
				  place, 100 * (double)site->time_ns / (double)row->wait_ns);

	free(place);
	return text;
}

/* What stands in brackets is no code: waits without a place, or the rest of many. */
static bool is_place(const struct run *run, size_t routine)
{
	return *names_routine(run->names, routine)->name != '[';
}

/* Who waits most and who holds most need not have to do with each other: where there are several
 * pairs, the first of them. Of two threads in one routine it would say nothing new. */
static char *pair_text(const struct run *run, const struct sync_row *row)
{
	const struct sync_pair *pair = row->pairs.rows;

	if (row->pairs.count < 2 || pair->holder == pair->victim || !is_place(run, pair->holder) ||
	    !is_place(run, pair->victim))
		return memory_copy_text("");
	char *victim = names_place_text(run->names, pair->victim, pair->victim_line);
	char *holder = names_place_text(run->names, pair->holder, pair->holder_line);
	const char *about = pair->grade == GRADE_EXACT ? "" : "about ";
	char *text = memory_print("; the most between two: %s for %s, %s%.0f %%", victim, holder,
				  about, 100 * (double)pair->time_ns / (double)row->wait_ns);

	free(victim);
	free(holder);
	return text;
}

char *finding_wait_evidence(const struct run *run, const struct sync_row *row, const char *verb,
			    const char *blame_verb)
{
	const char *name = run->synchronization.names[row->object];
	const struct sync_site *site = row->waiters.rows;
	char *waiter = row->waiters.count ? names_place_text(run->names, site->routine, site->line)
					  : memory_copy_text("an unknown place");
	char *blamed = blame_text(run, row, blame_verb);
	char *paired = pair_text(run, row);
	char *text = memory_print("%.3g s %s %s, mostly in %s%s%s", FINDING_SECONDS(row->wait_ns),
				  verb, name, waiter, blamed, paired);

	free(waiter);
	free(blamed);
	free(paired);
	return text;
}

/* All rows of the causes together; the first is the one with the longest wait. */
struct waiting {
	const struct sync_row *worst;
	double wait_ns;
	uint64_t waits;
};

static struct waiting waiting_for(const struct run *run, unsigned causes)
{
	struct waiting sum = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!is_wait_for(run, row, causes))
			continue;
		sum.wait_ns += (double)row->wait_ns;
		sum.waits += row->contended;
		sum.worst = sum.worst ? sum.worst : row;
	}
	return sum;
}

static struct waiting judge_waits(const struct run *run, struct finding *finding, unsigned causes,
				  const char *verb, const char *blame_verb)
{
	struct waiting sum = waiting_for(run, causes);

	if (!sum.worst)
		return sum;
	finding->evidence = finding_wait_evidence(run, sum.worst, verb, blame_verb);
	finding_add_threads(finding, run, finding_blocked_ns, causes);
	finding_add_objects(finding, run, is_wait_for, causes);
	return sum;
}

static void add_evidence(struct finding *finding, char *clause)
{
	char *whole = memory_print("%s; %s", finding->evidence, clause);

	free(finding->evidence);
	free(clause);
	finding->evidence = whole;
}

static void add_ready_clause(struct finding *finding, double ready_ns, double wait_ns)
{
	if (ready_ns >= finding_limits.ready_wait * wait_ns)
		add_evidence(finding,
			     memory_print("for %.3g s of %.3g s waiting threads were "
					  "ready, but without a processor",
					  FINDING_SECONDS(ready_ns), FINDING_SECONDS(wait_ns)));
}

/* What nobody waiting would win: a wait lasts until the thread runs again, so that one that is
 * woken and gets no processor is ready for the rest of it. Blocked is what the cause itself took;
 * what was neither blocked nor can have been ready was on a processor (spinning, falling asleep).
 */
static double lost_by_waits(const struct run *run, struct finding *finding, unsigned causes,
			    const struct waiting *sum)
{
	struct finding_waiters waiters = finding_waiters_of(run, causes);
	double lost_ns =
		fmin(sum->wait_ns, fmax(waiters.blocked_ns, sum->wait_ns - waiters.ready_ns));

	if (!sum->worst || lost_ns >= sum->wait_ns)
		return sum->wait_ns;
	finding->grade = grade_worse(finding->grade, waiters.grade);
	add_ready_clause(finding, sum->wait_ns - lost_ns, sum->wait_ns);
	return lost_ns;
}

/* The longest of them is as long as it was blocked. */
static double stake_of_waits(const struct run *run, struct finding *finding, unsigned causes,
			     double lost_ns)
{
	const struct finding_loss loss = {.idle_ns = lost_ns,
					  .longest_ns = finding_longest_ns(run, causes)};

	return finding_stake(run, finding, &loss);
}

double judge_locks(const struct run *run, struct finding *finding)
{
	unsigned causes = FINDING_CAUSE(MUTEX) | FINDING_CAUSE(RWLOCK);
	struct waiting sum = judge_waits(run, finding, causes, "of waiting for", "held by");

	if (sum.waits && sum.wait_ns / (double)sum.waits < finding_limits.handover) {
		add_evidence(finding, memory_print("%llu waits of %.3g us on average",
						   (unsigned long long)sum.waits,
						   sum.wait_ns / (double)sum.waits / 1e3));
		finding->advice = "Take the lock less often: do more under one locking, give each "
				  "thread data of its own, or split the lock.";
	}
	return stake_of_waits(run, finding, causes, lost_by_waits(run, finding, causes, &sum));
}

double judge_barriers(const struct run *run, struct finding *finding)
{
	unsigned causes = FINDING_CAUSE(BARRIER);
	struct waiting sum =
		judge_waits(run, finding, causes, "of waiting at", "the last to come was in");

	return stake_of_waits(run, finding, causes, lost_by_waits(run, finding, causes, &sum));
}

/* Helpers that are hardly ever woken are meant to wait. */
double judge_conditions(const struct run *run, struct finding *finding)
{
	unsigned causes = FINDING_CAUSE(CONDITION) | FINDING_CAUSE(SEMAPHORE);
	struct waiting sum = judge_waits(run, finding, causes, "of waiting for", "woken by");
	double lost_ns = lost_by_waits(run, finding, causes, &sum);

	return stake_of_waits(run, finding, causes,
			      fmax(0, lost_ns - finding_helpers_ns(run, causes)));
}

/* ---- spinning */

/* Samples in sched_yield, the call itself: a lower bound of what the loop around it takes. */
static double yield_ns(const struct run *run, uint64_t *count)
{
	double ns = 0;

	for (size_t i = 0; i < run->routines.count; i++) {
		const char *name = names_routine(run->names, run->routines.rows[i].routine)->name;

		if (strstr(name, "sched_yield") || !strcmp(name, "thrd_yield"))
			ns += (double)run->routines.rows[i].self_ns;
	}
	for (size_t i = 0; i < run->synchronization.count; i++)
		if (run->synchronization.rows[i].operation == OP_YIELD)
			*count += run->synchronization.rows[i].count;
	return *count ? ns : 0;
}

static char *spin_evidence(const struct run *run, const struct waiting *locks, double yields_ns,
			   uint64_t yields)
{
	char *yielded = memory_print("%.3g s of CPU time inside of %llu calls of sched_yield",
				     FINDING_SECONDS(yields_ns), (unsigned long long)yields);
	char *text;

	if (!locks->worst)
		return yielded;
	char *locked = finding_wait_evidence(run, locks->worst, "of spinning for", "held by");

	text = yields_ns > 0 ? memory_print("%s; %s", locked, yielded) : memory_copy_text(locked);
	free(locked);
	free(yielded);
	return text;
}

/* The waits of spinlocks are no useful time and thus unused; calls of sched_yield are not known to
 * be waits, so their time counts as used. */
double judge_spin(const struct run *run, struct finding *finding)
{
	uint64_t yields = 0;
	struct waiting locks = waiting_for(run, FINDING_CAUSE(SPINLOCK));
	double yields_ns = yield_ns(run, &yields);

	if (!locks.worst && yields_ns <= 0)
		return NAN;
	finding->evidence = spin_evidence(run, &locks, yields_ns, yields);
	finding->grade = yields_ns > 0 ? GRADE_SAMPLED : GRADE_EXACT;
	finding_add_objects(finding, run, is_wait_for, FINDING_CAUSE(SPINLOCK));
	const struct finding_loss loss = {.idle_ns = locks.wait_ns, .work_ns = yields_ns};

	return finding_stake(run, finding, &loss);
}

/* ---- blocked for nobody */

/* Waits of a process that a wrapped call explains. */
static double explained_ns(const struct thread_time *sum)
{
	double ns = 0;

	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause != CAUSE_MPI && cause != CAUSE_OTHER && cause != CAUSE_SLEEP)
			ns += (double)sum->by_cause_ns[cause];
	return ns;
}

struct blocked {
	double other, sleep;
};

/* The helpers of an MPI library are blocked all their lives; the waits of a rank are those of its
 * other threads. What is left of them can be no wrapped wait. */
static struct blocked blocked_rank(const struct run *run, const struct mpi_rank *rank)
{
	const struct thread_time *sum = &run->processes[rank->process].sum;
	double waits = fmax(0, (double)rank->wait_ns - explained_ns(sum));
	double asleep = fmin((double)sum->by_cause_ns[CAUSE_SLEEP], waits);

	return (struct blocked){fmin((double)sum->by_cause_ns[CAUSE_OTHER], waits - asleep),
				asleep};
}

/* In a job of ranks, what is no rank launches them and waits for their end. */
static struct blocked blocked_of(const struct run *run)
{
	struct blocked all = {0};

	for (size_t i = 0; i < run->process_count && !run->mpi.ranks.count; i++) {
		all.other += (double)run->processes[i].sum.by_cause_ns[CAUSE_OTHER];
		all.sleep += (double)run->processes[i].sum.by_cause_ns[CAUSE_SLEEP];
	}
	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		struct blocked rank = blocked_rank(run, &run->mpi.ranks.rows[i]);

		all.other += rank.other;
		all.sleep += rank.sleep;
	}
	return all;
}

static void add_blocked_threads(struct finding *finding, const struct run *run, enum cause cause)
{
	const struct mpi_ranks *ranks = &run->mpi.ranks;
	double most_ns = 0, whole_ns = 0;
	uint64_t most = 0;

	if (!ranks->count) {
		finding_add_threads(finding, run, finding_blocked_ns, 1u << cause);
		return;
	}
	for (size_t i = 0; i < ranks->count; i++) {
		struct blocked rank = blocked_rank(run, &ranks->rows[i]);
		double ns = cause == CAUSE_SLEEP ? rank.sleep : rank.other;

		whole_ns += ns;
		if (ns <= most_ns)
			continue;
		most_ns = ns;
		most = ranks->rows[i].rank;
	}
	finding_add_step(finding, FINDING_RANK, memory_print("%llu", (unsigned long long)most),
			 most_ns, whole_ns, ranks->count);
}

static enum grade blocked_grade(const struct run *run)
{
	enum grade grade = GRADE_EXACT;

	for (size_t i = 0; i < run->process_count; i++)
		grade = grade_worse(grade, run->processes[i].sum.blocked_grade);
	return grade;
}

double judge_blocked(const struct run *run, struct finding *finding)
{
	double other = blocked_of(run).other;

	if (other <= 0)
		return NAN;
	finding->evidence =
		memory_print("%.3g s in input and output, page faults and other system calls",
			     FINDING_SECONDS(other));
	finding->grade = blocked_grade(run);
	add_blocked_threads(finding, run, CAUSE_OTHER);
	return stake_of_waits(run, finding, FINDING_CAUSE(OTHER), other);
}

static bool is_polling(const struct waiting *sleeps)
{
	return (double)sleeps->waits >= finding_limits.polling_sleeps &&
	       sleeps->wait_ns < finding_limits.polling_sleep * (double)sleeps->waits;
}

static char *sleep_evidence(const struct run *run, const struct waiting *sleeps, double ns)
{
	if (!sleeps->worst || !sleeps->waits || !sleeps->worst->waiters.count)
		return memory_print("%.3g s asleep", FINDING_SECONDS(ns));
	const struct sync_site *site = sleeps->worst->waiters.rows;
	char *place = names_place_text(run->names, site->routine, site->line);
	char *text =
		memory_print("%.3g s asleep in %llu sleeps of %.3g ms on average, mostly in %s",
			     FINDING_SECONDS(ns), (unsigned long long)sleeps->waits,
			     sleeps->wait_ns / (double)sleeps->waits / 1e6, place);

	free(place);
	return text;
}

double judge_sleep(const struct run *run, struct finding *finding)
{
	struct waiting sleeps = waiting_for(run, FINDING_CAUSE(SLEEP));
	double ns = fmax(0, blocked_of(run).sleep - finding_helpers_ns(run, FINDING_CAUSE(SLEEP)));

	if (ns <= 0)
		return NAN;
	finding->evidence = sleep_evidence(run, &sleeps, ns);
	if (is_polling(&sleeps)) {
		finding->title = "threads poll: they sleep a little, again and again";
		finding->advice = "Wait for the event itself: a condition, a semaphore, poll() or "
				  "an eventfd; nobody then sleeps longer than needed.";
	}
	finding->grade = blocked_grade(run);
	add_blocked_threads(finding, run, CAUSE_SLEEP);
	finding_add_objects(finding, run, is_wait_for, FINDING_CAUSE(SLEEP));
	return stake_of_waits(run, finding, FINDING_CAUSE(SLEEP), ns);
}

/* SPDX-License-Identifier: MIT */
/* Rules on threads that do not wait for other threads: sleeps, input and output. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_holders.h"
#include "analyze/findings/where/finding_maps.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

/* Waits of a process that a wrapped call explains. */
static double explained_ns(const struct thread_time *sum, unsigned causes)
{
	double ns = 0;

	(void)causes;
	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause != CAUSE_MPI && cause != CAUSE_OTHER && cause != CAUSE_SLEEP)
			ns += (double)sum->by_cause_ns[cause];
	return ns;
}

struct blocked {
	double other, sleep;
};

/* Helper threads of an MPI library are blocked all their lives; the waits of a rank are those of
 * its other threads. What remains of them can be no wrapped wait. */
static struct blocked blocked_rank(const struct run *run, const struct mpi_rank *rank)
{
	const struct process *process = &run->processes[rank->process];
	double sleep_ns = finding_working_ns(process, finding_blocked_ns, FINDING_CAUSE(SLEEP));
	double other_ns = finding_working_ns(process, finding_blocked_ns, FINDING_CAUSE(OTHER));
	double explained = finding_working_ns(process, explained_ns, 0);
	double waits = fmax(0, (double)rank->wait_ns - explained);
	double asleep = fmin(sleep_ns, waits);

	return (struct blocked){fmin(other_ns, waits - asleep), asleep};
}

/* In a job of ranks, processes that are no ranks launch them and wait for their end. */
static struct blocked blocked_of(const struct run *run)
{
	struct blocked all = {0};

	for (size_t i = 0; i < run->process_count && !run->mpi.ranks.count; i++) {
		const struct process *process = &run->processes[i];

		all.other += finding_working_ns(process, finding_blocked_ns, FINDING_CAUSE(OTHER));
		all.sleep += finding_working_ns(process, finding_blocked_ns, FINDING_CAUSE(SLEEP));
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

static double unknown_ns(const struct thread_time *time, unsigned causes)
{
	return time->is_ready_known ? 0 : finding_blocked_ns(time, causes);
}

/* A thread whose ready time is not known has it in its blocked time. */
static bool is_ready_in(const struct run *run, double other_ns)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		ns += finding_working_ns(&run->processes[i], unknown_ns, FINDING_CAUSE(OTHER));
	return ns > other_ns / 2;
}

/* Which of the two it was is not to be guessed. */
static void tell_ready_is_unknown(struct finding *finding)
{
	finding->title = "threads are blocked outside of locks, or ready for a processor";
	finding->advice = "The kernel did not tell how long threads were ready: run where "
			  "/proc/self/schedstat can be read, or on an idle machine.";
}

double judge_blocked(const struct run *run, struct finding *finding)
{
	double other = blocked_of(run).other -
		       fmax(finding_allocator_blocked_ns(run), finding_maps_blocked_ns(run)) -
		       finding_pipeline_blocked_ns(run, FINDING_CAUSE(OTHER));

	if (other <= 0)
		return NAN;
	bool is_unclear = is_ready_in(run, other);
	finding->evidence = memory_print(
		"%s in no call that is seen: page faults, system calls of the "
		"program's own (as of io_uring), or stopped by a signal%s",
		quantity_seconds(other).text, is_unclear ? ", or without a free processor" : "");
	if (is_unclear)
		tell_ready_is_unknown(finding);
	finding->grade = blocked_grade(run);
	add_blocked_threads(finding, run, CAUSE_OTHER);
	return finding_stake_of_waits(run, finding, FINDING_CAUSE(OTHER), other);
}

double judge_stopped(const struct run *run, struct finding *finding)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		ns += finding_working_ns(&run->processes[i], finding_blocked_ns,
					 FINDING_CAUSE(STOPPED));
	if (ns <= 0)
		return NAN;
	finding->evidence = memory_print("%s of threads in which it was stopped by a signal",
					 quantity_seconds(ns).text);
	finding->grade = GRADE_ESTIMATED;
	finding_add_threads(finding, run, finding_blocked_ns, FINDING_CAUSE(STOPPED));
	return finding_stake_of_waits(run, finding, FINDING_CAUSE(STOPPED), ns);
}

static bool is_polling(const struct finding_waiting *sleeps)
{
	return (double)sleeps->waits >= finding_limits.polling_sleeps &&
	       sleeps->wait_ns < finding_limits.polling_sleep * (double)sleeps->waits;
}

static char *sleep_evidence(const struct run *run, const struct finding_waiting *sleeps, double ns)
{
	if (!sleeps->worst || !sleeps->waits || !sleeps->worst->waiters.count)
		return memory_print("%s asleep", quantity_seconds(ns).text);
	const struct sync_site *site = sync_row_main_waiter(sleeps->worst);
	char *place = names_place_text(run->names, site->routine, site->line);
	char *text =
		memory_print("%s asleep in %llu sleep%s of %s on average, mostly in %s",
			     quantity_seconds(ns).text, (unsigned long long)sleeps->waits,
			     sleeps->waits == 1 ? "" : "s",
			     quantity_seconds(sleeps->wait_ns / (double)sleeps->waits).text, place);

	free(place);
	return text;
}

double judge_sleep(const struct run *run, struct finding *finding)
{
	struct finding_waiting sleeps = finding_waiting_for(run, FINDING_CAUSE(SLEEP));
	double ns = blocked_of(run).sleep - finding_asleep_holding_all_ns(run);

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
	finding_add_objects(finding, run, finding_is_wait_for, FINDING_CAUSE(SLEEP));
	return finding_stake_of_waits(run, finding, FINDING_CAUSE(SLEEP), ns);
}

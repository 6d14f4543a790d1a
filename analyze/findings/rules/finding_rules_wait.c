/* SPDX-License-Identifier: MIT */
/* Rules on threads that wait for each other: locks, barriers, conditions. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_chain.h"
#include "analyze/findings/where/finding_delayed.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_holder_io.h"
#include "analyze/findings/where/finding_holders.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

static void tell_of_sleep(const struct run *run, struct finding *finding,
			  const struct sync_row *lock)
{
	double asleep_ns = finding_asleep_holding_ns(run, lock);

	if (asleep_ns < finding_limits.part * (double)sync_row_working_ns(lock))
		return;
	finding_add_evidence(finding, memory_print("who holds it sleeps there, for %s",
						   quantity_seconds(asleep_ns).text));
	finding->advice = "Give the lock back before going to sleep, and take it again afterwards.";
}

static void tell_of_io(const struct run *run, struct finding *finding, const struct sync_row *lock)
{
	const struct sync_site *holder = finding_io_holder(lock);
	double io_ns = finding_holder_io_ns(lock);

	if (!holder || io_ns < finding_limits.part * (double)sync_row_working_ns(lock))
		return;
	char *io = finding_holder_io_text(run, holder);

	finding_add_evidence(finding, memory_print("for %s of it, at least, the holder %s",
						   quantity_seconds(io_ns).text, io));
	free(io);
}

/* A holder, and who is to wake others, is ready in its turn about as often as in all of its time,
 * and the time of all that it keeps waiting grows with its own: the share at stake remains. */
static void tell_delayed(const struct run *run, struct finding *finding, unsigned causes,
			 const struct finding_waiting *sum, double lost_ns)
{
	double woken_ns = lost_ns - finding_all_timed_out_ns(run, causes);

	if (sum->worst)
		finding_tell_delayed(finding, fmin(woken_ns, finding_delayed_ns(run, causes)),
				     sum->wait_ns);
}

double judge_locks(const struct run *run, struct finding *finding)
{
	unsigned causes = FINDING_CAUSE(MUTEX) | FINDING_CAUSE(RWLOCK);
	struct finding_waiting sum =
		finding_judge_waits(run, finding, causes, "of waiting for", "held by");

	if (sum.waits && sum.wait_ns / (double)sum.waits < finding_limits.handover) {
		finding_add_evidence(
			finding,
			memory_print("%s of %s on average",
				     quantity_things((double)sum.waits, "wait").text,
				     quantity_seconds(sum.wait_ns / (double)sum.waits).text));
		finding->advice = "Take the lock less often: do more under one locking, give each "
				  "thread data of its own, or split the lock.";
	}
	if (sum.worst) {
		tell_of_sleep(run, finding, sum.worst);
		tell_of_io(run, finding, sum.worst);
		if (finding_is_in_chain(run, sum.worst))
			finding->advice = "Give the lock back before waiting for another thread, "
					  "or make that one faster: the holder's own work is not "
					  "what the others wait for.";
	}
	double lost_ns = finding_lost_by_waits(run, finding, causes, &sum);

	tell_delayed(run, finding, causes, &sum, lost_ns);
	return finding_stake_of_waits(run, finding, causes, lost_ns);
}

/* Neither idle nor just waiting for the end of the others. */
static bool takes_part(const struct thread_time *time, double busiest_ns)
{
	return !idle_thread(time, busiest_ns) &&
	       2 * thread_joining_ns(time) < (double)time->lifetime_ns;
}

/* A thread that is always late never waits; if all wait for about as long, they are late in turn.
 * Of waits in which nobody was blocked, but only ready, it is not known whose they were. */
static void tell_of_turns(const struct run *run, struct finding *finding, unsigned causes)
{
	double least_ns = INFINITY, most_ns = 0;
	size_t count = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		double busiest_ns = idle_busiest_ns(process);

		for (size_t j = 0; j < process->thread_count; j++) {
			double ns = finding_blocked_ns(&process->threads[j], causes);

			if (!takes_part(&process->threads[j], busiest_ns))
				continue;
			count++;
			least_ns = fmin(least_ns, ns);
			most_ns = fmax(most_ns, ns);
		}
	}
	if (count < 2 || !(most_ns > 0) || least_ns < finding_limits.most * most_ns)
		return;
	finding_add_evidence(finding,
			     memory_print("each of %zu threads waited for %s of the longest "
					  "at least: who is late alternates",
					  count, quantity_percent(100 * least_ns / most_ns).text));
	finding->advice = "Share each step out evenly, not only the sum of all steps; or need "
			  "fewer barriers.";
}

/* The last to come is the one that others kept from its processor for longest: what that can have
 * cost is taken off, all of it. */
static double lost_at_barriers(const struct run *run, struct finding *finding,
			       const struct finding_waiting *sum)
{
	unsigned causes = FINDING_CAUSE(BARRIER);
	double lost_ns = finding_lost_by_waits(run, finding, causes, sum);
	double delayed_ns = fmin(lost_ns, finding_delayed_ns(run, causes));

	if (sum->worst && delayed_ns > 0)
		finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	if (sum->worst)
		finding_tell_delayed(finding, delayed_ns, sum->wait_ns);
	return lost_ns - delayed_ns;
}

double judge_barriers(const struct run *run, struct finding *finding)
{
	unsigned causes = FINDING_CAUSE(BARRIER);
	struct finding_waiting sum = finding_judge_waits(run, finding, causes, "of waiting at",
							 "the last to come was in");

	if (sum.worst)
		tell_of_turns(run, finding, causes);
	return finding_stake_of_waits(run, finding, causes, lost_at_barriers(run, finding, &sum));
}

/* Of a signal that is never sent the program's code shows nothing. */
static void advise_on_time_outs(const struct run *run, struct finding *finding,
				const struct sync_row *worst)
{
	double ns = worst ? finding_timed_out_ns(run, worst) : 0;

	if (ns > 0 && ns >= finding_limits.most * (double)sync_row_working_ns(worst))
		finding->advice = "These waits ended by their time-out: is a signal missing, or "
				  "sent to another object? Where the time-out is meant as a pace, "
				  "it is a sleep.";
}

double judge_conditions(const struct run *run, struct finding *finding)
{
	unsigned causes = FINDING_WOKEN;
	const struct sync_row *worst = finding_waiting_for(run, causes).worst;
	bool is_moved = worst && synchronization_has_moves(&run->synchronization, worst->object);
	struct finding_waiting sum =
		finding_judge_waits(run, finding, causes, "of waiting for",
				    is_moved ? "woken or moved by" : "woken by");

	advise_on_time_outs(run, finding, sum.worst);
	double lost_ns = finding_lost_by_waits(run, finding, causes, &sum);

	tell_delayed(run, finding, causes, &sum, lost_ns);
	return finding_stake_of_waits(run, finding, causes, lost_ns);
}

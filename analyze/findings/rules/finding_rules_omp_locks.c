/* SPDX-License-Identifier: MIT */
/* The rule on OpenMP's locks: critical, omp_set_lock, ordered, atomic of large types. The loss is
 * the waiting for them and, if they are entered very often, the cost of entering them. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/omp_runtime.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

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

static bool is_entering(const struct sync_row *row)
{
	return row->operation == OP_CRITICAL || row->operation == OP_OMP_SET_LOCK ||
	       row->operation == OP_OMP_TEST_LOCK || row->operation == OP_ATOMIC;
}

/* ---- waiting for them, and entering them without waiting */

struct locks {
	double wait_ns;
	double entries; /* how often they were entered, of which: */
	double free;    /* of locks that hardly any thread waited for */
	double fought;  /* of the others: each time their memory may come from another processor's
			   cache */
	const struct sync_row *worst;   /* with the longest wait; NULL: nobody waited */
	bool has_others;                /* others than its object were waited for, too */
	const struct sync_row *busiest; /* entered most often; NULL: none was */
	size_t entered;
};

/* Rows are sorted by waiting time, the longest first. */
static struct locks locks_of(const struct run *run)
{
	struct locks locks = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (is_omp_wait(run, row, 0)) {
			locks.wait_ns += (double)row->wait_ns;
			locks.worst = locks.worst ? locks.worst : row;
			locks.has_others |= row->object != locks.worst->object;
		}
		if (!is_entering(row) || !row->count)
			continue;
		locks.entered++;
		locks.entries += (double)row->count;
		bool is_fought =
			(double)row->contended >= finding_limits.contested * (double)row->count;
		*(is_fought ? &locks.fought : &locks.free) += (double)row->count;
		if (!locks.busiest || row->count > locks.busiest->count)
			locks.busiest = row;
	}
	return locks;
}

/* CPU time to enter and leave without a wait, at most that of the run. */
static double entering_ns(const struct run *run, double entries)
{
	return fmin(finding_limits.lock_pair * entries, (double)run->cpu_ns);
}

/* CPU time to hand them over, besides waiting: no less than to enter them. */
static double handover_ns(const struct run *run, const struct locks *locks)
{
	double most_ns = fmin(finding_limits.omp_line * locks->fought, omp_machinery_work_ns(run));

	return fmax(most_ns, entering_ns(run, locks->fought));
}

/* ---- the rule */

/* The cost of the locks, in thread time: waiting, and overhead that counts as work. What is less
 * than a twentieth is left out. */
struct cost {
	double entering_ns, handover_ns;
};

static double if_part(double ns, double beside_ns)
{
	return ns >= finding_limits.part * (beside_ns + ns) ? ns : 0;
}

static struct cost cost_of(const struct run *run, const struct locks *locks)
{
	return (struct cost){if_part(entering_ns(run, locks->free), locks->wait_ns),
			     if_part(handover_ns(run, locks), locks->wait_ns)};
}

static char *joined(char *text, char *more)
{
	char *both = memory_print("%s; %s", text, more);

	free(text);
	free(more);
	return both;
}

static char *waiting_text(const struct run *run, const struct locks *locks, const struct cost *cost)
{
	char *text = finding_wait_evidence(run, locks->worst, FINDING_CAUSE(OPENMP),
					   "of waiting for", "held by");

	if (locks->has_others)
		text = joined(memory_print("%s of waiting for all of them",
					   quantity_seconds(locks->wait_ns).text),
			      text);
	if (cost->handover_ns > 0)
		text = joined(text, memory_print("about %s of CPU time for handing them over "
						 "%s",
						 quantity_seconds(cost->handover_ns).text,
						 quantity_things(locks->fought, "time").text));
	return text;
}

static char *entering_text(const struct run *run, const struct locks *locks)
{
	const struct sync_row *row = locks->busiest;

	return memory_print("%s was entered %s; without a wait that takes about "
			    "%s each, for all of them %s",
			    run->synchronization.names[row->object],
			    quantity_things((double)row->count, "time").text,
			    quantity_seconds(finding_limits.lock_pair).text,
			    quantity_seconds(entering_ns(run, locks->free)).text);
}

static char *evidence_of(const struct run *run, const struct locks *locks, const struct cost *cost)
{
	if (!locks->worst)
		return entering_text(run, locks);
	char *waiting = waiting_text(run, locks, cost);

	return cost->entering_ns > 0 ? joined(waiting, entering_text(run, locks)) : waiting;
}

/* If no thread waited, the lock that was entered most often. */
static void add_where(struct finding *finding, const struct run *run, const struct locks *locks)
{
	const struct sync_row *row = locks->busiest;

	if (locks->worst)
		finding_add_objects(finding, run, is_omp_wait, 0);
	else
		finding_add_step(finding, FINDING_OBJECT,
				 memory_copy_text(run->synchronization.names[row->object]),
				 (double)row->count, locks->entries, locks->entered);
}

/* A lock that is entered for every word costs time by being entered, however short the waits
 * are. */
double judge_omp_locks(const struct run *run, struct finding *finding)
{
	struct locks locks = locks_of(run);
	struct cost cost = cost_of(run, &locks);
	double work_ns = cost.entering_ns + cost.handover_ns;

	if (!locks.worst && !(work_ns > 0))
		return NAN;
	const char *advice = lock_advice((locks.worst ? locks.worst : locks.busiest)->operation);
	const struct finding_loss loss = {.idle_ns = locks.wait_ns, .work_ns = work_ns};

	finding->evidence = evidence_of(run, &locks, &cost);
	finding->advice = advice ? advice : finding->advice;
	finding->grade = work_ns > 0 ? GRADE_ESTIMATED : GRADE_EXACT;
	if (!locks.worst)
		finding->title = "OpenMP locks are entered very often for very little";
	add_where(finding, run, &locks);
	return finding_stake(run, finding, &loss);
}

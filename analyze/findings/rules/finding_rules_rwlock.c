/* SPDX-License-Identifier: MIT */
/* The rule on writers that wait for a read-write lock while readers come and go: by default a
 * reader gets the lock whenever another reader holds it. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_crowd.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

/* ---- the two sides of a lock */

struct side {
	double count, contended, wait_ns;
	const struct sync_row *most; /* with the longest wait */
};

struct sides {
	struct side read, write;
};

static void add(struct side *side, const struct sync_row *row)
{
	side->count += (double)row->count;
	side->contended += (double)row->contended;
	side->wait_ns += (double)row->wait_ns;
	if (!side->most || row->wait_ns > side->most->wait_ns)
		side->most = row;
}

static struct sides sides_of(const struct run *run, size_t object)
{
	struct sides sides = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (row->object != object)
			continue;
		if (row->operation == OP_RWLOCK_READ || row->operation == OP_RWLOCK_TIMEDREAD)
			add(&sides.read, row);
		if (row->operation == OP_RWLOCK_WRITE || row->operation == OP_RWLOCK_TIMEDWRITE)
			add(&sides.write, row);
	}
	return sides;
}

/* How often other threads read while one waits to write. A lock that keeps the order of arrival
 * lets each of them do so at most once. */
static double reads_in_a_wait(const struct run *run, size_t object, const struct sides *sides)
{
	double members = fmax(1, (double)run->synchronization.objects[object].members);
	double reads_per_ns = sides->read.count / members / (double)run->elapsed_ns;

	return reads_per_ns * sides->write.wait_ns / fmax(1, sides->write.contended);
}

/* Readers of such a lock get it at once. */
static bool is_starved(const struct run *run, size_t object, const struct sides *sides)
{
	double threads = (double)finding_threads_at_once(run);

	return sides->write.wait_ns >=
		       finding_limits.most * (sides->write.wait_ns + sides->read.wait_ns) &&
	       sides->read.contended <= finding_limits.starving_waits * sides->read.count &&
	       reads_in_a_wait(run, object, sides) >= finding_limits.starving_reads * threads;
}

/* Rows are sorted by waiting time, the longest first. */
static bool find_worst(const struct run *run, size_t *object, struct sides *sides)
{
	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (row->cause != CAUSE_RWLOCK || !row->wait_ns)
			continue;
		*object = row->object;
		*sides = sides_of(run, row->object);
		if (sides->write.wait_ns > 0 && is_starved(run, row->object, sides))
			return true;
	}
	return false;
}

/* ---- the rule */

static void add_steps(struct finding *finding, const struct run *run, size_t object,
		      const struct sides *sides)
{
	struct finding_shares routines = {0};

	finding_add_threads(finding, run, finding_blocked_ns, FINDING_CAUSE(RWLOCK));
	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		for (size_t j = 0; row->object == object && j < row->waiters.count; j++)
			finding_share_place(&routines, run, row->waiters.rows[j].routine,
					    row->waiters.rows[j].line,
					    (double)row->waiters.rows[j].time_ns);
	}
	finding_add_shared_routine(finding, run, &routines,
				   sides->write.wait_ns + sides->read.wait_ns);
	finding_tell_object(finding, object);
	finding_add_step(finding, FINDING_OBJECT,
			 memory_copy_text(run->synchronization.names[object]), 1, 1, 1);
}

static void tell(const struct run *run, struct finding *finding, size_t object,
		 const struct sides *sides)
{
	const struct sync_row *row = sides->write.most;
	char *place = row->waiters.count ? names_place_text(run->names, row->waiters.rows->routine,
							    row->waiters.rows->line)
					 : memory_copy_text("an unknown place");

	finding->evidence = memory_print(
		"%s of waiting to write, for %s, mostly in %s: %s of %s on average, "
		"and others took it about %s to read in each",
		quantity_seconds(sides->write.wait_ns).text, run->synchronization.names[object],
		place, quantity_things(sides->write.contended, "wait").text,
		quantity_seconds(sides->write.wait_ns / fmax(1, sides->write.contended)).text,
		quantity_things(reads_in_a_wait(run, object, sides), "time").text);
	free(place);
	add_steps(finding, run, object, sides);
}

/* As for other locks, for this one alone: blocked, or on a processor inside of the wait. */
double judge_starved_writer(const struct run *run, struct finding *finding)
{
	size_t object;
	struct sides sides;

	if (!run->elapsed_ns || !find_worst(run, &object, &sides))
		return NAN;
	struct finding_waiters waiters = finding_waiters_of(run, FINDING_CAUSE(RWLOCK));
	double all_ns = (double)run->synchronization.wait_ns_by_cause[CAUSE_RWLOCK];
	double wait_ns = sides.write.wait_ns + sides.read.wait_ns;
	double blocked_ns = waiters.blocked_ns * fmin(1, wait_ns / fmax(1, all_ns));
	double lost_ns = finding_lost_of(&waiters, blocked_ns, wait_ns);
	const struct finding_loss loss = {
		.idle_ns = lost_ns,
		.longest_ns = finding_longest_ns(run, FINDING_CAUSE(RWLOCK)),
	};

	tell(run, finding, object, &sides);
	finding->grade = lost_ns < wait_ns ? waiters.grade : GRADE_EXACT;
	return finding_stake(run, finding, &loss);
}

/* SPDX-License-Identifier: MIT */
/* The rule on CPython's global interpreter lock: the thread that runs Python code holds it, and the
 * others wait for its condition variable. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_delayed.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"
#include "analyze/model/sync/sync_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What Python programs call locks, and what queues wait for, are other semaphores or condition
 * variables. Merged runs of earlier versions have its objects by the names of the variables. */
static bool is_of_gil(const struct run *run, size_t object)
{
	const char *name = run->synchronization.names[object];

	return strstr(name, SYNC_GIL) || strstr(name, "_PyRuntime") || strstr(name, "gil_cond") ||
	       strstr(name, "gil_mutex");
}

static bool is_gil(const struct run *run, const struct sync_row *row)
{
	return row->cause == CAUSE_CONDITION && sync_row_working_ns(row) &&
	       is_of_gil(run, row->object);
}

/* The flag is behind a mutex of its own. */
static void tell_objects(const struct run *run, struct finding *finding)
{
	for (size_t i = 0; i < run->synchronization.count; i++)
		if (is_of_gil(run, run->synchronization.rows[i].object))
			finding_tell_object(finding, run->synchronization.rows[i].object);
}

struct gil {
	double wait_ns;
	double conditions_ns; /* waits for all condition variables, including the lock's */
	uint64_t waits;
	const struct sync_row *most;
};

static struct gil gil_of(const struct run *run)
{
	struct gil gil = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		gil.conditions_ns +=
			row->cause == CAUSE_CONDITION ? (double)sync_row_working_ns(row) : 0;
		if (!is_gil(run, row))
			continue;
		gil.wait_ns += (double)sync_row_working_ns(row);
		gil.waits += row->contended - row->idle_waits;
		gil.most = gil.most ? gil.most : row;
	}
	return gil;
}

/* A wait lasts until the thread runs again: of threads without a processor only the blocked time
 * counts, distributed over all condition variables. */
static double lost_ns(const struct gil *gil, const struct finding_waiters *waiters)
{
	double blocked_ns = waiters->blocked_ns * gil->wait_ns / gil->conditions_ns;

	return finding_lost_of(waiters, blocked_ns, gil->wait_ns);
}

/* Of all places in one routine. */
struct gil_user {
	const struct sync_site *most; /* of them, that with most time; NULL: none is known */
	double ns, all_ns;            /* in the routine, and in all whose name is known */
};

static double in_routine_ns(const struct sync_sites *sites, size_t routine)
{
	double ns = 0;

	for (size_t i = 0; i < sites->count; i++)
		ns += sites->rows[i].routine == routine ? (double)sites->rows[i].time_ns : 0;
	return ns;
}

static double of_routine_ns(const struct run *run, size_t routine, bool is_holder)
{
	double ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (is_gil(run, row))
			ns += in_routine_ns(is_holder ? &row->blame : &row->waiters, routine);
	}
	return ns;
}

/* Sites come with the most time of a row first, so the first of a routine is its line. */
static void add_user(const struct run *run, struct gil_user *user, const struct sync_site *site,
		     bool is_holder)
{
	if (*names_routine(run->names, site->routine)->name == '[')
		return;
	user->all_ns += (double)site->time_ns;
	if (user->most && user->most->routine == site->routine)
		return;
	double ns = of_routine_ns(run, site->routine, is_holder);

	if (ns <= user->ns)
		return;
	user->most = site;
	user->ns = ns;
}

/* Who waits most for the lock, or has it while others wait. A wait that took too long ends by
 * itself, and asks whoever runs to let go: its holder is not known. Of the others it is. */
static struct gil_user gil_user_of(const struct run *run, bool is_holder)
{
	struct gil_user user = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];
		const struct sync_sites *sites = is_holder ? &row->blame : &row->waiters;

		for (size_t k = 0; is_gil(run, row) && k < sites->count; k++)
			add_user(run, &user, &sites->rows[k], is_holder);
	}
	return user;
}

/* Where functions of Python have names. */
static void tell_user(const struct run *run, struct finding *finding, bool is_holder)
{
	struct gil_user user = gil_user_of(run, is_holder);

	if (!user.most || !names_routine(run->names, user.most->routine)->is_python)
		return;
	char *place = names_place_text(run->names, user.most->routine, user.most->line);
	struct quantity share = quantity_percent(100 * user.ns / user.all_ns);

	finding_add_evidence(
		finding,
		is_holder ? memory_print("of %s whose holder is known, %s by %s",
					 quantity_seconds(user.all_ns).text, share.text, place)
			  : memory_print("%s of it is waited for in %s", share.text, place));
	free(place);
}

double judge_gil(const struct run *run, struct finding *finding)
{
	unsigned causes = FINDING_CAUSE(CONDITION);
	struct gil gil = gil_of(run);

	if (!gil.most)
		return NAN;
	struct finding_waiters waiters = finding_waiters_of(run, causes);
	const struct finding_loss loss = {.idle_ns = lost_ns(&gil, &waiters),
					  .longest_ns = finding_longest_ns(run, causes),
					  .is_of_turns = true};

	if (loss.idle_ns < gil.wait_ns)
		finding->grade = waiters.grade;
	finding->evidence = memory_print(
		"%s in %s: of all threads one at a time runs Python code, and %s processors were in use on average",
		quantity_seconds(gil.wait_ns).text, quantity_things((double)gil.waits, "wait").text,
		quantity_number(run->average_processors).text);
	tell_user(run, finding, false);
	tell_user(run, finding, true);
	finding_tell_delayed(finding, finding_delayed_ns(run, causes), gil.wait_ns);
	tell_objects(run, finding);
	finding_add_threads(finding, run, finding_blocked_ns, causes);
	finding_add_step(finding, FINDING_OBJECT,
			 memory_print("Python's global interpreter lock (%s)",
				      run->synchronization.names[gil.most->object]),
			 1, 1, 1);
	return finding_stake(run, finding, &loss);
}

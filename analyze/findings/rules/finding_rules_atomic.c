/* SPDX-License-Identifier: MIT */
/* The rules on what samples at atomic instructions tell: counters that threads share, and locks
 * that the C library takes in its own calls. Both need the tree of call paths (RUN_PATHS) and the
 * machine code; without these nothing is found. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_atomic.h"
#include "analyze/findings/where/finding_libc_call.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

static struct finding_atomic atomics_of(const struct run *run,
					const struct finding_company *company)
{
	struct finding_atomic found = {0};

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];
		size_t user = node->atomic.samples ? finding_atomic_user(run, i) : 0;

		if (user && !finding_is_libc(run, i))
			finding_atomic_add(&found, run, company, node, user);
	}
	return found;
}

/* ---- counters */

static double tell_atomics(const struct run *run, struct finding *finding,
			   const struct finding_company *company,
			   const struct finding_atomic *atomic)
{
	char *place = finding_callers_place(&atomic->users, run);
	const struct finding_loss loss = {.work_ns = atomic->ns};

	finding->evidence = memory_print(
		"%s of CPU time at atomic instructions of several threads at once, mostly in %s; they "
		"wait for memory that others write, or for slow instructions before them",
		quantity_seconds(atomic->ns).text, place);
	free(place);
	finding->grade = GRADE_SAMPLED;
	finding_callers_tell(&atomic->users, run, finding);
	return finding_company_severity(run, company, finding, &loss);
}

double judge_atomics(const struct run *run, struct finding *finding)
{
	const struct finding_company company = finding_company_of(run);
	struct finding_atomic atomic = atomics_of(run, &company);
	double severity = NAN;

	if (finding_atomic_is_shared(&atomic))
		severity = tell_atomics(run, finding, &company, &atomic);

	finding_atomic_clear(&atomic);
	return severity;
}

/* ---- locks within calls of the C library */

/* Who takes a lock that nobody else wants pays for its instructions only; and these also wait for
 * what comes before them, which the same work without a lock would overlap with other work. */
#define FREE                                                                                        \
	"; no thread was seen to wait for another one: it is the price of the lock's instructions " \
	"alone, and part of it may be the wait for slow ones before them"

struct lock_time {
	struct finding_atomic atomic; /* users: of the waits as well */
	double waiting_ns, waiting_samples;
};

static void add_waiting(struct lock_time *time, const struct run *run, size_t node, size_t user)
{
	const struct path_figures *self = &run->paths.nodes[node].self;

	if (!self->cpu_ns)
		return;
	time->waiting_ns += (double)self->cpu_ns;
	time->waiting_samples += (double)self->samples;
	finding_callers_add(&time->atomic.users, run->paths.nodes, user, (double)self->cpu_ns);
}

static struct lock_time time_of(const struct run *run, const struct finding_company *company,
				const struct finding_libc_call *call)
{
	struct lock_time time = {0};

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];
		struct finding_libc_path path = {0};

		if (node->kind == PATH_CODE && node->self.cpu_ns)
			path = finding_libc_path(run, i);
		if (path.call != call)
			continue;
		if (path.is_waiting)
			add_waiting(&time, run, i, path.user);
		else
			finding_atomic_add(&time.atomic, run, company, node, path.user);
	}
	return time;
}

static bool is_locking(const struct lock_time *time)
{
	return finding_atomic_is_shared(&time->atomic) ||
	       time->waiting_samples >= finding_limits.call_samples;
}

static double tell_call(const struct run *run, struct finding *finding,
			const struct finding_company *company, const struct finding_libc_call *call,
			const struct lock_time *time)
{
	double ns = time->atomic.ns + time->waiting_ns;
	char *place = finding_callers_place(&time->atomic.users, run);
	const struct finding_loss loss = {.work_ns = fmin(ns, (double)run->cpu_ns)};
	bool is_free = !time->waiting_samples;

	finding->evidence = memory_print(
		"%s of CPU time in the lock that %s takes, which several threads call at once, "
		"mostly in %s%s",
		quantity_seconds(ns).text, call->title, place, is_free ? FREE : "");
	free(place);
	finding->advice = call->advice;
	finding->grade = is_free ? GRADE_ESTIMATED : GRADE_SAMPLED;
	finding_callers_tell(&time->atomic.users, run, finding);
	return finding_company_severity(run, company, finding, &loss);
}

/* The call with the most; others have to be cured as well, when that one is. */
double judge_libc_locks(const struct run *run, struct finding *finding)
{
	const struct finding_company company = finding_company_of(run);
	const struct finding_libc_call *most = NULL;
	struct lock_time most_time = {0};
	double severity;

	for (size_t i = 0; i < finding_libc_call_count; i++) {
		struct lock_time time = time_of(run, &company, &finding_libc_calls[i]);

		if (is_locking(&time) && time.atomic.users.cpu_ns > most_time.atomic.users.cpu_ns) {
			finding_atomic_clear(&most_time.atomic);
			most_time = time;
			most = &finding_libc_calls[i];
		} else {
			finding_atomic_clear(&time.atomic);
		}
	}
	severity = most ? tell_call(run, finding, &company, most, &most_time) : NAN;
	finding_atomic_clear(&most_time.atomic);
	return severity;
}

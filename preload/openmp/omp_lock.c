/* SPDX-License-Identifier: MIT */
#include "omp_lock.h"

#include "clock.h"

#include <string.h>

enum { TURN_NS = 300 }; /* a turn that came sooner was not waited for */

uint32_t omp_lock_wanted[OMP_LOCK_COUNTERS];

void omp_lock_reset(void)
{
	memset(omp_lock_wanted, 0, sizeof omp_lock_wanted);
}

bool omp_lock_wait_begin(struct thread *thread, enum operation operation, const void *address,
			 const struct site *site)
{
	return omp_thread_of(thread) &&
	       activity_begin(thread, CAUSE_OPENMP, operation, address, site);
}

void omp_lock_wait_end(struct thread *thread, enum omp_construct construct, uint64_t caller)
{
	uint64_t before_ns = thread->waited_ns[CAUSE_OPENMP];

	if (unlikely(!thread->omp || !thread->wait.frame))
		return;
	activity_end(thread, OUTCOME_DONE);
	uint64_t ns = thread->waited_ns[CAUSE_OPENMP] - before_ns;
	struct row_omp_constructs *row = omp_count(thread->omp, construct, caller);
	if (!row)
		return;
	row->time_ns += ns;
	if (ns > row->max_ns)
		row->max_ns = ns;
}

struct thread *omp_ordered_begin(const struct site *site)
{
	struct omp_thread *omp = omp_here();
	const void *block = (const void *)site->caller;

	if (!omp || !omp_lock_wait_begin(omp->thread, OP_ORDERED, block, site))
		return NULL;
	omp->ordered = block;
	return omp->thread;
}

bool omp_lock_was_waited(const struct thread *thread)
{
	return clock_now_ns() - thread->wait.start_ns > TURN_NS;
}

void omp_ordered_begun(struct thread *thread, uint64_t caller)
{
	if (omp_lock_was_waited(thread)) {
		omp_lock_wait_end(thread, OMP_CONSTRUCT_ORDERED, caller);
		return;
	}
	activity_cancel(thread);
	activity_count(thread, (const void *)caller, OP_ORDERED, caller);
}

void omp_ordered_end(const struct site *site)
{
	struct omp_thread *omp = omp_here();

	if (omp && omp->ordered && activity_is_awaited(omp->ordered))
		activity_release(omp->thread, omp->ordered, OBJECT_ORDERED, site);
}

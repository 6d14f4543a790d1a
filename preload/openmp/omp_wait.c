/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_wait.h"

#include "preload/base/interrupted.h"
#include "preload/thread/overhead.h"

enum {
	MEASURED_WAITS = 64, /* one wait in so many measures what it costs */
};

struct omp_thread *omp_wait_begin(enum omp_construct construct, const struct site *site)
{
	struct omp_thread *omp = omp_here();

	/* OMPT's waits have no frame of the program to compare with */
	if (!omp || (site->sp == UINT64_MAX && omp->thread->wait.frame) ||
	    !activity_may_enter(omp->thread, site))
		return NULL;
	busy_begin(&omp->thread->is_busy);
	struct omp_site *known = omp_thread_site(omp, construct, site->caller);
	if (likely(known->row))
		omp_wait_enter(omp, known->row, known->place, site->sp, omp_now_ns(omp));
	omp->wait.sum_ns = 0;
	busy_end(&omp->thread->is_busy);
	return likely(known->row) ? omp : NULL;
}

void omp_wait_end_from(struct omp_thread *omp, uint64_t least_ns)
{
	struct thread *thread = omp->thread;
	uint64_t now_ns = omp_now_ns(omp);

	if (unlikely(!omp_is_current(omp) || !omp->wait.since_ns))
		return;
	busy_begin(&thread->is_busy);
	struct row_omp_constructs *row = omp->wait.row;
	omp_wait_pause(omp, now_ns);
	row->count += omp->wait.sum_ns >= least_ns;
	row->time_ns += omp->wait.sum_ns;
	if (omp->wait.sum_ns > row->max_ns)
		row->max_ns = omp->wait.sum_ns;
	omp->wait.since_ns = 0;
	if (unlikely(row->count % MEASURED_WAITS == 0))
		overhead_add(thread, omp_now_ns(omp) - now_ns, 2 * MEASURED_WAITS,
			     OVERHEAD_CALL_NS);
	busy_end(&thread->is_busy);
}

void omp_wait_end(struct omp_thread *omp)
{
	omp_wait_end_from(omp, 0);
}

struct row_omp_constructs *omp_count(struct omp_thread *omp, enum omp_construct construct,
				     uint64_t caller)
{
	busy_begin(&omp->thread->is_busy);
	struct row_omp_constructs *row = omp_thread_site(omp, construct, caller)->row;
	if (row)
		row->count++;
	busy_end(&omp->thread->is_busy);
	return row;
}

void omp_construct_lasted(struct omp_thread *omp, enum omp_construct construct, uint64_t caller,
			  uint64_t ns)
{
	struct row_omp_constructs *row = omp_count(omp, construct, caller);

	if (!row)
		return;
	row->time_ns += ns;
	if (ns > row->max_ns)
		row->max_ns = ns;
}

void omp_wait_idle(struct omp_thread *omp, uint64_t sp)
{
	busy_begin(&omp->thread->is_busy);
	omp_wait_outside(omp, sp, omp_now_ns(omp));
	busy_end(&omp->thread->is_busy);
}

void omp_wait_idle_end(struct omp_thread *omp)
{
	busy_begin(&omp->thread->is_busy);
	omp_wait_outside_end(omp, omp_now_ns(omp));
	busy_end(&omp->thread->is_busy);
}

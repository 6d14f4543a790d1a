/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_lock.h"

#include "preload/base/clock.h"
#include "preload/base/interrupted.h"
#include "preload/stacks/callpath.h"
#include "preload/waits/blame.h"
#include "preload/waits/object_life.h"
#include "preload/waits/quick_wait.h"
#include "preload/waits/stack_memo.h"
#include "preload/waits/wait_rows.h"

/* Turns have no rate: short ones are not counted as waits. */
static struct rated_wait *rate_of(struct thread *thread, const struct omp_lock_wait *wait,
				  uint64_t key)
{
	if (!thread->rate.is_short || wait->construct == OMP_CONSTRUCT_ORDERED)
		return NULL;
	return wait_rate_leave_out(&thread->rate, key);
}

static void open_quick(struct omp_thread *omp, const struct rated_wait *rated)
{
	struct open_wait *wait = &omp->lock.wait;

	omp->lock.rated = rated->row;
	omp->lock.blame = wait_rate_draw(&omp->thread->rate, rated);
	wait->object = NULL;
	wait->path = rated->row->callpath;
	wait->row_object = rated->row->object;
	wait->operation = rated->row->operation;
	wait->start_ns = omp_now_ns(omp);
}

/* `waiting` announces the wait to threads that hold the lock or take it meanwhile. */
static void open_measured(struct omp_thread *omp, enum operation operation, uint64_t key,
			  const struct site *site)
{
	const void *address = omp->lock.address;
	struct open_wait *wait = &omp->lock.wait;

	*wait = (struct open_wait){
		.object = object_life_awaited(address, object_kind_of(operation), site_place(site)),
		.path = stack_memo_site_path(omp->thread, site),
		.cause = CAUSE_OPENMP,
		.operation = (uint8_t)operation,
		.key = key,
	};
	if (wait->object)
		object_hold(wait->object);
	__atomic_fetch_add(&omp_lock_of(address)->waiting, 1, __ATOMIC_RELAXED);
	wait->start_ns = omp_now_ns(omp);
	holds_look_first(object_holds(wait->object), &omp->thread->before);
}

struct omp_thread *omp_lock_wait_begin(enum omp_construct construct, enum operation operation,
				       const void *address, bool is_sure, const struct site *site)
{
	struct omp_thread *omp = omp_here();

	if (!omp || omp->wait.since_ns || !activity_may_enter(omp->thread, site))
		return NULL;
	struct omp_lock_wait *wait = &omp->lock;
	busy_begin(&omp->thread->is_busy);
	wait->address = address;
	wait->construct = construct;
	wait->is_sure = is_sure;
	wait->wait.operation = (uint8_t)operation;
	uint64_t key = wait_rate_key(&omp->thread->rate, address, site->caller, site->sp);
	const struct rated_wait *rated = rate_of(omp->thread, wait, key);
	wait->rated = NULL;
	if (rated)
		open_quick(omp, rated);
	else
		open_measured(omp, operation, key, site);
	activity_enter(omp->thread, CAUSE_OPENMP, wait->wait.path, site, wait->wait.start_ns);
	busy_end(&omp->thread->is_busy);
	return omp;
}

static uint32_t path_of(uint64_t holder)
{
	return holder ? callpath_place(holder) : callpath_mark(MARK_UNKNOWN_HOLDER);
}

/* are_others: others still wait, and need to know when this holder was done. */
static void charge(struct omp_thread *omp, uint64_t end_ns, bool are_others)
{
	struct omp_lock_wait *wait = &omp->lock;
	struct thread *thread = omp->thread;
	struct object *object = wait->wait.object;
	uint32_t holder = path_of(omp_lock_holder(wait->address));

	holds_look(object_holds(object), &thread->after);
	if (thread->before.is_known && thread->after.is_known &&
	    (are_others || thread->after.count != thread->before.count)) {
		object_publish(object, end_ns, holder);
		holds_look(object_holds(object), &thread->after);
		blame_holders(thread, &wait->wait, end_ns, false);
		return;
	}
	blame_charge(thread, holder, wait->wait.row_object, CAUSE_OPENMP, wait->wait.operation,
		     end_ns - wait->wait.start_ns);
}

/* Ends the wait; returns how many still wait. */
static uint32_t leave(struct omp_thread *omp, uint64_t end_ns)
{
	if (likely(omp->thread->wait.frame != 0)) /* otherwise a signal handler has ended it */
		activity_leave(omp->thread, end_ns);
	if (omp->lock.rated)
		return 0;
	return __atomic_sub_fetch(&omp_lock_of(omp->lock.address)->waiting, 1, __ATOMIC_RELAXED);
}

static void let_go(struct omp_lock_wait *wait)
{
	if (wait->wait.object)
		object_release(wait->wait.object);
	wait->wait.object = NULL;
}

static void settle(struct omp_thread *omp, uint64_t end_ns, bool are_others)
{
	struct omp_lock_wait *wait = &omp->lock;

	wait_rate_settle(&omp->thread->rate);
	omp->thread->waited_ns[CAUSE_OPENMP] += end_ns - wait->wait.start_ns;
	struct row_waits *row = wait_rows_find(omp->thread, &wait->wait);

	if (likely(row != NULL))
		wait_rows_add(omp->thread, row, end_ns - wait->wait.start_ns, 0, OUTCOME_DONE);
	charge(omp, end_ns, are_others);
	if (likely(row != NULL))
		wait_rate_measured(&omp->thread->rate, wait->wait.key, row,
				   end_ns - wait->wait.start_ns, end_ns, 0);
}

void omp_lock_wait_end(struct omp_thread *omp, uint64_t caller)
{
	struct omp_lock_wait *wait = &omp->lock;
	struct thread *thread = omp->thread;
	uint64_t end_ns = omp_now_ns(omp);

	if (unlikely(!omp_is_current(omp)))
		return;
	busy_begin(&thread->is_busy);
	if (end_ns < wait->wait.start_ns)
		end_ns = wait->wait.start_ns;
	uint64_t ns = end_ns - wait->wait.start_ns;
	bool are_others = leave(omp, end_ns) != 0;
	if (!wait->is_sure && ns < OMP_TURN_NS) {
		activity_count(thread, wait->address, (enum operation)wait->wait.operation, caller);
	} else {
		if (wait->rated)
			quick_wait_settle(thread, wait->rated, wait->blame, ns,
					  omp_lock_holder(wait->address));
		else
			settle(omp, end_ns, are_others);
		omp_construct_lasted(omp, wait->construct, caller, ns);
	}
	let_go(wait);
	busy_end(&thread->is_busy);
}

void omp_lock_wait_cancel(struct omp_thread *omp)
{
	leave(omp, omp_now_ns(omp));
	let_go(&omp->lock);
}

/* A try took it, out of turn: waiters need to know when the previous holder was done. */
__attribute__((noinline)) void omp_lock_overtaken(struct thread *thread, const void *address)
{
	struct object *object = object_known(address, OBJECT_OMP_LOCK);

	if (thread->is_busy || !object_holds(object))
		return;
	busy_begin(&thread->is_busy);
	object_publish(object, clock_now_ns(), path_of(omp_lock_holder(address)));
	busy_end(&thread->is_busy);
}

/* SPDX-License-Identifier: MIT */
#include "preload/waits/activity.h"

#include "preload/base/clock.h"
#include "preload/base/interrupted.h"
#include "preload/file/store.h"
#include "preload/process/entry.h"
#include "preload/sections/section_stack.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/object_life.h"
#include "preload/waits/release.h"
#include "preload/waits/settle.h"
#include "preload/waits/shared_object.h"
#include "preload/waits/stack_memo.h"
#include "preload/waits/wait_holder.h"

enum {
	MEASURED_WAITS = 16,      /* one wait in so many measures its own cost */
	DRAIN_LENGTH_NS = 20000,  /* a wait this long blocked: a good time for a drain */
	LOOK_LENGTH_NS = 1000000, /* after a wait this long 8 us do not matter */
};

/* ---- begin ---- */

/* Releases at the address need not be recorded for this thread any more. */
static void withdraw(struct open_wait *wait)
{
	if (!wait->is_announced)
		return;
	wait->is_announced = false;
	__atomic_fetch_sub(object_waiters_of(wait->address), 1, __ATOMIC_RELAXED);
}

/* After stop_clock, when the wait was charged. */
static void close_wait(struct thread *thread)
{
	struct object *object = thread->wait.object;

	thread->wait.object = NULL;
	if (object)
		object_release(object);
}

/* One of those that begin with activity_enter. */
static bool is_call(const struct open_wait *wait)
{
	return (wait->cause == CAUSE_MPI || wait->cause == CAUSE_OPENMP) && !wait->address;
}

/* One that began with concurrency_enter_call: also calls on descriptors, and quick waits. */
static bool is_told_as_call(const struct open_wait *wait)
{
	return is_call(wait) || cause_is_io(wait->cause) || wait->is_quick;
}

/* A wrapper's frame lasts as long as the wait; not always true for OpenMP. */
static bool has_frame(const struct open_wait *wait)
{
	return wait->frame && !(wait->cause == CAUSE_OPENMP && is_call(wait));
}

void activity_let_go(void)
{
	concurrency_let_go();
	holds_let_go();
}

/* The thread has left this tool's own code by a jump: gives up what it left half done there. */
static void give_up_work(struct thread *thread)
{
	activity_let_go();
	settle_left(thread);
	if (!thread->wait.frame) {
		withdraw(&thread->wait);
		close_wait(thread);
	}
	busy_end(&thread->is_busy);
}

__attribute__((noinline)) void activity_look(struct thread *thread,
					     const struct unwind_frame *frame)
{
	struct unwind_look look = {0};

	if (has_frame(&thread->wait)) {
		look.sp = thread->wait.frame;
		look.caller = thread->wait.caller;
	}
	if (!look.sp && !thread->is_busy && !concurrency_is_held())
		return;
	unwind_look(frame, &thread->stack, &look);
	if (look.is_whole && !look.has_own)
		give_up_work(thread);
	if (look.sp && !look.has_frame && (look.is_past || look.is_whole) && !thread->is_busy)
		activity_end(thread, OUTCOME_ABANDONED);
}

/* Calls of MPI and OpenMP are often nested: their stack pointers suffice. */
static bool has_left_call(struct thread *thread, const struct site *site)
{
	if (thread->is_busy || site->sp < thread->wait.frame)
		return false;
	activity_end(thread, OUTCOME_ABANDONED);
	return true;
}

/* May a wait begin here although something is under way? Either a signal handler has interrupted
 * that, and this call is not measured; or it was left by a jump or by cancellation, and is over.
 * The stack tells which: what a handler has interrupted is further out on it, whichever stack the
 * handler runs on. Within a call it is asked only where the call's begin or end was interrupted. */
__attribute__((noinline)) static bool has_left(struct thread *thread, const struct site *site)
{
	struct unwind_frame frame = site_frame(site);
	bool is_in_call = thread->wait.frame && is_call(&thread->wait);

	if (site->sp == UINT64_MAX || (is_in_call && !thread->is_busy))
		return has_left_call(thread, site);
	activity_look(thread, &frame);
	if (is_in_call && thread->wait.frame)
		return has_left_call(thread, site);
	return !thread->is_busy && !thread->wait.frame;
}

bool activity_may_enter(struct thread *thread, const struct site *site)
{
	if (unlikely(!thread->row))
		return false;
	if (likely(!thread->is_busy && !thread->wait.frame))
		return true;
	return has_left(thread, site);
}

void activity_show(struct thread *thread, uint16_t object)
{
	const struct open_wait *wait = &thread->wait;
	struct row_threads *row = thread->row;

	if (unlikely(!row))
		return; /* wiped just now, by a signal handler that forked */
	row->waiting_path = wait->path;
	row->waiting_object = object;
	row->waiting_cause = wait->cause;
	/* one by one: both at once would wait for the two stores just before */
	row->waiting_address = (uint64_t)__atomic_load_n(&wait->address, __ATOMIC_RELAXED);
	row->waiting_mutex = (uint64_t)__atomic_load_n(&wait->mutex, __ATOMIC_RELAXED);
	row->waiting_operation = wait->operation;
	row->waiting_holder = wait_holder(wait);
	row->waiting_since_ns = wait->start_ns;
}

static void show_no_wait(struct thread *thread)
{
	if (likely(thread->row))
		thread->row->waiting_since_ns = 0;
}

/* Announces the wait: from here on releases of the object are recorded. */
static void announce(struct thread *thread, enum cause cause, enum operation operation,
		     const void *address, const struct site *site)
{
	struct open_wait *wait = &thread->wait;
	enum object_kind kind = object_kind_of(operation);

	*wait = (struct open_wait){
		.address = address,
		.cause = (uint8_t)cause,
		.operation = (uint8_t)operation,
		.key = wait_rate_key(&thread->rate, address, site->caller, site->sp),
	};
	if (address) {
		__atomic_fetch_add(object_waiters_of(address), 1, __ATOMIC_SEQ_CST);
		wait->is_announced = true;
		/* the birth of a joined thread is its start routine */
		uint64_t place =
			kind == OBJECT_JOIN ? (uint64_t)address | UNWIND_EXACT : site_place(site);
		struct object *object = object_life_awaited(address, kind, place);
		if (object)
			object_hold(object);
		if (object && unlikely(shared_object_is(address, kind)))
			object_set_shared(object);
		wait->object = object; /* last: if a jump leaves this, it is not released twice */
	}
	wait->path = stack_memo_site_path(thread, site);
}

static void start_clock(struct thread *thread, const struct site *site)
{
	struct open_wait *wait = &thread->wait;

	/* the clock first: every later release is seen, now or at the end */
	wait->start_ns = clock_now_ns();
	wait->caller = site->caller;
	holds_look_first(object_holds(wait->object), &thread->before);
	wait->frame = site->sp;
	activity_show(thread, wait->object ? wait->object->row : 0);
	concurrency_enter_wait(&thread->event_ring, wait->cause, wait->start_ns);
}

bool activity_begin(struct thread *thread, enum cause cause, enum operation operation,
		    const void *address, const struct site *site)
{
	if (!activity_may_enter(thread, site))
		return false;
	busy_begin(&thread->is_busy);
	announce(thread, cause, operation, address, site);
	start_clock(thread, site);
	busy_end(&thread->is_busy);
	return true;
}

void activity_began(struct thread *thread, uint64_t since_ns)
{
	thread->wait.start_ns = since_ns;
	if (likely(thread->row))
		thread->row->waiting_since_ns = since_ns;
}

void activity_within_wait(struct thread *thread)
{
	if (thread->is_busy)
		return;
	busy_begin(&thread->is_busy);
	concurrency_drain_within(clock_now_ns());
	busy_end(&thread->is_busy);
}

bool activity_begin_condition(struct thread *thread, enum operation operation,
			      const void *condition, const void *mutex, const struct site *site)
{
	if (!activity_may_enter(thread, site))
		return false;
	/* the wait releases the mutex without calling unlock */
	if (release_is_awaited(mutex))
		release_object(thread, mutex, OBJECT_MUTEX, site);
	busy_begin(&thread->is_busy);
	announce(thread, CAUSE_CONDITION, operation, condition, site);
	thread->wait.mutex = mutex;
	if (thread->wait.object && unlikely(shared_object_is(mutex, OBJECT_MUTEX)))
		object_set_shared(thread->wait.object);
	if (thread->wait.object)
		__atomic_store_n(&thread->wait.object->mutex, (uint64_t)mutex, __ATOMIC_RELAXED);
	start_clock(thread, site);
	busy_end(&thread->is_busy);
	return true;
}

/* After the clock was read, so that a later number means a later time. */
static void arrive(struct thread *thread, struct object *object, unsigned participants,
		   const struct site *site)
{
	if (unlikely(object->participants != participants)) {
		object->participants = participants;
		object_set_detail(object, participants);
	}
	if (!participants)
		return;
	uint32_t arrival = __atomic_add_fetch(&object->arrivals, 1, __ATOMIC_SEQ_CST);
	if (arrival % participants == 0)
		object_publish(object, clock_now_ns(), stack_memo_site_path(thread, site));
}

bool activity_begin_barrier(struct thread *thread, const void *barrier, unsigned participants,
			    const struct site *site)
{
	bool is_measured = activity_begin(thread, CAUSE_BARRIER, OP_BARRIER_WAIT, barrier, site);
	bool was_busy = thread->is_busy;

	/* a call that is not measured arrives, too */
	busy_begin(&thread->is_busy);
	struct object *object =
		was_busy || unlikely(!thread->row) ? NULL : object_known(barrier, OBJECT_BARRIER);
	if (!object && !was_busy && likely(thread->row))
		object = object_life_awaited(barrier, OBJECT_BARRIER, site_place(site));
	if (likely(object))
		arrive(thread, object, participants, site);
	if (!was_busy)
		busy_end(&thread->is_busy);
	return is_measured;
}

/* ---- end ---- */

/* Half of what a wait or a release costs has passed since since_ns; it counts `times` times. */
static void add_own_time(struct thread *thread, uint64_t since_ns, unsigned times)
{
	overhead_add(thread, clock_now_ns() - since_ns, times, OVERHEAD_CALL_NS);
}

/* Ends the wait; the caller charges it. Returns its end. */
static uint64_t stop_clock(struct thread *thread)
{
	struct open_wait *wait = &thread->wait;

	/* before the clock: no release that is seen is later */
	holds_look(object_holds(wait->object), &thread->after);
	uint64_t end_ns = clock_now_ns();

	wait->frame = 0; /* first: if a jump leaves this, no wait is charged twice */
	thread->may_have_slept = true;
	if (end_ns < wait->start_ns)
		end_ns = wait->start_ns;
	if (is_told_as_call(wait)) /* after a jump */
		concurrency_leave_call(&thread->event_ring, wait->cause, wait->start_ns, end_ns);
	else
		concurrency_leave_wait(&thread->event_ring, end_ns);
	show_no_wait(thread);
	withdraw(wait);
	if (wait->cause == CAUSE_CONDITION && wait->object)
		object_woke(wait->object);
	return end_ns;
}

/* It takes the loader's lock, whose holder must not wait for what this wait has just got. */
static bool may_look_for_objects(const struct thread *thread)
{
	return cause_is_io(thread->wait.cause) || thread->wait.cause == CAUSE_SLEEP;
}

void activity_close(struct thread *thread, uint64_t end_ns)
{
	uint64_t ns = end_ns - thread->wait.start_ns;

	close_wait(thread);
	if (ns > DRAIN_LENGTH_NS)
		concurrency_drain(end_ns, false);
	/* a thread that hardly runs has hardly any samples that update its times */
	if (unlikely(entry_follow && ns > LOOK_LENGTH_NS && may_look_for_objects(thread)))
		entry_follow();
	if (ns > LOOK_LENGTH_NS && end_ns >= thread->next_delay_look_ns && !kernel_is_sealed) {
		uint64_t cpu_ns = clock_thread_cpu_ns();
		thread_update(thread, clock_now_ns(), cpu_ns, false);
	}
	/* the cost of this is measured in one wait of many, and multiplied; a call on a descriptor
	 * measures that of its end (io_call.c) */
	if ((end_ns & (MEASURED_WAITS - 1)) == 0 && !cause_is_io(thread->wait.cause))
		add_own_time(thread, end_ns, 2 * MEASURED_WAITS);
}

/* False if the process was forked in the middle of the wait, and this is the child: its records are
 * empty (thread.h). */
static bool is_waiting(const struct thread *thread)
{
	return likely(thread->wait.frame != 0);
}

void activity_end(struct thread *thread, enum outcome outcome)
{
	if (!is_waiting(thread))
		return;
	bool has_account = is_call(&thread->wait) && thread->wait.cause == CAUSE_OPENMP;

	busy_begin(&thread->is_busy);
	uint64_t end_ns = stop_clock(thread);
	/* otherwise an OpenMP wait left by a jump, which has no row here */
	bool is_kept = !has_account && settle_wait(thread, &thread->wait, end_ns, outcome);
	if (thread->wait.cause == CAUSE_JOIN)
		settle_join(thread, outcome, is_kept ? end_ns - thread->wait.start_ns : 0);
	settle_lost(thread);
	activity_close(thread, end_ns);
	if (thread->last_condition && thread->wait.cause == CAUSE_CONDITION)
		thread->last_woken_ns = clock_now_ns();
	busy_end(&thread->is_busy);
}

void activity_cancel(struct thread *thread)
{
	if (!is_waiting(thread))
		return;
	stop_clock(thread);
	close_wait(thread);
}

/* ---- calls that keep their own figures ---- */

void activity_enter(struct thread *thread, enum cause cause, uint32_t path, const struct site *site,
		    uint64_t now_ns)
{
	struct open_wait *wait = &thread->wait;

	/* other fields are for waits for an object */
	wait->named = 0;
	wait->start_ns = now_ns;
	wait->frame = site->sp;
	wait->caller = site->caller;
	wait->address = NULL;
	wait->object = NULL;
	wait->path = path;
	wait->cause = (uint8_t)cause;
	wait->is_quick = false;
	activity_show(thread, 0);
	concurrency_enter_call(&thread->event_ring, cause, now_ns);
}

static void tell_section(struct thread *thread, uint64_t ns)
{
	section_stack_waited(thread, &(struct section_wait){
					     .ns = ns,
					     .path = thread->wait.path,
					     .cause = thread->wait.cause,
				     });
}

void activity_leave(struct thread *thread, uint64_t now_ns)
{
	if (!is_waiting(thread))
		return;
	uint64_t ns = now_ns - thread->wait.start_ns;

	concurrency_leave_call(&thread->event_ring, thread->wait.cause, thread->wait.start_ns,
			       now_ns);
	show_no_wait(thread);
	thread->called_ns[thread->wait.cause] += ns;
	if (unlikely(thread->sections))
		tell_section(thread, ns);
	thread->may_have_slept = true;
	thread->wait.frame = 0;
	if (ns > DRAIN_LENGTH_NS)
		concurrency_drain(now_ns, false);
}

/* ---- joins ---- */

bool activity_begin_join(struct thread *thread, struct thread *target, enum operation operation,
			 const struct site *site)
{
	if (!activity_begin(thread, CAUSE_JOIN, operation, thread_routine(target), site))
		return false;
	if (target && likely(thread->row))
		thread->row->waiting_holder = target->number; /* it may have no tid yet */
	/* what the target charges cannot be taken back if there is no row for the wait */
	if (!target || store_failure() || row_hash_used(&thread->waits) > thread->waits.limit / 2)
		return true;
	thread->wait.target = target;
	thread->wait.target_cpu_ns = thread_read_other_cpu(target);
	target->join_charged_ns = 0;
	target->joined_row = thread->wait.object ? thread->wait.object->row : 0;
	target->joined_operation = (uint8_t)operation;
	/* release: its sampler reads this and then the three above */
	__atomic_store_n(&target->joined_since_ns, thread->wait.start_ns, __ATOMIC_RELEASE);
	return true;
}

/* ---- the end of a thread ---- */

/* A worker of OpenMP that is idle ends. */
static void end_idleness(struct thread *thread)
{
	uint64_t start_ns = thread->wait.start_ns, ns = stop_clock(thread) - start_ns;

	close_wait(thread);
	thread->omp_row->wait_ns += ns;
	thread->omp_row->outside_ns += ns;
	thread->omp_row->since_ns = 0;
}

void activity_finish(struct thread *thread)
{
	settle_left(thread);
	if (thread->wait.frame && thread->wait.cause == CAUSE_OPENMP && is_call(&thread->wait))
		end_idleness(thread);
	else if (thread->wait.frame)
		activity_end(thread, OUTCOME_ABANDONED);
	release_finish(thread);
}

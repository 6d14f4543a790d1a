/* SPDX-License-Identifier: MIT */
#include "preload/waits/release.h"

#include "arch.h"
#include "preload/base/clock.h"
#include "preload/base/interrupted.h"
#include "preload/thread/overhead.h"
#include "preload/waits/held_io.h"
#include "preload/waits/object_life.h"
#include "preload/waits/stack_memo.h"

enum {
	MEASURED_RELEASES = 64, /* one of so many measures its own cost */
	TOLD_APART_NS = 50000,  /* of one thread and condition: see is_told_enough */
	TOLD_APART_QUICK_NS = 200000,
	UNSEEN_RELEASES = 15, /* at most without reading the counter */
};

static void forget_signalled(struct thread *thread)
{
	__atomic_fetch_sub(object_waiters_of(thread->signalled_mutex), 1, __ATOMIC_RELAXED);
	thread->signalled_mutex = NULL;
}

/* A lock that others wait for is often taken and released a hundred times before one of them has
 * woken up. Of releases at one place within a microsecond the first is enough: blame is wrong by no
 * more than that. If there are many, the counter is not read at each, but, at their rate so far,
 * four times a microsecond. (After an unlock that nobody waited for it is read, because this may be
 * the first one that a thread waits for.) */
static bool is_repeated(struct thread *thread, const void *address, enum object_kind kind,
			const struct site *site)
{
	struct last_release *last = &thread->last_release;
	bool is_same =
		last->address == address && last->caller == site->caller && last->sp == site->sp;

	if (kind > OBJECT_SPINLOCK || thread->signalled_mutex == address)
		return false;
	bool is_next = is_same && thread->unlocks == last->unlocks + 1;

	last->unlocks = thread->unlocks;
	if (is_next && last->left) {
		last->left--;
		return true;
	}
	uint64_t ticks = arch_ticks();
	uint64_t runs =
		is_next ? ARCH_TICKS_SHORT / 4 * (last->run + 1) / (ticks - last->seen + 1) : 0;
	last->run = last->left = runs < UNSEEN_RELEASES ? (uint32_t)runs : UNSEEN_RELEASES;
	last->seen = ticks;
	if (is_same && ticks - last->ticks < ARCH_TICKS_SHORT)
		return true;
	last->address = address;
	last->caller = site->caller;
	last->sp = site->sp;
	last->ticks = ticks;
	return false;
}

/* Of a thread that signals one condition all the time, now and then a signal is recorded: that
 * costs the waiter and all who unlock the mutex meanwhile, partly while they have it. (With all of
 * them a pool of tiny tasks ran four times as long as natively.) If all waits for an object are
 * only timed, a release is recorded for those that turn out to be long. */
static bool is_told_enough(struct thread *thread, struct object *object)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t apart_ns = object && !object_waits(object) ? TOLD_APART_QUICK_NS : TOLD_APART_NS;
	uint16_t row = object ? object->row : 0; /* another one may have got the struct since */

	if (object && thread->told == object && thread->told_row == row &&
	    now_ns - thread->told_ns < apart_ns) {
		__atomic_store_n(&object->is_told_seldom, true, __ATOMIC_RELAXED);
		return true;
	}
	thread->told = object;
	thread->told_row = row;
	thread->told_ns = now_ns;
	return false;
}

static bool may_leave_word(const struct thread *thread, const struct object *object)
{
	return object && !thread->is_busy && likely(thread->row);
}

/* The cost is measured in one release of many, and multiplied. */
static void measure_release(struct thread *thread, uint64_t since_ns)
{
	if (unlikely(thread->releases++ % MEASURED_RELEASES == 0))
		overhead_add(thread, clock_now_ns() - since_ns, 2 * MEASURED_RELEASES,
			     OVERHEAD_CALL_NS);
}

/* Records a release; returns when, 0 if it could not. */
static uint64_t leave_word(struct thread *thread, struct object *object, const struct site *site)
{
	if (!may_leave_word(thread, object))
		return 0;
	busy_begin(&thread->is_busy);
	uint32_t path = stack_memo_site_path(thread, site);
	uint64_t now_ns = clock_now_ns();
	object_publish_held(object, now_ns, path, held_io_at_release(thread, object));
	measure_release(thread, now_ns);
	busy_end(&thread->is_busy);
	return now_ns;
}

void release_object(struct thread *thread, const void *address, enum object_kind kind,
		    const struct site *site)
{
	if (is_repeated(thread, address, kind, site))
		return;
	if (thread->signalled_mutex == address && address)
		forget_signalled(thread);
	struct object *object = object_known(address, kind);
	bool is_announced_when_timed = kind == OBJECT_SEMAPHORE || kind == OBJECT_SPINLOCK;
	if (is_announced_when_timed && object && !object_waits(object) &&
	    is_told_enough(thread, object))
		return;
	leave_word(thread, object, site);
}

uint32_t release_try(struct thread *thread, const void *address, enum object_kind kind,
		     const struct site *site, struct tried_release *tried)
{
	struct object *object = object_known(address, kind);

	*tried = (struct tried_release){0};
	if (!may_leave_word(thread, object))
		return 0;
	busy_begin(&thread->is_busy);
	uint32_t path = stack_memo_site_path(thread, site);
	uint64_t now_ns = clock_now_ns();
	tried->object = object;
	object_try_publish(object, now_ns, path, &tried->receipt);
	measure_release(thread, now_ns);
	busy_end(&thread->is_busy);
	return object_waits(object);
}

void release_withdraw(struct thread *thread, const struct tried_release *tried)
{
	if (!tried->object || thread->is_busy)
		return;
	busy_begin(&thread->is_busy);
	object_withdraw(tried->object, &tried->receipt);
	busy_end(&thread->is_busy);
}

/* Since when this thread has held it; 0: not known, nobody waited then. */
static uint64_t take_note(struct thread *thread, const void *address)
{
	for (uint32_t i = 1; i <= THREAD_SHARED; i++) {
		struct shared_hold *hold =
			&thread->shared[(thread->shared_next - i) % THREAD_SHARED];
		if (hold->address != address)
			continue;
		hold->address = NULL;
		return hold->since_ns;
	}
	return 0;
}

void release_take_shared(struct thread *thread, const void *address, enum object_kind kind)
{
	struct object *object = object_known(address, kind);

	if (!object_holds(object) || thread->is_busy)
		return;
	busy_begin(&thread->is_busy);
	uint64_t now_ns = clock_now_ns();
	thread->shared[thread->shared_next++ % THREAD_SHARED] =
		(struct shared_hold){address, now_ns};
	holds_take_shared(object_holds(object), now_ns);
	busy_end(&thread->is_busy);
}

void release_shared(struct thread *thread, const void *address, enum object_kind kind,
		    uint32_t others, const struct site *site)
{
	uint64_t since_ns = take_note(thread, address);
	bool is_said = !since_ns && is_repeated(thread, address, kind, site);
	struct object *object = is_said ? NULL : object_known(address, kind);

	if (!object_holds(object) || !may_leave_word(thread, object))
		return;
	busy_begin(&thread->is_busy);
	uint32_t path = stack_memo_site_path(thread, site);
	uint64_t now_ns = clock_now_ns();
	holds_release_shared(object_holds(object), now_ns, path, since_ns, others,
			     held_io_at_release(thread, object));
	measure_release(thread, now_ns);
	busy_end(&thread->is_busy);
}

/* Woken threads need the mutex: if this thread holds it, they wait for its unlock next. */
static void mark_mutex(struct thread *thread, const void *mutex)
{
	if (thread->signalled_mutex == mutex)
		return;
	if (thread->signalled_mutex)
		forget_signalled(thread);
	thread->signalled_mutex = mutex;
	__atomic_fetch_add(object_waiters_of(mutex), 1, __ATOMIC_RELAXED);
}

void release_signal(struct thread *thread, const void *condition, bool is_for_all,
		    const struct site *site)
{
	struct object *object = object_known(condition, OBJECT_CONDITION);

	if (is_told_enough(thread, object))
		return;
	uint64_t now_ns = leave_word(thread, object, site);
	const void *mutex =
		now_ns ? (const void *)__atomic_load_n(&object->mutex, __ATOMIC_RELAXED) : NULL;

	if (!mutex)
		return;
	busy_begin(&thread->is_busy);
	struct object *held = object_life_awaited(mutex, OBJECT_MUTEX, site_place(site));
	if (held) {
		object_wakes(object, mutex, is_for_all);
		object_keep_signal(object, held, now_ns, &thread->after);
		mark_mutex(thread, mutex);
	}
	busy_end(&thread->is_busy);
}

void release_finish(struct thread *thread)
{
	if (thread->signalled_mutex)
		forget_signalled(thread);
}

/* SPDX-License-Identifier: MIT */
#include "blame.h"

#include "callpath.h"
#include "objects.h"

static uint64_t key_of(uint32_t path, uint16_t object, enum cause cause, enum operation operation)
{
	return path | (uint64_t)object << 32 | (uint64_t)cause << 48 | (uint64_t)operation << 56;
}

bool blame_charge(struct thread *thread, uint32_t path, uint16_t object, enum cause cause,
		  enum operation operation, uint64_t ns)
{
	uint64_t fallback = key_of(callpath_mark(MARK_OTHER), object, cause, operation);
	struct row_blame *row =
		hashed_find(&thread->blame, key_of(path, object, cause, operation), fallback);

	if (unlikely(!row)) {
		thread->uncharged_ns += ns;
		return false;
	}
	row->time_ns += ns;
	row->count++;
	return true;
}

static void charge(struct thread *thread, const struct open_wait *wait, uint32_t path, uint64_t ns)
{
	blame_charge(thread, path, wait->object ? wait->object->row : 0, wait->cause,
		     wait->operation, ns);
}

static bool is_lock(const struct open_wait *wait)
{
	return wait->cause == CAUSE_MUTEX || wait->cause == CAUSE_RWLOCK ||
	       wait->cause == CAUSE_SPINLOCK;
}

/* In the place of a path: a lock that was given up is still held by somebody, anything else just
 * did not come in time. */
static uint32_t nobody(const struct open_wait *wait, bool timed_out)
{
	if (!timed_out)
		return callpath_mark(MARK_UNKNOWN_HOLDER);
	return callpath_mark(is_lock(wait) ? MARK_STILL_HELD : MARK_TIMEOUT);
}

void blame_holders(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		   bool timed_out)
{
	struct object_event events[OBJECT_EVENTS];
	unsigned count =
		wait->object ? object_events(wait->object, wait->start_ns, end_ns, events) : 0;
	uint64_t from_ns = wait->start_ns;

	if (!count) {
		/* its release may be one that was left unsaid because the same place had just said
		 * so */
		bool is_known = !timed_out && wait->object &&
				object_event_before(wait->object, from_ns, &events[0]);
		charge(thread, wait, is_known ? events[0].path : nobody(wait, timed_out),
		       end_ns - from_ns);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		bool is_last = i == count - 1;
		uint64_t to_ns = is_last && !timed_out ? end_ns : events[i].time_ns;
		charge(thread, wait, events[i].path, to_ns - from_ns);
		from_ns = to_ns;
	}
	if (timed_out)
		charge(thread, wait, nobody(wait, true), end_ns - from_ns);
}

void blame_latest(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		  bool timed_out)
{
	struct object_event events[OBJECT_EVENTS];
	unsigned count = wait->object && !timed_out
				 ? object_events(wait->object, wait->start_ns, end_ns, events)
				 : 0;

	charge(thread, wait, count ? events[count - 1].path : nobody(wait, timed_out),
	       end_ns - wait->start_ns);
}

void blame_first(struct thread *thread, const struct open_wait *wait, uint64_t end_ns)
{
	struct object_event events[OBJECT_EVENTS];
	unsigned count =
		wait->object ? object_events(wait->object, wait->start_ns, end_ns, events) : 0;

	charge(thread, wait, count ? events[0].path : nobody(wait, false), end_ns - wait->start_ns);
}

/* Whoever let go of the mutex last between the signal and the return: when, and at which path. */
static bool last_unlock(const struct open_wait *wait, uint64_t signal_ns, uint64_t end_ns,
			struct object_event *unlock)
{
	struct object_event events[OBJECT_EVENTS];
	const struct object *mutex = object_known(wait->mutex, OBJECT_MUTEX);
	unsigned count = mutex ? object_events(mutex, signal_ns, end_ns, events) : 0;

	if (count)
		*unlock = events[count - 1];
	return count;
}

uint64_t blame_signaller(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
			 bool timed_out, bool *is_signalled)
{
	struct object_event events[OBJECT_EVENTS], unlock;
	unsigned count =
		wait->object ? object_events(wait->object, wait->start_ns, end_ns, events) : 0;
	uint64_t held_ns = 0;

	*is_signalled = count && !timed_out;
	if (!*is_signalled) {
		charge(thread, wait, nobody(wait, timed_out), end_ns - wait->start_ns);
		return 0;
	}
	const struct object_event *signal = &events[count - 1];
	if (last_unlock(wait, signal->time_ns, end_ns, &unlock)) {
		held_ns = unlock.time_ns - signal->time_ns;
		charge(thread, wait, unlock.path, held_ns);
	}
	charge(thread, wait, signal->path, end_ns - wait->start_ns - held_ns);
	return held_ns;
}

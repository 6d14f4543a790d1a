/* SPDX-License-Identifier: MIT */
#include "preload/waits/blame.h"

#include "preload/locks/objects.h"
#include "preload/stacks/callpath.h"

/* Of releases at one place within a microsecond one is recorded (activity.c): a wait without a
 * recorded release may have ended with such a one. Longer waits, and those that began later, did
 * not. */
enum { UNSAID_BEFORE_NS = 5000, UNSAID_WAIT_NS = 1000000 };

static uint64_t key_of(uint32_t path, uint16_t object, enum cause cause, enum operation operation)
{
	return path | (uint64_t)object << 32 | (uint64_t)cause << 48 | (uint64_t)operation << 56;
}

/* The row that was charged; NULL: no room. */
static struct row_blame *charge_row(struct thread *thread, uint32_t path, uint16_t object,
				    enum cause cause, enum operation operation, uint64_t ns)
{
	uint32_t other = callpath_mark(MARK_OTHER);
	uint64_t keys[] = {
		key_of(path, object, cause, operation),
		key_of(other, object, cause, operation),
		key_of(other, 0, cause, operation),
	};
	struct row_blame *row = row_hash_find_first(&thread->blame, keys, 3);

	if (unlikely(!row))
		return NULL;
	owed_pay(&thread->owed, &row->time_ns, ns);
	row->count++;
	if (RATED_CAUSES >> cause & 1)
		wait_rate_charged(&thread->rate, row, ns,
				  path != callpath_mark(MARK_UNKNOWN_HOLDER) &&
					  path != callpath_mark(MARK_OTHER_PROCESS));
	return row;
}

bool blame_charge(struct thread *thread, uint32_t path, uint16_t object, enum cause cause,
		  enum operation operation, uint64_t ns)
{
	return charge_row(thread, path, object, cause, operation, ns) != NULL;
}

enum callpath_mark blame_unknown(const struct object *object)
{
	bool is_shared = object && __atomic_load_n(&object->is_shared, __ATOMIC_RELAXED);

	return is_shared ? MARK_OTHER_PROCESS : MARK_UNKNOWN_HOLDER;
}

static struct row_blame *charge(struct thread *thread, const struct open_wait *wait, uint32_t path,
				uint64_t ns)
{
	return charge_row(thread, path ? path : callpath_mark(blame_unknown(wait->object)),
			  wait->row_object, wait->cause, wait->operation, ns);
}

/* What the holder waited for meanwhile itself. Of input and output and other threads, the kind that
 * had more counts. */
static void add_holder_wait(struct row_blame *row, uint64_t ns, uint64_t what)
{
	bool is_for_threads = what & HOLD_FOR_THREADS;
	bool is_other = row->holder_io_ns && row->holder_for_threads != is_for_threads;

	if (is_other && ns <= row->holder_io_ns)
		return;
	row->holder_io_ns = is_other ? ns : row->holder_io_ns + ns;
	row->holder_io_path = (uint32_t)what;
	row->holder_io_object = (uint16_t)(what >> 32);
	row->holder_io_operation = (uint8_t)(what >> 48);
	row->holder_for_threads = is_for_threads;
}

static void charge_part(struct thread *thread, const struct open_wait *wait,
			const struct hold_part *part, const struct hold_io_sum *io)
{
	struct row_blame *row = charge(thread, wait, part->path, part->ns);

	if (likely(!part->io_ns) || !row || !part->path)
		return;
	add_holder_wait(row, part->io_ns < part->ns ? part->io_ns : part->ns, io->what);
}

/* Instead of a path: after a time-out a lock is still held; anything else did not come in time. */
static uint32_t nobody(const struct open_wait *wait, bool timed_out)
{
	if (!timed_out)
		return callpath_mark(blame_unknown(wait->object));
	return callpath_mark(cause_is_lock(wait->cause) ? MARK_STILL_HELD : MARK_TIMEOUT);
}

/* ---- a stretch of time, divided among the releases in it ---- */

/* The time from start_ns to end_ns, and the views of the object's sums at its begin and end. */
struct stretch {
	const struct hold_view *from, *to;
	uint64_t start_ns, end_ns;
	uint32_t rest; /* path charged for the time after the latest release; 0: nobody */
};

static bool is_readable(const struct stretch *stretch)
{
	return stretch->from->is_known && stretch->to->is_known &&
	       stretch->from->until_ns <= stretch->to->until_ns &&
	       stretch->from->used <= stretch->to->used;
}

static uint64_t sum_of(const struct hold_part *parts, unsigned count)
{
	uint64_t sum_ns = 0;

	for (unsigned i = 0; i < count; i++)
		sum_ns += parts[i].ns;
	return sum_ns;
}

/* A release may have come after the end, or its time may be before the begin although it was
 * recorded later: the excess is taken off the latest. Returns the time left to charge. */
static uint64_t fit(const struct stretch *stretch, struct hold_part *parts, unsigned count)
{
	uint64_t whole_ns = stretch->end_ns - stretch->start_ns, sum_ns = sum_of(parts, count);
	unsigned last = stretch->to->last;

	for (unsigned i = 0; i < count && sum_ns > whole_ns; i++) {
		struct hold_part *part = &parts[(last + i) % count];
		uint64_t excess_ns = sum_ns - whole_ns;
		sum_ns -= excess_ns - hold_part_shorten(part, excess_ns);
	}
	return whole_ns - sum_ns;
}

/* Charges exactly its length in total. */
static void charge_stretch(struct thread *thread, const struct open_wait *wait,
			   const struct stretch *stretch)
{
	struct hold_part parts[HOLD_PATHS + 1];
	uint64_t rest_ns = stretch->end_ns - stretch->start_ns;

	if (!is_readable(stretch)) {
		charge(thread, wait, 0, rest_ns);
		return;
	}
	unsigned count = holds_between(stretch->from, stretch->to, stretch->start_ns, parts);
	rest_ns = fit(stretch, parts, count);
	for (unsigned i = 0; i < count; i++)
		if (parts[i].ns)
			charge_part(thread, wait, &parts[i], &stretch->to->io[i]);
	if (rest_ns)
		charge(thread, wait, stretch->rest, rest_ns);
}

/* The release with which a wait without a recorded one may have ended; 0: none. */
static uint32_t unsaid(const struct hold_view *view, uint64_t start_ns, uint64_t end_ns)
{
	bool is_likely = view->is_known && start_ns - view->until_ns < UNSAID_BEFORE_NS &&
			 end_ns - start_ns < UNSAID_WAIT_NS;

	return is_likely ? holds_last_path(view) : 0;
}

static bool has_release(const struct thread *thread, const struct open_wait *wait)
{
	const struct hold_view *before = &thread->before, *after = &thread->after;

	return wait->object && before->is_known && after->is_known &&
	       (after->count - after->undone != before->count - before->undone ||
		before->until_ns > wait->start_ns);
}

/* ---- by cause ---- */

void blame_holders(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		   bool timed_out)
{
	struct stretch stretch = {
		.from = &thread->before,
		.to = &thread->after,
		.start_ns = wait->start_ns,
		.end_ns = end_ns,
	};

	if (!has_release(thread, wait)) {
		uint32_t path = timed_out || !wait->object
					? nobody(wait, timed_out)
					: unsaid(&thread->before, wait->start_ns, end_ns);
		charge(thread, wait, path, end_ns - wait->start_ns);
		return;
	}
	stretch.rest = timed_out ? nobody(wait, true) : holds_last_path(&thread->after);
	charge_stretch(thread, wait, &stretch);
}

void blame_nobody(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		  bool timed_out)
{
	charge(thread, wait, nobody(wait, timed_out), end_ns - wait->start_ns);
}

void blame_first(struct thread *thread, const struct open_wait *wait, uint64_t end_ns)
{
	uint32_t path =
		has_release(thread, wait) ? holds_first_after(&thread->before, &thread->after) : 0;

	charge(thread, wait, path, end_ns - wait->start_ns);
}

/* From the latest signal on the thread waited for the mutex: charges its holders for the time up to
 * *until_ns. False: they are not known. */
static bool charge_reacquiring(struct thread *thread, const struct open_wait *wait,
			       uint64_t signal_ns, uint64_t end_ns, uint64_t *until_ns)
{
	struct hold_view *at_signal = &thread->before, *now = &thread->after;

	*until_ns = signal_ns;
	holds_look(__atomic_load_n(&wait->object->signal, __ATOMIC_ACQUIRE), at_signal);
	holds_look(object_holds(object_known(wait->mutex, OBJECT_MUTEX)), now);
	struct stretch stretch = {
		.from = at_signal,
		.to = now,
		.start_ns = signal_ns,
		.end_ns = now->until_ns < end_ns ? now->until_ns : end_ns,
	};
	if (!is_readable(&stretch) || at_signal->signal_ns != signal_ns)
		return false;
	if (now->count == at_signal->count || stretch.end_ns <= signal_ns)
		return true;
	charge_stretch(thread, wait, &stretch);
	*until_ns = stretch.end_ns;
	return true;
}

static bool is_told_seldom(const struct object *condition)
{
	return condition && __atomic_load_n(&condition->is_told_seldom, __ATOMIC_RELAXED);
}

/* Of a condition whose signals are not all recorded: the one that was recorded last; 0: none. */
static uint32_t unseen_signaller(const struct thread *thread, const struct open_wait *wait)
{
	bool may_be = is_told_seldom(wait->object) && thread->before.is_known;

	return may_be ? holds_last_path(&thread->before) : 0;
}

enum waking blame_signaller(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
			    uint64_t *reacquire_ns)
{
	struct hold_view *after = &thread->after;

	*reacquire_ns = 0;
	if (!has_release(thread, wait)) {
		uint32_t unseen = unseen_signaller(thread, wait);
		bool is_elsewhere = blame_unknown(wait->object) == MARK_OTHER_PROCESS;
		charge(thread, wait, unseen, end_ns - wait->start_ns);
		return unseen || is_elsewhere ? WAKING_UNSEEN : WAKING_SPURIOUS;
	}
	struct stretch until_signal = {
		.from = &thread->before,
		.to = after,
		.start_ns = wait->start_ns,
		.end_ns = after->until_ns < end_ns ? after->until_ns : end_ns,
	};
	if (until_signal.end_ns < wait->start_ns)
		until_signal.end_ns = wait->start_ns;
	uint32_t signaller = holds_last_path(after);
	uint64_t signal_ns = until_signal.end_ns, until_ns;
	charge_stretch(thread, wait, &until_signal);
	if (!charge_reacquiring(thread, wait, signal_ns, end_ns, &until_ns) &&
	    !is_told_seldom(wait->object))
		signaller = 0;
	if (end_ns > until_ns)
		charge(thread, wait, signaller, end_ns - until_ns);
	*reacquire_ns = until_ns - signal_ns;
	return WAKING_SEEN;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/futex_cause.h"

#include "analyze/model/common/names.h"

#include <string.h>

/* Parts of names, as code of a library may be found in names only: g++ makes calls of std::barrier
 * jumps, and the routine that is left has it in its template's arguments. Types of the layers below
 * std::sync::Mutex and lock_api::Mutex, which occur in no argument of a program's. */
static const struct {
	const char *part;
	enum cause cause;   /* CAUSE_FUTEX: a wait for a signal */
	bool is_of_signals; /* may be made of waits for signals */
} rows[] = {
	/* Rust: since 1.84, before, since 1.62 */
	{"sync::mutex::futex::Mutex", CAUSE_MUTEX, false},
	{"locks::futex_mutex::Mutex", CAUSE_MUTEX, false},
	{"locks::futex::Mutex", CAUSE_MUTEX, false},
	{"sync::rwlock::futex::RwLock", CAUSE_RWLOCK, false},
	{"locks::futex_rwlock::RwLock", CAUSE_RWLOCK, false},
	{"once::futex::Once", CAUSE_ONCE, false},
	{"condvar::futex::Condvar", CAUSE_FUTEX, false},
	{"locks::futex_condvar::Condvar", CAUSE_FUTEX, false},
	{"locks::futex::Condvar", CAUSE_FUTEX, false},
	{"::Parker", CAUSE_FUTEX, false},
	{"sync::barrier::Barrier", CAUSE_BARRIER, true},
	{"thread::scoped::", CAUSE_JOIN, true},
	/* parking_lot */
	{"parking_lot::condvar::", CAUSE_FUTEX, false},
	{"parking_lot::raw_mutex::RawMutex", CAUSE_MUTEX, false},
	{"parking_lot::raw_fair_mutex::RawFairMutex", CAUSE_MUTEX, false},
	{"parking_lot::raw_rwlock::RawRwLock", CAUSE_RWLOCK, false},
	{"parking_lot::once::Once", CAUSE_ONCE, false},
	/* C++: libstdc++, libc++ */
	{"std::latch::", CAUSE_BARRIER, false},
	{"std::__1::latch::", CAUSE_BARRIER, false},
	{"std::barrier<", CAUSE_BARRIER, false},
	{"std::__tree_barrier", CAUSE_BARRIER, false},
	{"std::__1::barrier<", CAUSE_BARRIER, false},
	{"std::__1::__barrier_base<", CAUSE_BARRIER, false},
	{"__cxa_guard_acquire", CAUSE_ONCE, false},
	/* Python's library: a thread holds a lock as long as it lives, until 3.12 */
	{"_wait_for_tstate_lock", CAUSE_JOIN, true},
	{"Thread.join", CAUSE_JOIN, true},
};

void futex_read_routine(struct futex_reading *reading, const char *routine)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (reading->found != CAUSE_FUTEX || !strstr(routine, rows[i].part))
			continue;
		if (rows[i].cause == CAUSE_FUTEX)
			reading->is_signalled = true;
		else if (rows[i].is_of_signals || !reading->is_signalled)
			reading->found = rows[i].cause;
		return;
	}
}

/* False: it is the program's. */
static bool read_frame(struct futex_reading *reading, const struct names *names,
		       const struct frame *frame)
{
	const struct routine *routine = names_routine(names, frame->routine);

	if (*routine->module && !routine->is_runtime)
		return false;
	futex_read_routine(reading, routine->name);
	return true;
}

static enum cause cause_of_path(struct names *names, const struct profile *profile, size_t callpath)
{
	struct futex_reading reading = {.found = CAUSE_FUTEX};
	const struct frame *frames;
	size_t count = names_end_frames(names, profile, callpath, &frames);

	for (size_t at = callpath;;) {
		for (size_t i = 0; i < count; i++)
			if (reading.found != CAUSE_FUTEX ||
			    !read_frame(&reading, names, &frames[i]))
				return reading.found;
		if (!at)
			return reading.found;
		count = names_frames(names, profile, at, &frames);
		at = profile->callpaths.rows[at].parent;
	}
}

/* Python's locks are semaphores; where its functions have names, they tell which end a thread. */
static bool is_pythons(const struct profile *profile, uint64_t cause)
{
	return cause == CAUSE_SEMAPHORE && profile->python_code.count > 1;
}

enum cause futex_cause(struct names *names, const struct profile *profile, uint64_t cause,
		       uint64_t operation, size_t callpath)
{
	if (is_pythons(profile, cause))
		return cause_of_path(names, profile, callpath) == CAUSE_JOIN ? CAUSE_JOIN
									     : CAUSE_SEMAPHORE;
	if (cause != CAUSE_FUTEX)
		return (enum cause)cause;
	return operation == OP_FUTEX_LOCK ? CAUSE_MUTEX : cause_of_path(names, profile, callpath);
}

/* SPDX-License-Identifier: MIT */
/* What the files of lifecycle share: lifecycle_threads has the records of threads, lifecycle the
 * process, lifecycle_births the threads that it makes, and lifecycle_attach one that runs already.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/base/system.h"
#include "preload/file/rows.h"
#include "preload/life/sealed_guest.h"
#include "preload/thread/thread.h"

enum lifecycle_state {
	STATE_BEFORE, /* the constructor has not run, or nothing was begun after a late loading */
	STATE_ASLEEP, /* a fork child that has done nothing yet */
	STATE_ACTIVE,
	STATE_SEALED,   /* it was active; now we must not make a system call */
	STATE_SHUT,     /* the same, without a profile of its own */
	STATE_DETACHED, /* it was active, and may be again */
	STATE_INERT,
};

extern struct lifecycle {
	int state; /* atomic: enum lifecycle_state */
	int pid;
	uint64_t start_ns;
	uint64_t start_cpu_ns; /* of a fork child: its CPU time then */
	pthread_key_t key;     /* its destructor is called at a thread's end */
	bool has_key;
	struct row_array children;
} life;

static inline enum lifecycle_state state_now(void)
{
	if (unlikely(sealed_guest_is_here))
		return STATE_SHUT;
	return (enum lifecycle_state)__atomic_load_n(&life.state, __ATOMIC_ACQUIRE);
}

static inline bool lifecycle_is_sealed(void)
{
	return state_now() == STATE_SEALED || state_now() == STATE_SHUT;
}

/* False in a vfork child, which shares everything with its parent and must not change it; and if
 * asking could be fatal. */
static inline bool lifecycle_is_own_process(void)
{
	return !lifecycle_is_sealed() && life.pid == system_pid();
}

/* The record becomes that of the calling thread, which lives on this stack. flags: THREAD_*. */
void lifecycle_begin_thread(struct thread *thread, uint32_t flags, struct unwind_stack stack);

/* The destructor of life.key: the routine of the thread has ended. */
void lifecycle_thread_ends(void *record);

/* A record for the calling thread, which no wrapped call made; NULL: there is none to be had. */
struct thread *lifecycle_adopt(void);

/* The calling thread stands beside the only one that is known: from here on there are several.
 * False: it is none of this process. */
bool lifecycle_begin_beside(void);

/* The record of the calling thread ends. */
void lifecycle_end_thread(struct thread *thread);

/* The calling thread has no record from now on. */
void lifecycle_forget_self(void);

/* What happens once in a process, whatever is begun then; in the thread with that kernel number. */
void lifecycle_start_parts(int32_t tid);

/* Opens the file and its tables. *start_ns: in, when it was asked for; out, when the profile
 * begins. 0 or a negative errno. */
int lifecycle_open_tables(uint64_t *start_ns, uint64_t called_ns, uint64_t called_cpu_ns);

/* Writes the last figures, and how it ended. */
void lifecycle_close_profile(uint32_t state, int status);

/* What this system cannot do, as far as it is known at the start. */
void lifecycle_note_limits(void);

/* In a fork child, and when nothing of an earlier profile counts any more: forgets its file, rings
 * and timers. From here on the process is asleep. */
void lifecycle_forget(void);

/* The exit of the process is to be seen. */
void lifecycle_await_exit(void);

/* SPDX-License-Identifier: MIT */
/* How a thread spent its lifetime: user, system, ready, blocked, and what it was blocked for.
 *
 * Blocked time is measured where context-switch records cover the life of the thread; elsewhere it
 * is the remainder of the lifetime, and is graded so. The four states add up to the lifetime.
 * Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/read/profile.h"
#include "analyze/tables/merged.h"

/* struct thread_states: parts of its lifetime; by_cause_ns: parts of blocked_ns; CAUSE_OTHER:
 * explained by no wrapped wait; requests_ns: parts of by_cause_ns (request_waits.h). struct
 * thread_waiting: in MPI calls, open_wait_ns included, in
 * spinlocks, and in the OpenMP runtime, locks included; omp_open_ns: for other threads of the team,
 * or for work, in which the thread is, or was at the end. Columns: merged.def. */
struct thread_time {
	const struct profile_thread *thread;
	size_t index; /* in the profile's threads */
	/* Set where a process keeps its rows (process.h); otherwise NULL. */
	const char *role;  /* first routine of the user's code; NULL: unknown */
	double role_share; /* CPU time / lifetime of the middle one of this role (idle_roles.h) */
	const char *shown_name; /* the name, or the role if the name is merely the program's */
	uint64_t lifetime_ns;
	union {
		struct thread_states;
		struct thread_states states;
	};
	uint64_t idle_ns;  /* part of blocked_ns that is in no by_cause_ns: idle_threads.h. 0 but
			      where idle time was taken out of its causes (idle_take_out) */
	uint64_t turns_ns; /* part of by_cause_ns[CAUSE_FUTEX]: where the thread also wakes others
			      (futex_waits.h) */
	union {
		struct thread_waiting;
		struct thread_waiting waiting;
	};
	uint64_t yields;       /* calls of sched_yield */
	uint64_t open_wait_ns; /* length of the wait in which the thread is, or was at the end; 0:
				  in none */
};

/* The waits of a thread that have ended, by cause, including MPI calls and waits in the OpenMP
 * runtime. */
struct thread_waits {
	uint64_t by_cause_ns[CAUSE_LIMIT];
	uint64_t yields;
	uint64_t omp_since_ns; /* in a wait of the OpenMP runtime since this instant; 0: in none */
};

/* One for each row of profile->threads, released by the caller. */
struct thread_waits *thread_waits_of(const struct profile *profile);
struct thread_time thread_time_with(const struct profile *profile, size_t thread, uint64_t end_ns,
				    const struct thread_waits *all);
/* The same for a single thread. end_ns: when the process ended, or was last seen. */
struct thread_time thread_time_of(const struct profile *profile, size_t thread, uint64_t end_ns);
/* Adds up times and grades; whose they are (thread, role, name) stays. The sum of nothing has
 * is_ready_known set. */
void thread_time_add(struct thread_time *sum, const struct thread_time *time);
uint64_t thread_time_cpu(const struct thread_time *time);
/* Time spent waiting for threads or processes to end. */
double thread_joining_ns(const struct thread_time *time);
/* Time blocked for mutexes, rwlocks and spin locks. */
uint64_t thread_locks_ns(const struct thread_time *time);
/* Grade of user_ns and system_ns, each by itself. Their sum is the thread's CPU clock, but kernels
 * that account by ticks divide it by where a tick met the thread. The clock of a thread that was in
 * its first wait when the process was killed was never read. */
static inline enum grade thread_time_split_grade(const struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;

	if (time->user_ns || time->system_ns)
		return GRADE_SAMPLED;
	return thread && thread->flags & THREAD_ALIVE && thread->updated_ns <= thread->birth_ns
		       ? GRADE_ESTIMATED
		       : GRADE_EXACT;
}
/* Time in waits of the OpenMP runtime in which the thread was not blocked: it spun, or was ready
 * to. */
uint64_t thread_time_awake(const struct thread_time *time);
/* The part of it on a processor, never more than the thread's CPU time. Nothing records in which
 * wait a thread lost its processor: it is taken to have been ready for the same share of its waits
 * as of its whole life. */
uint64_t thread_time_spin(const struct thread_time *time);
/* The same of spinlock_ns. */
uint64_t thread_time_spun(const struct thread_time *time);
/* CPU time in which the thread only looked whether others are done: both of these, and calls of
 * sched_yield. */
uint64_t thread_time_polled(const struct thread_time *time);
/* CPU time without that. */
uint64_t thread_time_worked(const struct thread_time *time);

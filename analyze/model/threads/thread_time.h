/* SPDX-License-Identifier: MIT */
/* Where the lifetime of a thread went: user, system, ready, blocked, and for what it was blocked.
 *
 * Blocked time is measured where context-switch records cover the life of the thread; elsewhere it
 * is what remains of the lifetime, and is graded so. The four states sum to the lifetime. Context:
 * pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/read/profile.h"

struct thread_time {
	const struct profile_thread *thread;
	size_t index; /* in the profile's threads */
	/* Where a process keeps the rows (process.h); otherwise NULL. */
	const char *role;       /* first routine of the user's; NULL: not known */
	const char *shown_name; /* role in place of a name that is only the program's */
	uint64_t lifetime_ns;
	uint64_t user_ns, system_ns, ready_ns, blocked_ns;
	uint64_t by_cause_ns[CAUSE_LIMIT]; /* of blocked_ns; CAUSE_OTHER is what no wrapped wait
					      explains */
	bool is_ready_known;
	enum grade blocked_grade;
	uint64_t open_wait_ns; /* length of the wait in which the thread is, or was at the end; 0:
				  none */
	uint64_t mpi_ns;       /* in MPI calls, on a processor (polling) or off it, open_wait_ns
				  included */
	uint64_t omp_ns;       /* waiting in the OpenMP runtime, for locks as well, spinning or off
				  the processor, omp_open_ns included */
	uint64_t omp_open_ns;  /* part of omp_ns: the wait for other threads of the team, or for
				  work, in which the thread is, or was at the end */
};

/* The waits that a thread has come out of, by cause; MPI calls and waits in the OpenMP runtime
 * included. */
struct thread_waits {
	uint64_t by_cause_ns[CAUSE_LIMIT];
	uint64_t omp_since_ns; /* in a wait of the OpenMP runtime since then; 0: in none */
};

/* One for each row of profile->threads, released by the caller. */
struct thread_waits *thread_waits_of(const struct profile *profile);
struct thread_time thread_time_with(const struct profile *profile, size_t thread, uint64_t end_ns,
				    const struct thread_waits *all);
/* The same for a single thread. end_ns: when the process ended, or was seen last. */
struct thread_time thread_time_of(const struct profile *profile, size_t thread, uint64_t end_ns);
uint64_t thread_time_cpu(const struct thread_time *time);
/* Waiting for threads or processes to end. */
double thread_joining_ns(const struct thread_time *time);
/* Of user_ns and system_ns each: their sum is the thread's CPU clock, but kernels that account by
 * ticks share it out by where a tick met the thread. Of a thread that was in its first wait when
 * the process was killed the clock was never read. */
static inline enum grade thread_time_split_grade(const struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;

	if (time->user_ns || time->system_ns)
		return GRADE_SAMPLED;
	return thread && thread->flags & THREAD_ALIVE && thread->updated_ns <= thread->birth_ns
		       ? GRADE_ESTIMATED
		       : GRADE_EXACT;
}
/* Waits of the OpenMP runtime, but for what was blocked: the thread spun, or was ready to. */
uint64_t thread_time_awake(const struct thread_time *time);
/* The part of it on a processor, never more than its CPU time. Nobody records which wait a thread
 * was in when it lost its processor: it is taken to be ready there for the same share of the time
 * as in all its life. */
uint64_t thread_time_spin(const struct thread_time *time);

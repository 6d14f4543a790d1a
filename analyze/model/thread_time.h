/* SPDX-License-Identifier: MIT */
/* Where the lifetime of a thread went: user, system, ready, blocked, and for what it was blocked.
 *
 * Blocked time is measured where context-switch records cover the life of the thread; elsewhere it
 * is what remains of the lifetime, and is graded so. The four states sum to the lifetime. Context:
 * pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/grade.h"
#include "analyze/read/profile_read.h"

struct thread_time {
	const struct profile_thread *thread;
	size_t index; /* in the profile's threads */
	uint64_t lifetime_ns;
	uint64_t user_ns, system_ns, ready_ns, blocked_ns;
	uint64_t by_cause_ns[CAUSE_LIMIT]; /* of blocked_ns; CAUSE_OTHER is what no wrapped wait
					      explains */
	bool is_ready_known;
	enum grade blocked_grade;
	uint64_t open_wait_ns; /* length of the wait in which the thread is, or was at the end; 0:
				  none */
	uint64_t mpi_ns; /* in MPI calls, on a processor (polling) or off it, open_wait_ns included
			  */
};

/* end_ns: when the process ended, or was seen last. */
struct thread_time thread_time_of(const struct profile *profile, size_t thread, uint64_t end_ns);
uint64_t thread_time_cpu(const struct thread_time *time);

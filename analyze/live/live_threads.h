/* SPDX-License-Identifier: MIT */
/* What each thread of a process did between two readings, and what it does now.
 *
 * A thread is asked for in /proc only if it may have been on a processor: one that has been in the
 * same wait since the reading before was blocked all the time, but for waits that poll (MPI,
 * OpenMP, spinlocks). At most LIVE_ASKED_MAX threads of a process are asked for; of the others the
 * profile's rows tell. Context: reads /proc. */
#pragma once

#include "analyze/live/live_frame.h"
#include "analyze/read/profile.h"

#define LIVE_ASKED_MAX 512

struct keyed_table;

/* How much of it a thread had used at a reading. */
struct live_usage {
	uint64_t tid, birth_ns; /* the key */
	uint64_t at_ns, cpu_ns, ready_ns;
};

/* The usages of all threads at a reading, which replace those of the reading before. */
struct live_usages {
	struct keyed_table *table;
	uint64_t at_ns; /* 0: there was no reading yet */
	bool is_over;   /* of this reading: the process has ended */
	size_t asked;   /* in this reading */
};

/* Where usages of the next reading go. */
struct keyed_table *live_usages_create(void);

/* thread: index in the profile; omp_since_ns: of its row in omp_threads. The texts of the result
 * are not set. before: the reading before; next: the table of this reading, which gets the thread's
 * usage. now_ns: of this reading. */
struct live_thread live_thread_read(const struct profile *profile, size_t thread,
				    uint64_t omp_since_ns, uint64_t now_ns,
				    struct live_usages *before, struct keyed_table *next);

/* SPDX-License-Identifier: MIT */
/* The threads of a run side by side, and the parts of which a lifetime is made.
 *
 * A line is a thread, or the threads that the MPI library of a rank started for itself, or the sum
 * of a process's threads: where that is asked for, and where a run has too many threads to keep
 * each. The states add up to the lifetime, as user + system + ready +
 * blocked do; blocked is split into idle time and groups of causes, few enough to tell apart in a
 * plot. Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/run/run.h"

struct thread_line {
	const struct process *process;
	const struct profile_thread *thread; /* NULL: several, or all threads of the process */
	struct thread_time time;             /* idle time is taken out of its causes */
	/* Of the thread or process, from the run's beginning; of several short threads that share a
	 * row, of the last one. elapsed_ns: from there to its end, of a process not the sum over
	 * its threads, which is time.lifetime_ns. */
	double begin_ns, elapsed_ns;
	uint64_t library_threads; /* so many of the MPI library; 0: the line is none of these */
};

struct thread_lines {
	struct thread_line *rows; /* the most CPU time first */
	size_t count;
};

/* rows are released by the caller. */
struct thread_lines thread_lines_of(const struct run *run, bool by_process);

enum thread_state {
	STATE_USER,
	STATE_SYSTEM,
	STATE_READY,
	STATE_LOCK,      /* mutex, rwlock, spinlock, once */
	STATE_CONDITION, /* and semaphore */
	STATE_BARRIER,   /* and join */
	STATE_MPI,
	STATE_OPENMP,
	STATE_IO,    /* and waiting for descriptors, file locks and messages */
	STATE_SLEEP, /* and waiting for processes */
	STATE_IDLE,  /* waiting for work: idle_threads.h */
	STATE_OTHER,
	STATE_COUNT
};

const char *thread_state_text(enum thread_state state);
/* The state of a thread that is blocked for that cause. */
enum thread_state thread_state_of(uint64_t cause);
uint64_t thread_state_ns(const struct thread_time *time, enum thread_state state);

/* SPDX-License-Identifier: MIT */
/* Lives of threads, of one process or of many that came one after the other: how many there were at
 * once. Who ends at an instant makes room for one that begins then. Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct process;
struct run;
struct thread_time;

struct life {
	double begin_ns, end_ns;
	double joining_ns; /* of it, waiting for other threads or processes to end */
	uint64_t threads;  /* that had it: of many nothing is known but their process */
};

struct lives {
	struct life *rows;
	size_t count, capacity;
};

/* A life of no length is not kept. */
void lives_add(struct lives *lives, const struct life *life);
/* Of a thread whose row is its own; processes of several hosts meet by the time of day. */
struct life lives_of_thread(const struct run *run, const struct process *process,
			    const struct thread_time *time);
/* Of all threads of a process, from its beginning to its end. */
struct life lives_of_process(const struct run *run, const struct process *process,
			     uint64_t threads);
/* Who waited for others to end for half of the time in which there were others, or longer, only
 * joins them: a main thread, a shell. */
void lives_drop_joining(struct lives *lives);
/* Waiting for threads or processes to end. */
double lives_joining_ns(const struct thread_time *time);
/* The most alive at once for at least so long; 1 at least. */
double lives_most(const struct lives *lives, double least_ns);
/* Elapsed time with two or more alive. */
double lives_shared_ns(const struct lives *lives);
void lives_clear(struct lives *lives);

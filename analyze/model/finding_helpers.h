/* SPDX-License-Identifier: MIT */
/* Threads that are meant to wait: helpers that do next to nothing beside the threads that work.
 *
 * A thread is a helper if it was on a processor for less than 1 % of its life, and for less than
 * 5 % of the CPU time of the busiest thread of its process. (A pool of a server that has nothing to
 * do, a ticker, a writer of logs.) Where threads have no rows of their own, no helper is known; of
 * ranks only their work is counted in the first place. Context: pure. */
#pragma once

#include <stdbool.h>

struct process;
struct run;
struct thread_time;

/* CPU time of the busiest thread; of the process of `time`. */
double finding_busiest_ns(const struct process *process);
bool finding_is_helper(const struct thread_time *time, double busiest_ns);
/* Time in which helpers were blocked for one of these causes (1 << enum cause). */
double finding_helpers_ns(const struct run *run, unsigned causes);
/* For how long that one was which was blocked longest of all that are no helpers; 0: unknown. */
double finding_longest_ns(const struct run *run, unsigned causes);

/* SPDX-License-Identifier: MIT */
/* How many threads a run had at once: the largest overlap of their lifetimes, over all processes of
 * the run. Images that replace one another by exec, and processes that follow one another, as the
 * commands of a script do, never overlap. If threads have no rows of their own, those of a process
 * are taken to have lived as long as the process. Of ranks the threads that execute the program
 * count. Context: pure. */
#pragma once

#include <stdint.h>

struct run;

/* Threads that were alive at once. */
uint64_t finding_threads_at_once(const struct run *run);
/* Those of them that may have wanted a processor: neither idle threads nor threads that only wait
 * for others to end (lives.h); at least 1. In a job of ranks the other processes only launch them,
 * and do not count. */
uint64_t finding_threads_wanting(const struct run *run);
/* On average over the elapsed time, without idle threads and waits for others to end; 0:
 * unknown. */
double finding_threads_on_average(const struct run *run);

/* SPDX-License-Identifier: MIT */
/* How many threads a run had at once: the largest overlap of their lives, over all processes of the
 * run. Images that replace one another by exec, and processes that come one after the other, as
 * the commands of a script do, are never there together. Where threads have no rows of their own,
 * those of a process are taken to have lived as long as it did. Of ranks the threads that execute
 * the program count. Context: pure. */
#pragma once

#include <stdint.h>

struct run;

/* Threads that were alive at once. */
uint64_t finding_threads_at_once(const struct run *run);
/* Those of them that may have wanted a processor: neither helpers, nor who only waits for others to
 * end (lives.h); 1 at least. In a job of ranks, what is no rank launches them. */
uint64_t finding_threads_wanting(const struct run *run);
/* On average over the elapsed time, without helpers and waits for others to end; 0: unknown. */
double finding_threads_on_average(const struct run *run);

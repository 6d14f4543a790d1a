/* SPDX-License-Identifier: MIT */
/* Ready time of threads that only look whether others are done: they need no processor for the run
 * to get on. Nothing records in what a thread lost its processor: it is taken to have been ready
 * for the same share of its CPU time wherever it was. Context: pure. Nanoseconds. */
#pragma once

struct run;

/* Of ranks: while they waited for one that was late by itself. */
double finding_polled_ready_ns(const struct run *run);
/* CPU time in calls of sched_yield, of processes that are no ranks: it counts as useful, as nobody
 * knows for what they were made; but it is no work that would remain without what others pause for.
 */
double finding_yielded_ns(const struct run *run);

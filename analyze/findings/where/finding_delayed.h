/* SPDX-License-Identifier: MIT */
/* What other programs do to the times of threads that wait for each other: who is waited for may be
 * ready for a processor that another program has, and whoever waits for it waits so much longer.
 * Nothing records in which wait a thread was waited for: these are bounds. Context: pure.
 * Nanoseconds. */
#pragma once

#include <stdint.h>

struct finding;
struct run;
struct thread_time;

/* The part of the ready time that was due to other programs (finding_taken_ns), 0 to 1; 0: nobody
 * else used the processors. */
double finding_taken_part(const struct run *run);

/* The time on a processor that a thread, or all that have these times together, would have had as
 * time until it is done: with what others took of the processors meanwhile. At least cpu_ns. */
double finding_stretched_ns(const struct run *run, double cpu_ns, double ready_ns);

/* The rank with that number had a processor for a part of the time in which it wanted one outside
 * of MPI, since other programs had it: its work took so many times as long. 1: it had it always. */
double finding_stretch_of_rank(const struct run *run, uint64_t rank);

/* At most so much of the time in which threads were blocked for these causes (1 << enum cause,
 * or'ed) was due to what other programs took from those whom they waited for: of each thread no
 * more than it was blocked, and no more than all other threads were ready because of others. */
double finding_delayed_ns(const struct run *run, unsigned causes);

/* Adds to the evidence how much of the waits that may be, if it is worth telling. */
void finding_tell_delayed(struct finding *finding, double delayed_ns, double wait_ns);

/* SPDX-License-Identifier: MIT */
/* Pauses: time in which a thread stands still, for no other one (asleep, blocked in no call that is
 * seen, stopped). Others may wait for the one that pauses, at locks, conditions, pipes, sockets,
 * locks of files and queues of messages: these waits end when the pause does, so that they are
 * nothing that would remain without it, and pauses of several threads may follow each other.
 *
 * What remains is waiting for the world outside of the run, and for locks if no holder of one
 * sleeps. Who waits for whom is not recorded of all of these: in doubt the wait is taken to be for
 * a pause, as a stake is a bound. Context: pure. Nanoseconds. */
#pragma once

#include <stdbool.h>

struct run;

/* causes: 1 << enum cause, or'ed. Are all of them pauses? */
bool finding_is_pause(unsigned causes);
/* Thread time without work that would remain without these pauses. */
double finding_pause_rest_ns(const struct run *run, unsigned causes);
/* How much of these pauses may have followed each other: the pauses of a thread and its waits for
 * others, of the thread with most of both, and no more than all pauses. Of a rank: its pauses and
 * its time in MPI, but for the shortest start and end of any rank. 0: unknown. */
double finding_pause_path_ns(const struct run *run, unsigned causes);
/* Elapsed time that such a path can have cost: of a job it is a bound, and no rank becomes shorter
 * than its useful time. 0: unknown. */
double finding_pause_cause_ns(const struct run *run, double path_ns);

/* SPDX-License-Identifier: MIT */
/* Waits for the next request: a server that waits for its clients loses nothing by it, whichever
 * thread waits, and how much CPU time it uses otherwise.
 *
 *   accepted  reads from a socket that accept made: what comes is for a client to send
 *   pool      waits for a condition or a semaphore at which threads are given work by those that
 *             take connections or events: at least half of the time of the waits for it was ended
 *             by call paths that begin where those of waits for connections or events do. Only in a
 *             process that serves: it has waited for connections, or has a socket that listens or
 *             was accepted. Who waits for connections or events itself is no member of the pool:
 *             its waits for the others are no waits for requests
 *
 * Of waits for connections, events and signals, all are (idle_threads.h). Context: pure but for
 * names; of one profile. */
#pragma once

#include <stdbool.h>

struct names;
struct profile;
struct profile_wait;
struct thread_time;
struct request_waits;

/* Kept by the names until they forget the profile. */
const struct request_waits *request_waits_of(struct names *names, const struct profile *profile);

/* Is it a wait for a request? */
bool request_waits_is(const struct request_waits *requests, const struct profile_wait *wait);

/* Sets requests_ns: of what the thread was blocked for each cause, the same part as of the length
 * of its waits for it, the present one included. Before by_cause_ns are divided (futex_waits.h). */
void request_waits_divide(const struct request_waits *requests, struct thread_time *time);

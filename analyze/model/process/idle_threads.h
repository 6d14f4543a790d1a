/* SPDX-License-Identifier: MIT */
/* Threads that are meant to wait: a pool without work, a watchdog, a log writer. The same
 * definition is used wherever threads are judged: an idle thread has no part in a loss, neither in
 * its amount nor in its place.
 *
 * A thread is idle if all of this holds (finding_limits.def has the figures):
 *   - it was on a processor for hardly any of its life (helper_life);
 *   - it used hardly any CPU time compared to the busiest thread of its process (helper_busiest),
 *     which has worked (helper_least): in a program that only waits, waiting is what it loses its
 *     time to, and which of its threads started or waited a little slower is chance;
 *   - for nearly all of the time in which it had a processor or wanted none (idle_life) it waited
 *     for what a helper waits for: conditions, semaphores, sleeps, signals, events, input, futexes
 *     at which it does not take turns with others (futex_waits.h), and what no wrapper sees. A
 *     thread that waits for locks, barriers, or for threads to end takes part in the work, or is in
 *     its way, whether these are libc's or made of futexes (futex_cause.h).
 *
 * Near the first two limits (idle_near) a thread has the CPU time that the middle one of the
 * threads with its role would have had in its life (idle_roles.h), so that equal threads are judged
 * alike.
 *
 * What idle threads wait for is idle time, a part of the blocked time. So are all waits for events
 * (epoll_wait, poll, select), for connections (accept), for signals (sigwait), and for the next
 * request (request_waits.h), whoever waits: a thread that does so waits for work, and works when
 * there is some.
 *
 * Context: pure. */
#pragma once

#include "preload/file/vocabulary.h"

#include <stdbool.h>
#include <stdint.h>

struct process;
struct thread_time;

/* CPU time of the busiest thread, without what it only polled (thread_time_polled); 0: none has
 * worked, or threads have no rows. Infinite if that thread (if none has worked: any thread) mostly
 * waits for processes to end, or if another process works meanwhile (work_elsewhere.h): then the
 * work is done elsewhere, as by the children of a parent that only waits for them. */
double idle_busiest_ns(const struct process *process);
/* Is it a cause for which idle threads wait? */
bool idle_waits_for(enum cause cause);
/* How much of the thread's waits for that cause an idle thread's would be. */
uint64_t idle_wait_ns(const struct thread_time *time, enum cause cause);
/* Is it one for which any thread waits idly? */
bool idle_whoever_waits(enum cause cause);
/* How much of the thread's waits for that cause is for requests. */
uint64_t idle_requests_ns(const struct thread_time *time, enum cause cause);
/* How much of the thread's waits for that cause is idle, whatever thread it is: for such a cause
 * all, otherwise waits for requests. */
uint64_t idle_always_ns(const struct thread_time *time, enum cause cause);
/* busiest_ns: of the thread's process. */
bool idle_thread(const struct thread_time *time, double busiest_ns);
/* Idle time of the thread. */
uint64_t idle_time_ns(const struct thread_time *time, double busiest_ns);
/* Moves it from by_cause_ns to idle_ns. */
void idle_take_out(struct thread_time *time, double busiest_ns);

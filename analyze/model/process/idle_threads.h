/* SPDX-License-Identifier: MIT */
/* Threads that are meant to wait: a pool without work, a watchdog, a writer of logs. One rule for
 * all that judges threads: who is idle has no part in a loss, neither in its amount nor in its
 * place.
 *
 * A thread is idle if all of this holds (finding_limits.def has the figures):
 *   - it was on a processor for hardly any of its life (helper_life);
 *   - and for hardly any of the CPU time of the busiest thread of its process (helper_busiest): in
 *     a program that only waits, waiting is what it loses its time to;
 *   - nearly all of the time in which it had a processor or wanted none (idle_life) it waited for
 *     what a helper waits for: conditions, semaphores, sleeps, signals, and what no wrapper sees
 *     (epoll_wait, poll, read). Who waits for locks, barriers, or for threads to end is in the way
 *     of the work, or a part of it.
 * Context: pure. */
#pragma once

#include "preload/file/vocabulary.h"

#include <stdbool.h>

struct process;
struct thread_time;

/* CPU time of the busiest thread; 0: threads have no rows. Infinite if that one mostly waits for
 * other threads or processes to end, or if another process works meanwhile (work_elsewhere.h): the
 * work is done elsewhere then, as by the children of a parent that only waits for them. */
double idle_busiest_ns(const struct process *process);
/* Is it what an idle thread waits for? */
bool idle_waits_for(enum cause cause);
/* busiest_ns: of the thread's process. */
bool idle_thread(const struct thread_time *time, double busiest_ns);

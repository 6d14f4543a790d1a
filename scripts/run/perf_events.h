/* SPDX-License-Identifier: MIT */
/* perf_event_open before the program calls it. */
#pragma once

#include <stdbool.h>

/* Does a seccomp filter kill for it, as a systemd unit with SystemCallFilter= does? Where there is
 * a filter, a child of ours tries it, once. True: also if it could not be tried. The library looks
 * for itself (preload/base/perf_filter.h): programs may have further filters. */
bool perf_events_kill(void);

/* Prepares the kernel for context-switch records: opens an event on ptrace-run itself and keeps it
 * open. A failure does not matter.
 *
 * The first such event on a machine makes perf_event_open wait for every processor to pass through
 * the scheduler (a static key, then synchronize_rcu): 4 to 24 ms. The library opens its events when
 * the program creates its first thread. While ptrace-run holds an event of its own, they open at
 * once: measured on an idle machine with 2 processors, the first pthread_create of a program that
 * has run for 30 ms takes 0.19 ms (0.15 to 0.64, 28 runs) instead of 9.4 ms (4.6 to 17). A program
 * that creates a thread in its first milliseconds waits all the same, but no longer than it would
 * otherwise. */
void perf_events_warm(void);

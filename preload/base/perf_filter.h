/* SPDX-License-Identifier: MIT */
/* A seccomp filter that this process inherited may kill for perf_event_open, as a systemd unit with
 * SystemCallFilter= does: where there is a filter, a child that nobody sees tries it first. A whole
 * child, not one in our memory: before Linux 5.16 a process that was killed took all with it that
 * shared its memory. So it is tried once, while the process is small: 0.06 ms, median of 201.
 * Who asks getrusage for its children sees that child. */
#pragma once

/* Context: start-up, no other thread need be alone. errno is never changed. */
void perf_filter_find(void);

/* 0: perf_event_open may be called, which may fail; or the negative errno to take for its own.
 * Context: any. */
int perf_filter_error(void);

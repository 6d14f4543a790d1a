/* SPDX-License-Identifier: MIT */
/* The tool's own file descriptors, which the program must never see.
 *
 * open(2) gives the lowest free number, and programs rely on it: they replace standard input by
 * close(0) and then open(). So a descriptor of ours lives for one stretch of a few system calls,
 * and
 *   - while other threads run, it never has the number 0, 1 or 2: if one of them is free (and the
 *     process is not about to end), the stretch is refused with -EAGAIN (measure less, try later).
 *     The program's close of such a number returns only when every thread that checked before it
 *     was free has finished (wrap_close.c, descriptors_settle);
 *   - no child is forked during a stretch, because it would inherit the descriptor;
 *   - no signal arrives during a stretch, so that no handler opens a file meanwhile, and no jump or
 *     cancellation leaves the descriptor open.
 * Numbers above 2 are visible during a stretch; one that takes long moves its number up first.
 *
 * Context: any thread, signal handlers that block all signals included. errno is never changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct perf_event_attr;

struct descriptor {
	int number;
	uint64_t mask; /* the thread's signal mask, restored at the end */
};

/* Begin a stretch; 0, or a negative errno if none has begun. flags: those of openat, with
 * O_CLOEXEC. */
int descriptors_open(struct descriptor *descriptor, const char *path, int flags);
int descriptors_open_event(struct descriptor *descriptor, const struct perf_event_attr *attributes,
			   int tid, int cpu, int group);

/* For a stretch that takes long: moves the descriptor out of the numbers that the program's next
 * open would get. */
void descriptors_move_up(struct descriptor *descriptor);

/* The same, to the lowest free number that is not below `lowest`, if there is one. */
void descriptors_move(struct descriptor *descriptor, int lowest);

/* Ends the stretch. */
void descriptors_close(struct descriptor *descriptor);

/* The same, but the descriptor stays open: for counters/event_numbers.c alone. */
void descriptors_keep(const struct descriptor *descriptor);

/* After the program has closed 0, 1 or 2, before it goes on. A vfork child may call it: it changes
 * nothing. */
void descriptors_settle(void);

/* The process ends: low numbers may be used from now on. */
void descriptors_take_any(void);

/* Around a fork: waits until the stretches of other threads have ended, and refuses later ones. */
void descriptors_before_fork(void);
void descriptors_after_fork(bool is_child);

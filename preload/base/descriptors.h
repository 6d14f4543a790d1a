/* SPDX-License-Identifier: MIT */
/* The tool's own file descriptors, which the program must not meet.
 *
 * open(2) gives the lowest free number, and programs rely on it: close(0), then open(), is how the
 * standard input is exchanged. So a descriptor of ours lives for one stretch of a few system calls,
 * and
 *   - while other threads run, it never has one of the numbers 0, 1 and 2: where one of them is
 *     free (and the process is not about to end), the stretch is refused with -EAGAIN (measure
 *     less, try later). The program's close of such a number returns only when no thread can be
 *     given it any more that had not seen it free (wrap_close.c, descriptors_settle);
 *   - no child is forked during a stretch: it would inherit the descriptor;
 *   - no signal arrives during a stretch, so that no handler opens a file beside ours, and no jump
 *     or cancellation leaves it open.
 * Numbers above 2 can be seen for the time of a stretch; one that works for long moves up first.
 *
 * Context: any thread, signal handlers that block all signals included. errno is never changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct perf_event_attr;

struct descriptor {
	int number;
	uint64_t mask; /* the thread's signal mask outside of the stretch */
};

/* Begin a stretch: 0, or a negative errno, and there is none. flags: as of openat, with O_CLOEXEC.
 */
int descriptors_open(struct descriptor *descriptor, const char *path, int flags);
int descriptors_open_event(struct descriptor *descriptor, const struct perf_event_attr *attributes,
			   int tid, int cpu);

/* The stretch will last: out of the numbers that the program's next open would get. */
void descriptors_move_up(struct descriptor *descriptor);

/* Ends the stretch. */
void descriptors_close(struct descriptor *descriptor);

/* After a close of 0, 1 or 2 by the program, before it may go on. Also in a vfork child: it changes
 * nothing. */
void descriptors_settle(void);

/* The process ends: nobody will miss a low number any more. */
void descriptors_take_any(void);

/* Around a fork: stretches of other threads come to their end first, later ones are refused. */
void descriptors_before_fork(void);
void descriptors_after_fork(bool is_child);

/* SPDX-License-Identifier: MIT */
/* Which processors a thread is said to have had: those that it had while it was ready, as that is
 * what they are compared with. Who is bound while it works, and set free at its end, was bound; and
 * who is bound at its end only was free. Context: any, one reader at a time, or two of one thread.
 */
#pragma once

#include <stdint.h>

struct row_threads;

/* `first` is the lowest number + 1. */
struct processor_set {
	uint32_t count, first;
};

/* What is known of a row's processors. All 0: nothing yet. */
struct thread_processors {
	struct processor_set most; /* processors that it ever had at a reading */
	struct processor_set usual;
	uint64_t usual_ns; /* ready time with `usual`, less that with others since */
	uint64_t ready_ns; /* of the row at the last reading */
};

/* A new life of a row: its processors until now are those of the earlier ones. */
void thread_processors_begin(struct thread_processors *known, const struct row_threads *row);
/* The thread has these now, and the row's ready time is up to date: what was added to it since the
 * last reading counts for them. Sets the row's processors: `usual`, if it had them for half of its
 * ready time (that is sure if they had three quarters of it), or `most`. */
void thread_processors_note(struct thread_processors *known, struct row_threads *row,
			    struct processor_set now);

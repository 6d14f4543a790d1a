/* SPDX-License-Identifier: MIT */
/* Who waited for what, how long, and who kept them waiting: a row for each object and operation.
 *
 *   count      all calls; contended: those that waited. A wait that was not over when the process
 *              ended counts in both
 *   wait_ns    time in waits; wait_max_ns: the longest
 *   waiters    wait_ns by routine and line of the user's code that waited
 *   blame      wait_ns by routine and line that kept them waiting. The two sums are equal, or the
 *              profile is wrong, which conservation.h finds; nobody is to blame for sleep, child
 *              processes, signals, input and output
 *   io         calls, bytes and errors of input and output, and callers: who made these calls
 *
 * Context: pure but for names. Times in nanoseconds. */
#pragma once

#include "analyze/model/common/histogram.h"
#include "analyze/model/sync/blame_error.h"
#include "analyze/model/sync/sync_object.h"
#include "analyze/model/sync/sync_pairs.h"

struct process;
struct merged_input;

/* Columns: merged.def. row: of the accumulator; idle_ns: of waiters (idle_threads.h); is_inferred:
 * symbols/tail_calls.h. Of blame: what the holder of a lock waited for while it held the lock and
 * others waited for it: holder_io: input and output, holder_wait: other threads. Their ns is at
 * least so much of the time that it is blamed for, 0: none is known; the place is that of the one
 * with the most. */
struct sync_site {
	struct merged_sync_sites;
};

struct sync_sites {
	struct sync_site *rows; /* the most time first */
	size_t count, capacity;
};

/* Calls of input and output, all of them. */
struct io_sums {
	uint64_t calls, bytes, failed;
};

struct io_caller {
	size_t routine; /* number in names */
	unsigned line;
	struct io_sums sums;
};

struct io_callers {
	struct io_caller *rows; /* the most calls first; their sums are those of the row */
	size_t count, capacity;
};

struct sync_row {
	/* Columns: merged.def. cause: of its waits; CAUSE_OTHER if it never waited; left_out:
	 * charged at random, and spread_us2 of their lengths (blame_error.h); idle_ns, idle_waits:
	 * due to idle threads (idle_threads.h); requests_ns: request_waits.h; processes: how many
	 */
	struct merged_sync_rows;
	struct histogram lengths; /* of waits that ended; empty: not known */
	size_t last_process;      /* index + 1 of the last one that was counted */
	struct sync_sites waiters, blame;
	struct sync_pairs pairs; /* holder by victim */
	struct io_sums io;       /* 0 of all but input and output (io_direction.h) */
	struct io_callers callers;
};

struct synchronization {
	struct sync_object *objects;
	char **names; /* of the objects */
	size_t object_count, object_capacity;
	struct sync_row *rows; /* the most waiting time first */
	size_t count, capacity;
	uint64_t wait_ns_by_cause[CAUSE_LIMIT];
};

/* Waiting time without that of idle threads: what findings are about. */
static inline uint64_t sync_row_working_ns(const struct sync_row *row)
{
	return row->idle_ns < row->wait_ns ? row->wait_ns - row->idle_ns : 0;
}

static inline uint64_t sync_site_working_ns(const struct sync_site *site)
{
	return site->idle_ns < site->time_ns ? site->time_ns - site->idle_ns : 0;
}

/* How many waits were measured in full, so that it is known who waited for whom. A damaged file may
 * hold any numbers. */
static inline uint64_t sync_row_measured(const struct sync_row *row)
{
	return row->left_out < row->contended ? row->contended - row->left_out : 0;
}

static inline struct blame_lot sync_row_lot(const struct sync_row *row)
{
	return (struct blame_lot){sync_row_measured(row), row->wait_ns, row->spread_us2};
}

/* Were those who waited for that object, a futex, moved to another one? Who moved them is to blame
 * for the whole of their waits. */
bool synchronization_has_moves(const struct synchronization *synchronization, size_t object);

/* Adds one place to another, or to itself in another row. */
void sync_site_unite(struct sync_site *into, const struct sync_site *from);

/* The place with the most waiting time; NULL: none. */
const struct sync_site *sync_row_main_waiter(const struct sync_row *row);

/* An accumulator (accumulator.h). */
struct synchronization_accumulator;

struct synchronization_accumulator *synchronization_accumulator_create(struct names *names);
void synchronization_accumulator_add(struct synchronization_accumulator *accumulator,
				     const struct profile *profile, const struct process *process);
/* Merged runs (tables/merged.h). Writing returns the waiting time by cause, which is part of the
 * row of the run. */
const uint64_t *
synchronization_accumulator_write(const struct synchronization_accumulator *accumulator,
				  struct merged_writer *writer);
void synchronization_accumulator_read(struct synchronization_accumulator *accumulator,
				      struct merged_input *input,
				      const uint64_t wait_ns_by_cause[CAUSE_LIMIT]);
struct synchronization
synchronization_accumulator_finish(struct synchronization_accumulator *accumulator);
void synchronization_clear(struct synchronization *synchronization);

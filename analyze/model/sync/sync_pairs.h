/* SPDX-License-Identifier: MIT */
/* Who kept whom waiting: for an object and operation, the time by holder and by victim.
 *
 * A profile records for each thread and object which places kept it waiting (blame), and at which
 * places it waited. Where a thread waited for the object at only one place, or was kept waiting by
 * only one, the pair is exact; otherwise each holder's time is distributed over the places that
 * waited, in proportion to their share of the thread's waiting, and the pair is `estimated`. Either
 * way the sums over holders are the row's waiters, and the sums over victims its blame (up to
 * rounding by 1 ns a pair). Beyond SYNC_PAIRS_MAX pairs of a row the others are aggregated into one
 * pair of "[other]". Context: pure but for names. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/tables/merged.h"

#include <stddef.h>
#include <stdint.h>

#define SYNC_PAIRS_MAX 4096

/* Columns: merged.def. row: of synchronization's rows, in the order in which they were added. */
struct sync_pair {
	struct merged_sync_pairs;
};

struct sync_pairs {
	struct sync_pair *rows; /* the most time first */
	size_t count, capacity;
};

/* ---- the accumulator, a part of that of synchronization (synchronization.c) */

struct names;
struct merged_input;
struct sync_pairs_accumulator;

enum sync_side { SYNC_HOLDER, SYNC_VICTIM };

/* Time for which a thread of the current profile was kept waiting by a place, or waited at one. */
struct sync_share {
	size_t thread,
		row; /* row: of synchronization's rows, in the order in which they were added */
	size_t routine;
	unsigned line;
	uint64_t time_ns;
};

struct sync_pairs_accumulator *sync_pairs_create(struct names *names);
void sync_pairs_note(struct sync_pairs_accumulator *accumulator, enum sync_side side,
		     const struct sync_share *share);
/* Ends the current profile: its shares become pairs. */
void sync_pairs_close(struct sync_pairs_accumulator *accumulator);
/* Adds a pair that is already known. */
void sync_pairs_add(struct sync_pairs_accumulator *accumulator, const struct sync_pair *pair);
/* The pairs of a row, sorted; the caller owns them. */
struct sync_pairs sync_pairs_take(struct sync_pairs_accumulator *accumulator, size_t row);
void sync_pairs_destroy(struct sync_pairs_accumulator *accumulator);
/* Merged runs. */
void sync_pairs_write(const struct sync_pairs_accumulator *accumulator,
		      struct merged_writer *writer);
void sync_pairs_read(struct sync_pairs_accumulator *accumulator, const struct merged_input *input);

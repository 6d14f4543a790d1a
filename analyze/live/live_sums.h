/* SPDX-License-Identifier: MIT */
/* Sums by key at two readings, and what they grew by in between.
 *
 * Sums of a profile only ever grow. A reading replaces the one before, so that memory is that of
 * two readings, whatever keys come and go. What was not there at the reading before counts from 0:
 * at the first reading everything is as old as the process. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_VALUES 4

/* What the values of a key are. */
enum live_what {
	LIVE_ROUTINE, /* a: routine; values: CPU time, samples */
	LIVE_WAIT,    /* a: object, b: cause, c: routine, d: line; values: time, waits */
	LIVE_BLAME,   /* the same, but c, d: who kept them waiting; values: time */
	LIVE_MPI,     /* a: name of the call, c: routine, d: line; values: time, calls, bytes */
	LIVE_IO,      /* a: object; values: bytes read, bytes written, calls, waiting time */
	LIVE_WHATS
};

struct live_key {
	uint64_t what, a, b, c, d;
};

struct live_sum {
	struct live_key key;
	uint64_t values[LIVE_VALUES];
	/* rows of the profile of this reading that it was made of: for its name */
	size_t object, callpath, row;
};

struct live_sums;

struct live_sums *live_sums_create(void);
void live_sums_destroy(struct live_sums *sums);

/* Begins a new reading. */
void live_sums_begin(struct live_sums *sums);
/* The sum of this key in the reading that has begun, to be added to. */
struct live_sum *live_sums_at(struct live_sums *sums, const struct live_key *key);

/* The sums of the last reading. growth: of each value; a value that is smaller than before, which
 * only a damaged file or an estimate taken back can make, grew by 0. */
size_t live_sums_count(const struct live_sums *sums);
const struct live_sum *live_sums_row(const struct live_sums *sums, size_t index,
				     uint64_t growth[LIVE_VALUES]);

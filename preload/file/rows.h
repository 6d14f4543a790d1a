/* SPDX-License-Identifier: MIT */
/* Rows of a table in the profile, in the two forms that writers need.
 *
 * row_array: rows with numbers that other rows refer to; any thread adds, nobody removes;
 * lock-free. Row 0 means "none". row_hash: rows of one thread, found by an 8-byte key, which is
 * their first 8 bytes; only that thread writes. When a block fills up, a block four times as large
 * follows and new sums begin there: the reader adds up rows with equal keys. A signal handler of
 * the program may interrupt all of it, find rows itself, and return or not: nothing is damaged. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/store.h"
#include "preload/file/used_rows.h"

enum { SERIES_BLOCKS = 1024 };

struct row_array {
	enum schema_table table;
	uint32_t row_bytes;
	uint32_t rows_per_block;
	uint32_t limit; /* first number that is not given out */
	uint32_t next;  /* atomic: first number never given out; starts at 1 */
	uint32_t made;  /* atomic: blocks from this one on were never asked for */
	struct format_block *blocks[SERIES_BLOCKS]; /* atomic: installed once */
};

/* A new row, zeroed, and its number; NULL at the limit or without space. Any thread, signal
 * handlers. The caller sets the first 8 bytes last, with release. */
void *row_array_add(struct row_array *series, uint32_t *number);

/* The row of a number that row_array_add gave. */
void *row_array_row(const struct row_array *series, uint32_t number);

/* Makes room for the row of that number in advance; false: there is none. */
bool row_array_prepare(struct row_array *series, uint32_t number);

void row_array_reset(struct row_array *series);

struct row_hash {
	/* Where the rows are and, in the lower bits, the logarithm of their number + 1: one word,
	 * so that nobody has the one of a block and the other of the next. 0: none yet. */
	uint64_t place;
	uint32_t used;  /* used_rows.h */
	uint32_t limit; /* largest capacity */
	uint32_t first; /* smallest capacity */
	uint32_t owner;
	uint16_t table;
	uint16_t row_bytes;
};

enum { ROW_HASH_SIZE_BITS = 5 };

static inline uint32_t row_hash_size(uint64_t place)
{
	return place & ((1u << ROW_HASH_SIZE_BITS) - 1);
}

/* 1 also if it has no rows yet. */
static inline uint32_t row_hash_capacity(const struct row_hash *hashed)
{
	uint32_t size = row_hash_size(hashed->place);

	return size ? 1u << (size - 1) : 1;
}

static inline uint32_t row_hash_used(const struct row_hash *hashed)
{
	return used_rows_of(&hashed->used, row_hash_size(hashed->place));
}

void row_hash_prepare(struct row_hash *hashed, enum schema_table table, uint32_t row_bytes,
		      uint32_t owner, uint32_t first, uint32_t limit);

/* The row with that key (never 0), made if need be. If the table is at its limit: the row of
 * `fallback`, for which the last eighth of the table is kept; NULL if there is no room for that
 * either. Own thread only. */
void *row_hash_find(struct row_hash *hashed, uint64_t key, uint64_t fallback);

/* The row with that key if it is there, else NULL. */
void *row_hash_seek(const struct row_hash *hashed, uint64_t key);

/* The same with up to three keys: the last quarter of the table is kept for the second and third,
 * the last eighth for the third, of which there should be few. */
void *row_hash_find_first(struct row_hash *hashed, const uint64_t *keys, unsigned count);

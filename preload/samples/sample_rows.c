/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_rows.h"

#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/stacks/callpath.h"

enum {
	GROWTH = 4,
	ROWS_MOST = 1 << 17,     /* of one table: 3 MiB */
	ALL_ROWS_MOST = 1 << 18, /* of all threads, beyond what each may have in any case: 6 MiB */
	LEVEL_MOST = 65535,      /* of a row */
	OTHERS_SHARE = 32,       /* 1/OTHERS_SHARE of a full table is kept for [other] */
};

static uint32_t granted; /* atomic: of ALL_ROWS_MOST */

void sample_rows_reset(void)
{
	__atomic_store_n(&granted, 0, __ATOMIC_RELAXED);
}

/* The columns callpath, level and cause: state is of the latter two. */
static uint64_t key_of(uint32_t path, uint32_t state)
{
	return path | (uint64_t)state << 32;
}

static uint32_t state_of(uint32_t level, uint32_t cause)
{
	return (level < LEVEL_MOST ? level : LEVEL_MOST) | cause << 16;
}

/* Raises a table's limit, if the rows of all threads together allow it. */
static bool raise_limit(struct row_hash *rows)
{
	uint32_t wanted = rows->limit * GROWTH;

	if (wanted > ROWS_MOST)
		return false;
	if (__atomic_add_fetch(&granted, wanted, __ATOMIC_RELAXED) > ALL_ROWS_MOST) {
		__atomic_fetch_sub(&granted, wanted, __ATOMIC_RELAXED);
		return false;
	}
	rows->limit = wanted;
	return true;
}

/* row_hash_find enlarges a table when three quarters of it are in use. */
static bool is_full(struct row_hash *rows)
{
	uint32_t capacity = row_hash_capacity(rows);

	if (likely(row_hash_used(rows) < capacity - capacity / 4) || capacity == 1)
		return false;
	return store_failure() || (capacity * GROWTH > rows->limit && !raise_limit(rows));
}

static struct row_samples *of_routine(struct row_hash *rows, const struct unwind_path *walk,
				      uint32_t state)
{
	uint32_t routine = callpath_routine(walk);
	uint64_t key = key_of(routine, state);

	if (!routine)
		return NULL;
	uint32_t capacity = row_hash_capacity(rows);

	if (row_hash_used(rows) < capacity - capacity / OTHERS_SHARE)
		return row_hash_find(rows, key, key);
	return row_hash_seek(rows, key);
}

static struct row_samples *of_shorter(const struct row_hash *rows, uint32_t path, uint32_t state)
{
	struct row_samples *row = NULL;

	while (path && !row) {
		path = callpath_parent(path);
		row = path ? row_hash_seek(rows, key_of(path, state)) : NULL;
	}
	return row;
}

__attribute__((noinline)) static struct row_samples *
find_in_full(struct row_hash *rows, const struct unwind_path *walk, uint32_t path, uint32_t state)
{
	struct row_samples *row = row_hash_seek(rows, key_of(path, state));

	if (row)
		return row;
	note_once(NOTE_CALLPATHS_FULL, 0);
	row = of_routine(rows, walk, state);
	if (!row)
		row = of_shorter(rows, path, state);
	if (row)
		return row;
	uint64_t other = key_of(callpath_mark(MARK_OTHER), state);
	store_count_loss();
	return row_hash_find(rows, other, other);
}

struct row_samples *sample_row(struct thread *thread, const struct unwind_path *walk, uint32_t path,
			       uint32_t level, uint32_t cause)
{
	struct row_hash *rows = &thread->samples;
	uint32_t state = state_of(level, cause);

	if (unlikely(is_full(rows)))
		return find_in_full(rows, walk, path, state);
	return row_hash_find(rows, key_of(path, state), key_of(callpath_mark(MARK_OTHER), state));
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/sync/sync_pairs.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/common/names.h"
#include "analyze/tables/merged_input.h"

#include <stdlib.h>

struct shares {
	struct sync_share *rows;
	size_t count, capacity;
};

/* The key of a pair, and its index in the pairs of the row. */
struct pair_entry {
	size_t row, holder, victim, holder_line, victim_line;
	size_t index;
};

struct sync_pairs_accumulator {
	struct names *names;
	struct shares shares[2];     /* of the current profile, by */
	struct keyed_table *entries; /* struct pair_entry */
	struct sync_pairs *by_row;
	size_t row_limit;
};

static struct sync_pairs *find_row(struct sync_pairs_accumulator *accumulator, size_t row)
{
	while (row >= accumulator->row_limit)
		accumulator->by_row =
			memory_grow(accumulator->by_row, accumulator->row_limit,
				    &accumulator->row_limit, sizeof *accumulator->by_row);
	return &accumulator->by_row[row];
}

static struct pair_entry entry_of(const struct sync_pair *pair)
{
	return (struct pair_entry){pair->row,         pair->holder,      pair->victim,
				   pair->holder_line, pair->victim_line, 0};
}

void sync_pairs_add(struct sync_pairs_accumulator *accumulator, const struct sync_pair *pair)
{
	struct sync_pairs *pairs = find_row(accumulator, pair->row);
	struct pair_entry probe = entry_of(pair),
			  *entry = keyed_table_find(accumulator->entries, &probe);
	struct sync_pair added = *pair;

	if (!entry && pairs->count + 1 >= SYNC_PAIRS_MAX) {
		added.holder = added.victim = names_special(accumulator->names, "[other]");
		added.holder_line = added.victim_line = 0;
		probe = entry_of(&added);
		entry = keyed_table_find(accumulator->entries, &probe);
	}
	if (entry) {
		merged_unite(MERGED_sync_pairs, &pairs->rows[entry->index], &added);
		return;
	}
	probe.index = pairs->count;
	keyed_table_enter(accumulator->entries, &probe, NULL);
	pairs->rows = memory_grow(pairs->rows, pairs->count, &pairs->capacity, sizeof *pairs->rows);
	pairs->rows[pairs->count++] = added;
}

/* ---- from shares to pairs */

void sync_pairs_note(struct sync_pairs_accumulator *accumulator, enum sync_side side,
		     const struct sync_share *share)
{
	struct shares *shares = &accumulator->shares[side];

	if (!share->time_ns)
		return;
	shares->rows =
		memory_grow(shares->rows, shares->count, &shares->capacity, sizeof *shares->rows);
	shares->rows[shares->count++] = *share;
}

static int compare_places(const struct sync_share *a, const struct sync_share *b)
{
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static int compare_shares(const void *left, const void *right)
{
	const struct sync_share *a = left, *b = right;
	int order = compare_places(a, b);

	if (order)
		return order;
	if (a->routine != b->routine)
		return a->routine < b->routine ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Shares with equal thread, row and place are merged: their call paths may differ. */
static void unite_shares(struct shares *shares)
{
	size_t kept = 0;

	if (!shares->count)
		return;
	qsort(shares->rows, shares->count, sizeof *shares->rows, compare_shares);
	for (size_t i = 1; i < shares->count; i++)
		if (compare_shares(&shares->rows[kept], &shares->rows[i]))
			shares->rows[++kept] = shares->rows[i];
		else
			shares->rows[kept].time_ns += shares->rows[i].time_ns;
	shares->count = kept + 1;
}

static size_t group_end(const struct shares *shares, size_t begin)
{
	size_t end = begin + 1;

	while (end < shares->count && !compare_places(&shares->rows[begin], &shares->rows[end]))
		end++;
	return end;
}

/* One row, of one thread or of all threads: every holder with every victim. */
static void cross(struct sync_pairs_accumulator *accumulator, const struct sync_share *holders,
		  size_t holder_count, const struct sync_share *victims, size_t victim_count,
		  bool is_one_thread)
{
	double waited_ns = 0;

	for (size_t v = 0; v < victim_count; v++)
		waited_ns += (double)victims[v].time_ns;
	for (size_t h = 0; h < holder_count; h++)
		for (size_t v = 0; v < victim_count; v++) {
			double share = (double)victims[v].time_ns / waited_ns;
			struct sync_pair pair = {
				.row = holders[h].row,
				.holder = holders[h].routine,
				.victim = victims[v].routine,
				.holder_line = holders[h].line,
				.victim_line = victims[v].line,
				.time_ns =
					victim_count == 1
						? holders[h].time_ns
						: number_of_real(
							  (double)holders[h].time_ns * share + 0.5),
				.grade = victim_count == 1 || (holder_count == 1 && is_one_thread)
						 ? GRADE_EXACT
						 : GRADE_ESTIMATED,
			};

			if (pair.time_ns)
				sync_pairs_add(accumulator, &pair);
		}
}

/* Crosses holders and victims with the same thread and row; holders without victims are kept. */
static void match(struct sync_pairs_accumulator *accumulator, struct shares *holders,
		  struct shares *victims, bool is_one_thread)
{
	size_t h = 0, v = 0, kept = 0;

	unite_shares(holders);
	unite_shares(victims);
	while (h < holders->count) {
		int order = v < victims->count
				    ? compare_places(&holders->rows[h], &victims->rows[v])
				    : -1;
		size_t holder_end = group_end(holders, h);
		size_t victim_end = order >= 0 ? group_end(victims, v) : v;

		if (!order)
			cross(accumulator, &holders->rows[h], holder_end - h, &victims->rows[v],
			      victim_end - v, is_one_thread);
		for (size_t i = h; order < 0 && i < holder_end; i++)
			holders->rows[kept++] = holders->rows[i];
		h = order <= 0 ? holder_end : h;
		v = victim_end;
	}
	holders->count = kept;
}

static void forget_threads(struct shares *shares)
{
	for (size_t i = 0; i < shares->count; i++)
		shares->rows[i].thread = 0;
}

/* A thread that is joined records itself what it ran meanwhile: this time has no victim in the same
 * thread, and belongs to all that waited for the object. */
void sync_pairs_close(struct sync_pairs_accumulator *accumulator)
{
	struct shares *holders = &accumulator->shares[SYNC_HOLDER];
	struct shares *victims = &accumulator->shares[SYNC_VICTIM];

	match(accumulator, holders, victims, true);
	forget_threads(holders);
	forget_threads(victims);
	match(accumulator, holders, victims, false);
	holders->count = victims->count = 0;
}

/* ---- the result */

static int compare_pairs(const void *left, const void *right, void *names)
{
	const struct sync_pair *a = left, *b = right;
	int order;

	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? -1 : 1;
	order = names_compare(names, a->holder, b->holder);
	if (!order)
		order = names_compare(names, a->victim, b->victim);
	if (!order)
		order = (a->holder_line > b->holder_line) - (a->holder_line < b->holder_line);
	if (!order)
		order = (a->victim_line > b->victim_line) - (a->victim_line < b->victim_line);
	return order;
}

struct sync_pairs sync_pairs_take(struct sync_pairs_accumulator *accumulator, size_t row)
{
	struct sync_pairs *known = find_row(accumulator, row), pairs = *known;

	if (pairs.count)
		qsort_r(pairs.rows, pairs.count, sizeof *pairs.rows, compare_pairs,
			accumulator->names);
	*known = (struct sync_pairs){0};
	return pairs;
}

struct sync_pairs_accumulator *sync_pairs_create(struct names *names)
{
	struct sync_pairs_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->entries =
		keyed_table_create(sizeof(struct pair_entry), offsetof(struct pair_entry, index));
	return accumulator;
}

void sync_pairs_destroy(struct sync_pairs_accumulator *accumulator)
{
	for (size_t i = 0; i < accumulator->row_limit; i++)
		free(accumulator->by_row[i].rows);
	free(accumulator->by_row);
	free(accumulator->shares[SYNC_HOLDER].rows);
	free(accumulator->shares[SYNC_VICTIM].rows);
	keyed_table_destroy(accumulator->entries);
	free(accumulator);
}

/* ---- merged runs */

void sync_pairs_write(const struct sync_pairs_accumulator *accumulator,
		      struct merged_writer *writer)
{
	for (size_t row = 0; row < accumulator->row_limit; row++)
		for (size_t i = 0; i < accumulator->by_row[row].count; i++)
			merged_writer_add(writer, MERGED_sync_pairs,
					  &accumulator->by_row[row].rows[i]);
}

void sync_pairs_read(struct sync_pairs_accumulator *accumulator, const struct merged_input *input)
{
	struct sync_pair pair;

	for (size_t next = 0; merged_next(input, MERGED_sync_pairs, &next, &pair);)
		sync_pairs_add(accumulator, &pair);
}

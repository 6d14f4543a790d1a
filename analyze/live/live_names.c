/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/live/live_rows.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/sync/sync_object.h"

#include <stdlib.h>
#include <string.h>

const char *live_object_name(struct names *names, const struct profile *profile, size_t index,
			     uint64_t operation)
{
	struct sync_object object =
		sync_object_of(names, profile, index, (enum operation)operation);
	char *text = sync_object_name(&object);
	const char *kept = names_keep(names, text);

	free(text);
	return kept;
}

const char *live_place_name(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct frame *frame = names_user_frame(names, profile, callpath);
	char *text = frame ? names_place_text(names, frame->routine, frame->line) : NULL;
	const char *kept = text ? names_keep(names, text) : NULL;

	free(text);
	return kept;
}

/* By what a row is ranked: time, or bytes and then calls. */
static uint64_t weight(const struct live_row *row)
{
	return row->what == LIVE_IO ? row->values[0] + row->values[1] + row->values[2]
				    : row->values[0];
}

static bool is_grown(const struct live_row *row)
{
	return row->values[0] || row->values[1] || row->values[2] || row->values[3];
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* The largest of a kind first; ties by name, so that the order does not depend on the file. */
static int compare_rows(const void *left, const void *right)
{
	const struct live_row *a = left, *b = right;
	uint64_t heavy = weight(a), other = weight(b);

	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	if (heavy != other)
		return heavy > other ? -1 : 1;
	int order = compare_text(a->name, b->name);

	return order ? order : compare_text(a->place, b->place);
}

/* Who kept the waiters of this wait waiting most in the interval. */
static void find_blamed(const struct live_sums *sums, struct names *names,
			const struct profile *profile, const struct live_key *wait,
			struct live_row *row)
{
	size_t callpath = 0;

	for (size_t i = 0; i < live_sums_count(sums); i++) {
		uint64_t growth[LIVE_VALUES];
		const struct live_sum *sum = live_sums_row(sums, i, growth);

		if (sum->key.what == LIVE_BLAME && sum->key.a == wait->a && sum->key.b == wait->b &&
		    growth[0] > row->blamed_ns) {
			row->blamed_ns = growth[0];
			callpath = sum->callpath;
		}
	}
	row->blamed = live_place_name(names, profile, callpath);
}

static void name_row(const struct live_sums *sums, struct names *names,
		     const struct profile *profile, const struct live_sum *sum,
		     struct live_row *row)
{
	switch (row->what) {
	case LIVE_ROUTINE:
		row->name = names_routine(names, sum->key.a)->name;
		row->place = names_routine(names, sum->key.a)->file;
		break;
	case LIVE_MPI:
		row->name = (const char *)(uintptr_t)sum->key.a;
		row->place = live_place_name(names, profile, sum->callpath);
		break;
	case LIVE_WAIT:
		row->cause = vocabulary_cause(sum->key.b);
		row->place = live_place_name(names, profile, sum->callpath);
		if (sum->object)
			row->name = live_object_name(names, profile, sum->object, sum->row);
		find_blamed(sums, names, profile, &sum->key, row);
		break;
	default:
		row->name = live_object_name(names, profile, sum->object, sum->row);
	}
}

struct candidate {
	struct live_row row;
	const struct live_sum *sum;
};

static int compare_candidates(const void *left, const void *right)
{
	return compare_rows(&((const struct candidate *)left)->row,
			    &((const struct candidate *)right)->row);
}

static void append(struct live_frame *frame, const struct live_row *row)
{
	frame->rows = memory_grow(frame->rows, frame->row_count, &frame->row_capacity,
				  sizeof *frame->rows);
	frame->rows[frame->row_count++] = *row;
}

void live_rows_name(const struct live_sums *sums, struct names *names,
		    const struct profile *profile, size_t most, struct live_frame *frame)
{
	size_t count = 0, of_kind[LIVE_WHATS] = {0};
	struct candidate *grown = memory_allocate(live_sums_count(sums) + 1, sizeof *grown);

	for (size_t i = 0; i < live_sums_count(sums); i++) {
		struct candidate *next = &grown[count];

		next->row = (struct live_row){0};
		next->sum = live_sums_row(sums, i, next->row.values);
		next->row.what = (enum live_what)next->sum->key.what;
		count += next->row.what != LIVE_BLAME && is_grown(&next->row);
	}
	qsort(grown, count, sizeof *grown, compare_candidates);
	for (size_t i = 0; i < count; i++) {
		struct live_row *row = &grown[i].row;

		if (of_kind[row->what]++ >= most) {
			frame->rows_left_out++;
			continue;
		}
		name_row(sums, names, profile, grown[i].sum, row);
		append(frame, row);
	}
	free(grown);
}

/* Texts are kept by the names, so equal ones are the same pointer. */
static bool is_same(const struct live_row *a, const struct live_row *b)
{
	return a->what == b->what && a->name == b->name && a->place == b->place &&
	       a->cause == b->cause;
}

static void unite(struct live_row *into, const struct live_row *from)
{
	for (size_t i = 0; i < LIVE_VALUES; i++)
		into->values[i] += from->values[i];
	if (from->blamed_ns > into->blamed_ns) {
		into->blamed_ns = from->blamed_ns;
		into->blamed = from->blamed;
	}
}

void live_rows_unite(struct live_frame *frame, size_t most)
{
	size_t count = 0, of_kind[LIVE_WHATS] = {0};

	for (size_t i = 0; i < frame->row_count; i++) {
		size_t same = 0;

		while (same < count && !is_same(&frame->rows[same], &frame->rows[i]))
			same++;
		if (same < count)
			unite(&frame->rows[same], &frame->rows[i]);
		else
			frame->rows[count++] = frame->rows[i];
	}
	if (count)
		qsort(frame->rows, count, sizeof *frame->rows, compare_rows);
	frame->row_count = 0;
	for (size_t i = 0; i < count; i++) {
		if (of_kind[frame->rows[i].what]++ < most)
			frame->rows[frame->row_count++] = frame->rows[i];
		else
			frame->rows_left_out++;
	}
}

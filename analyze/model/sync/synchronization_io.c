/* SPDX-License-Identifier: MIT */
/* Calls of input and output (table io_calls of a profile) in the accumulator of synchronization,
 * and to and from merged runs. Their waits are in the table of waits, as all waits are. */
#define _GNU_SOURCE 1
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/sync/synchronization_parts.h"
#include "analyze/tables/merged_input.h"

#include <stdlib.h>

/* A row of the accumulator at a place. */
struct io_call {
	struct merged_io_calls; /* the first three are the key */
};

struct keyed_table *sync_create_io(void)
{
	return keyed_table_create(sizeof(struct io_call), offsetof(struct io_call, calls));
}

static void add_call(struct synchronization_accumulator *accumulator, const struct io_call *call)
{
	bool is_new;
	struct io_call *known = keyed_table_enter(accumulator->io_calls, call, &is_new);

	if (!is_new)
		merged_unite(MERGED_io_calls, known, call);
}

void sync_add_io(struct synchronization_accumulator *accumulator)
{
	const struct profile *profile = accumulator->profile;

	for (size_t i = 0; i < profile->io_calls.count; i++) {
		const struct profile_io_call *from = &profile->io_calls.rows[i];

		if (!from->count) /* all calls moved to the row of their object */
			continue;
		size_t row =
			sync_find_row(accumulator, from->object, (enum operation)from->operation);
		struct sync_site site = sync_site_of(accumulator, from->callpath, 0, 0);
		const struct io_call call = {
			{row, site.routine, site.line, from->count, from->bytes, from->failed}};

		add_call(accumulator, &call);
	}
}

static int compare_callers(const void *left, const void *right, void *names)
{
	const struct io_caller *a = left, *b = right;

	if (a->sums.calls != b->sums.calls)
		return a->sums.calls > b->sums.calls ? -1 : 1;
	if (a->sums.bytes != b->sums.bytes)
		return a->sums.bytes > b->sums.bytes ? -1 : 1;
	if (a->routine != b->routine)
		return names_compare(names, a->routine, b->routine);
	return (a->line > b->line) - (a->line < b->line);
}

/* All calls are in io_calls, those that waited included. A profile that lost rows there still has
 * the waits. */
static void finish_row(struct synchronization_accumulator *accumulator, struct sync_row *row)
{
	struct io_callers *callers = &row->callers;

	if (callers->count)
		qsort_r(callers->rows, callers->count, sizeof *callers->rows, compare_callers,
			accumulator->names);
	if (io_is_io(row->operation) && row->io.calls > row->count)
		row->count = row->io.calls;
}

void sync_finish_io(struct synchronization_accumulator *accumulator)
{
	struct synchronization *result = &accumulator->result;

	for (size_t i = 0; i < keyed_table_count(accumulator->io_calls); i++) {
		const struct io_call *call = keyed_table_row(accumulator->io_calls, i);
		struct sync_row *row = &result->rows[call->row];
		struct io_callers *callers = &row->callers;

		row->io.calls += call->calls;
		row->io.bytes += call->bytes;
		row->io.failed += call->failed;
		callers->rows = memory_grow(callers->rows, callers->count, &callers->capacity,
					    sizeof *callers->rows);
		callers->rows[callers->count++] =
			(struct io_caller){call->routine,
					   (unsigned)call->line,
					   {call->calls, call->bytes, call->failed}};
	}
	for (size_t i = 0; i < result->count; i++)
		finish_row(accumulator, &result->rows[i]);
}

void sync_write_io(const struct synchronization_accumulator *accumulator,
		   struct merged_writer *writer)
{
	for (size_t i = 0; i < keyed_table_count(accumulator->io_calls); i++)
		merged_writer_add(writer, MERGED_io_calls,
				  keyed_table_row(accumulator->io_calls, i));
}

void sync_read_io(struct synchronization_accumulator *accumulator, const struct merged_input *input)
{
	struct io_call call;

	for (size_t next = 0; merged_next(input, MERGED_io_calls, &next, &call);)
		add_call(accumulator, &call);
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/time/call_times.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/tables/merged_input.h"

#include <math.h>
#include <stdlib.h>

struct call_accumulator {
	struct names *names;
	struct keyed_table *rows; /* struct call_time */
};

struct call_accumulator *call_accumulator_create(struct names *names)
{
	struct call_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->rows =
		keyed_table_create(sizeof(struct call_time), offsetof(struct call_time, line));
	return accumulator;
}

static struct call_time *row_of(struct call_accumulator *accumulator, size_t routine, uint64_t line)
{
	const struct call_time probe = {.routine = routine};
	struct call_time *row = keyed_table_enter(accumulator->rows, &probe, NULL);

	if (line)
		row->line = line;
	return row;
}

void call_accumulator_add(struct call_accumulator *accumulator, const struct profile *profile)
{
	for (size_t i = 0; i < profile->calls.count; i++) {
		const struct profile_call *from = &profile->calls.rows[i];
		struct frame frame = names_entry(accumulator->names, profile, from->callpath);
		const struct merged_calls added = {
			.calls = from->count,
			.sequential = from->sequential,
			.open = from->open,
			.untimed = from->untimed,
			.unmatched = from->unmatched,
			.self_ns = from->self_ns,
			.total_ns = from->total_ns,
			.threads = from->threads,
			.started_ns = from->started_ns,
		};

		merged_unite(MERGED_calls, row_of(accumulator, frame.routine, frame.line), &added);
	}
}

void call_accumulator_write(const struct call_accumulator *accumulator,
			    struct merged_writer *writer)
{
	for (size_t i = 0; i < keyed_table_count(accumulator->rows); i++)
		merged_writer_add(writer, MERGED_calls, keyed_table_row(accumulator->rows, i));
}

void call_accumulator_read(struct call_accumulator *accumulator, const struct merged_input *input)
{
	struct merged_calls row;

	for (size_t next = 0; merged_next(input, MERGED_calls, &next, &row);)
		merged_unite(MERGED_calls, row_of(accumulator, row.routine, row.line), &row);
}

static int compare_rows(const void *left, const void *right, void *names)
{
	const struct call_time *a = left, *b = right;

	if (a->self_ns != b->self_ns)
		return a->self_ns > b->self_ns ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return names_compare(names, a->routine, b->routine);
}

static int compare_routines(const void *left, const void *right)
{
	const struct call_time *a = *(const struct call_time *const *)left;
	const struct call_time *b = *(const struct call_time *const *)right;

	return (a->routine > b->routine) - (a->routine < b->routine);
}

const struct call_time *call_times_of(const struct call_times *times, size_t routine)
{
	const struct call_time wanted = {.routine = routine}, *probe = &wanted;
	const struct call_time **found =
		times->count ? bsearch(&probe, times->by_routine, times->count,
				       sizeof *times->by_routine, compare_routines)
			     : NULL;

	return found ? *found : NULL;
}

/* The profiler counts the parts of calls first, and a signal handler may leave it in between. */
static struct call_time bounded(const struct call_time *row)
{
	struct call_time result = *row;

	if (result.sequential > result.calls)
		result.sequential = result.calls;
	if (result.untimed > result.calls)
		result.untimed = result.calls;
	return result;
}

struct call_times call_accumulator_finish(struct call_accumulator *accumulator)
{
	struct call_times times = {.count = keyed_table_count(accumulator->rows)};

	times.rows = memory_allocate(times.count, sizeof *times.rows);
	for (size_t i = 0; i < times.count; i++)
		times.rows[i] = bounded(keyed_table_row(accumulator->rows, i));
	if (times.count)
		qsort_r(times.rows, times.count, sizeof *times.rows, compare_rows,
			accumulator->names);
	times.by_routine = memory_allocate(times.count, sizeof *times.by_routine);
	for (size_t i = 0; i < times.count; i++)
		times.by_routine[i] = &times.rows[i];
	if (times.count)
		qsort(times.by_routine, times.count, sizeof *times.by_routine, compare_routines);
	keyed_table_destroy(accumulator->rows);
	free(accumulator);
	return times;
}

void call_times_clear(struct call_times *times)
{
	free(times->rows);
	free(times->by_routine);
	*times = (struct call_times){0};
}

bool call_time_is_known(const struct call_time *row)
{
	return !row->calls || row->untimed < row->calls;
}

size_t call_times_count_unknown(const struct call_times *times)
{
	size_t unknown = 0;

	for (size_t i = 0; i < times->count; i++)
		unknown += !call_time_is_known(&times->rows[i]);
	return unknown;
}

double call_time_mean_ns(const struct call_time *row)
{
	uint64_t timed = row->calls > row->untimed ? row->calls - row->untimed : 0;

	return timed ? (double)row->total_ns / (double)timed : NAN;
}

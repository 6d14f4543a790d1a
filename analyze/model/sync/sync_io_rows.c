/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/sync_io_rows.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"

#include <math.h>
#include <stdlib.h>

/* The rows are in their order already where waiting and bytes are equal: it breaks all ties. */
static int compare_rows(const void *left, const void *right)
{
	const struct sync_row *a = *(const struct sync_row *const *)left;
	const struct sync_row *b = *(const struct sync_row *const *)right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	if (a->io.bytes != b->io.bytes)
		return a->io.bytes > b->io.bytes ? -1 : 1;
	return (a > b) - (a < b);
}

static void add_row(struct io_rows *all, const struct sync_row *row)
{
	enum io_direction direction = io_direction_of(row->operation);

	all->rows[all->count++] = row;
	all->calls += row->count;
	all->failed += io_row_failed(row);
	all->waits += row->contended;
	all->wait_ns += row->wait_ns;
	if (direction == IO_READ)
		all->bytes_read += row->io.bytes;
	if (direction == IO_WRITTEN)
		all->bytes_written += row->io.bytes;
	if (direction == IO_MOVED)
		all->bytes_moved += row->io.bytes;
}

struct io_rows io_rows_of(const struct synchronization *synchronization)
{
	struct io_rows all = {.rows = memory_allocate(synchronization->count, sizeof *all.rows)};

	for (size_t i = 0; i < synchronization->count; i++)
		if (io_is_io(synchronization->rows[i].operation))
			add_row(&all, &synchronization->rows[i]);
	if (all.count)
		qsort(all.rows, all.count, sizeof *all.rows, compare_rows);
	return all;
}

void io_rows_clear(struct io_rows *rows)
{
	free(rows->rows);
	*rows = (struct io_rows){0};
}

uint64_t io_row_failed(const struct sync_row *row)
{
	return row->io.calls ? row->io.failed : row->failed;
}

double io_row_bytes_per_call(const struct sync_row *row)
{
	return row->io.calls ? (double)row->io.bytes / (double)row->io.calls : NAN;
}

double io_row_mean_wait_ns(const struct sync_row *row)
{
	return row->contended ? (double)row->wait_ns / (double)row->contended : NAN;
}

/* SPDX-License-Identifier: MIT */
/* The rows of synchronization that are input and output (io_direction.h), the most waiting first,
 * then the most bytes, and their sums. Rows of profiles are merged over threads and processes, so
 * the sums of calls, bytes and failed are those of the tables io_calls, to the byte. Context: pure.
 * Times in nanoseconds. */
#pragma once

#include "analyze/model/sync/synchronization.h"

struct io_rows {
	const struct sync_row **rows;
	size_t count;
	uint64_t calls, failed, waits, wait_ns;
	uint64_t bytes_read, bytes_written, bytes_moved;
};

/* The rows belong to the synchronization, the list to the caller. */
struct io_rows io_rows_of(const struct synchronization *synchronization);
void io_rows_clear(struct io_rows *rows);

/* Calls that returned an error. Without a row of calls: those that waited first. */
uint64_t io_row_failed(const struct sync_row *row);
/* NAN: there was no call. */
double io_row_bytes_per_call(const struct sync_row *row);
double io_row_mean_wait_ns(const struct sync_row *row);

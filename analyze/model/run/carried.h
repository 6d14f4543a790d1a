/* SPDX-License-Identifier: MIT */
/* The columns that are carried to every output (preload/file/schema_sums.h), as data: how an output
 * that knows none of them by name finds their values in a row of the model. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct carried_sum {
	const char *shown; /* its name in JSON and CSV */
	const char *unit;  /* "ns", "count", "bytes" */
	size_t offset;     /* in the row */
	bool is_real;      /* a double; otherwise a number of 64 bits */
};

struct carried {
	const struct carried_sum *rows;
	size_t count;
};

/* By the type of the model's row that has them. */
extern const struct carried carried_by_thread;        /* struct profile_thread */
extern const struct carried carried_by_process;       /* the same of its threads: struct process */
extern const struct carried carried_by_sync_row;      /* struct sync_row */
extern const struct carried carried_by_mpi_figures;   /* struct mpi_figures */
extern const struct carried carried_by_mpi_pair;      /* struct mpi_pair */
extern const struct carried carried_by_omp_construct; /* struct omp_construct_row */
extern const struct carried carried_by_omp_task;      /* struct omp_task_row */

bool carried_is_time(const struct carried_sum *sum);
uint64_t carried_number(const struct carried_sum *sum, const void *row);
double carried_real(const struct carried_sum *sum, const void *row);

/* SPDX-License-Identifier: MIT */
/* Which columns of a profile go into which field of the structs of profile.h, as data.
 * Used by profile_read.c alone; a new column that reports want is one line in profile_columns.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PROFILE_COLUMNS_MAX 32

/* How a column's value is taken over: as it is, bounded, or as the index of a row of another table.
 */
enum profile_value {
	VALUE_NUMBER,
	VALUE_TEXT,
	VALUE_BY_CAUSE,  /* CAUSE_LIMIT numbers */
	VALUE_HISTOGRAM, /* PROFILE_BINS numbers */
	VALUE_CAUSE,
	VALUE_OPERATION,
	VALUE_MODULE,
	VALUE_CALLPATH,
	VALUE_THREAD,
	VALUE_OBJECT,
	VALUE_MPI_NAME,
	VALUE_COMMUNICATOR,
	VALUE_OMP_REGION,
	VALUE_OMP_CONSTRUCT,
};

struct profile_column {
	const char *name;
	enum profile_value value;
	size_t field; /* offset in the struct */
};

struct profile_table {
	const char *name;
	size_t rows, count; /* offsets in struct profile */
	size_t element_bytes;
	bool is_addressable; /* others refer to its rows by number */
	bool is_summary;     /* read even where a summary is enough */
	bool has_thread; /* its blocks belong to threads; the struct's first field is the thread */
	const struct profile_column *columns;
	size_t column_count;
};

extern const struct profile_table profile_process_table;
extern const struct profile_table profile_tables[];
extern const size_t profile_table_count;

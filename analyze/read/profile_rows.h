/* SPDX-License-Identifier: MIT */
/* Rows of a profile's tables as the structs of profile.h: texts and numbers copied, numbers of
 * other tables' rows translated to indices, and checked. For profile_read.c. Context: pure. */
#pragma once

#include "analyze/read/profile.h"
#include "analyze/read/profile_columns.h"

/* Sets the rows of the table: as they are numbered, or those of equal keys united. */
void profile_rows_read(struct profile *profile, const struct profile_table *target);
/* The latter, of a table that the profile has no place for; rows are released by the caller, and
 * stay as they are if the file has none. */
void profile_rows_unite(struct profile *profile, const struct profile_table *target, char **rows,
			size_t *count);
/* Each row of the file by itself, in a struct that is used again. */
void profile_rows_each(struct profile *profile, const struct profile_table *target,
		       void (*visit)(void *data, const void *row), void *data);

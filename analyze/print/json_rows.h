/* SPDX-License-Identifier: MIT */
/* JSON as a table, for formats without nesting: a list of objects has a column for each key,
 * "waits.mutex" for a key of a nested object; a list inside a row is one value.
 *
 * A zeroed struct is the empty table. Context: pure. */
#pragma once

#include <json-c/json.h>
#include <stddef.h>

struct json_rows {
	char **paths; /* of the columns, in the order in which they were first met; "" for a plain
			 value */
	struct json_object **cells; /* of the row that was taken last; NULL: unknown or missing */
	size_t count, capacity, cell_capacity;
	size_t next; /* where the next key of this row is expected */
};

/* To be called for all rows first, since rows may differ in their keys. */
void json_rows_add_columns(struct json_rows *rows, struct json_object *row);
void json_rows_take(struct json_rows *rows, struct json_object *row);
void json_rows_clear(struct json_rows *rows);

/* Visits every value that is neither an object nor a list, with its path: "levels.0.seconds". */
typedef void json_leaf(void *data, const char *path, struct json_object *value);
void json_walk(struct json_object *value, json_leaf *visit, void *data);

/* SPDX-License-Identifier: MIT */
#include "analyze/print/json_rows.h"

#include "analyze/base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values by their path */

static char *join(const char *prefix, const char *key)
{
	return *prefix ? memory_print("%s.%s", prefix, key) : memory_copy_text(key);
}

static void walk(struct json_object *value, const char *path, bool with_lists, json_leaf *visit,
		 void *data);

static void walk_list(struct json_object *list, const char *path, json_leaf *visit, void *data)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		char number[24];

		snprintf(number, sizeof number, "%zu", i);
		char *inner = join(path, number);

		walk(json_object_array_get_idx(list, i), inner, true, visit, data);
		free(inner);
	}
}

static void walk(struct json_object *value, const char *path, bool with_lists, json_leaf *visit,
		 void *data)
{
	if (with_lists && json_object_is_type(value, json_type_array)) {
		walk_list(value, path, visit, data);
		return;
	}
	if (!json_object_is_type(value, json_type_object)) {
		visit(data, path, value);
		return;
	}
	json_object_object_foreach(value, key, member)
	{
		char *inner = join(path, key);

		walk(member, inner, with_lists, visit, data);
		free(inner);
	}
}

/* Nearly always all rows have the same keys in the same order. */
static size_t find_column(struct json_rows *rows, const char *path)
{
	if (rows->next < rows->count && !strcmp(rows->paths[rows->next], path))
		return rows->next++;
	for (size_t i = 0; i < rows->count; i++)
		if (!strcmp(rows->paths[i], path))
			return rows->next = i + 1, i;
	return rows->count;
}

static void add_column(void *data, const char *path, struct json_object *value)
{
	struct json_rows *rows = data;

	(void)value;
	if (find_column(rows, path) < rows->count)
		return;
	rows->paths = memory_grow(rows->paths, rows->count, &rows->capacity, sizeof *rows->paths);
	rows->cells =
		memory_grow(rows->cells, rows->count, &rows->cell_capacity, sizeof *rows->cells);
	rows->paths[rows->count++] = memory_copy_text(path);
}

static void set_cell(void *data, const char *path, struct json_object *value)
{
	struct json_rows *rows = data;

	rows->cells[find_column(rows, path)] = value;
}

void json_rows_add_columns(struct json_rows *rows, struct json_object *row)
{
	rows->next = 0;
	walk(row, "", false, add_column, rows);
}

void json_rows_take(struct json_rows *rows, struct json_object *row)
{
	memset(rows->cells, 0, rows->count * sizeof *rows->cells);
	rows->next = 0;
	walk(row, "", false, set_cell, rows);
}

void json_rows_clear(struct json_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->paths[i]);
	free(rows->paths);
	free(rows->cells);
	*rows = (struct json_rows){0};
}

void json_walk(struct json_object *value, json_leaf *visit, void *data)
{
	walk(value, "", true, visit, data);
}

/* SPDX-License-Identifier: MIT */
/* A value of the JSON report as comma-separated values (RFC 4180, lines end in \n).
 *
 * A list of objects is a table: a column for each key, "waits.mutex" for a key of an object inside.
 * A list of texts is a table of one column, an object one of the columns name and value, with
 * "levels.0.seconds" for the parts of a list. The unknown is an empty cell; a list inside a row is
 * its JSON. Context: pure but for `out`. */
#pragma once

#include <json-c/json.h>
#include <stddef.h>
#include <stdio.h>

/* top: rows at most, 0: all. columns: the first line where there is no row to take it from; a value
 * of NULL has none. */
void csv_print(FILE *out, struct json_object *value, size_t top, const char *columns);

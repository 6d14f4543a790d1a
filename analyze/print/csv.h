/* SPDX-License-Identifier: MIT */
/* A value of the JSON report as comma-separated values (RFC 4180, but lines end in \n).
 *
 * A list of objects is a table with a column for each key, "waits.mutex" for a key of a nested
 * object. A list of texts is a table of one column; an object is a table with the columns name and
 * value, in which the elements of lists are named like "levels.0.seconds". An unknown value is an
 * empty cell; a list inside a row is written as JSON. Context: pure but for `out`. */
#pragma once

#include <json-c/json.h>
#include <stddef.h>
#include <stdio.h>

/* top: rows at most, 0: all. columns: the header line if there are no rows to take it from; if
 * value is NULL there are none. */
void csv_print(FILE *out, struct json_object *value, size_t top, const char *columns);

/* SPDX-License-Identifier: MIT */
/* Rows of one table merged by the rules that its columns state: rows of equal keys become one row,
 * and of its values the sum, the smallest, largest, first or last is kept. Knows no table by name.
 *
 * The key is made of all columns with the merge rule `key`, and the owner. Numbers that refer to
 * other tables or to strings are compared as they are: rows of different files must be translated
 * to common numbers before they are added here. Context: pure. Rows are copied; memory is
 * proportional to the number of different keys. */
#pragma once

#include "analyze/tables/schema_parse.h"

struct row_set;

struct row_set *row_set_create(const struct table_schema *schema);
void row_set_destroy(struct row_set *set);
void row_set_add(struct row_set *set, const unsigned char *row, uint32_t owner);

size_t row_set_count(const struct row_set *set);
/* Row number `index` in the order of first appearance. */
const unsigned char *row_set_row(const struct row_set *set, size_t index, uint32_t *owner);

/* SPDX-License-Identifier: MIT */
/* Rows of one table united by the rules that its own columns state: equal keys are one row, values
 * are added, or the smallest, largest, first or last is kept. Knows no table by name.
 *
 * A key is every column of merge rule `key`, and the owner. Numbers that refer to other tables or
 * to strings are compared as they are: rows of different files must be translated to common numbers
 * before they are added here. Context: pure. Rows are copied; memory is proportional to the
 * different keys. */
#pragma once

#include "analyze/tables/schema_text.h"

struct row_set;

struct row_set *row_set_create(const struct table_schema *schema);
void row_set_destroy(struct row_set *set);
void row_set_add(struct row_set *set, const unsigned char *row, uint32_t owner);

size_t row_set_count(const struct row_set *set);
/* Row number `index` in the order of first appearance. */
const unsigned char *row_set_row(const struct row_set *set, size_t index, uint32_t *owner);

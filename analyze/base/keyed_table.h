/* SPDX-License-Identifier: MIT */
/* Rows that are found by a key, and numbered in the order in which they were added.
 *
 * A lookup takes a probe: a row of which only the key is read. keyed_table_enter and
 * keyed_table_number copy it into the table if no row has its key yet. The table owns its rows, and
 * a row does not move while the table exists; everything but its key may be changed. Context:
 * everything in analyze/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct keyed_table;

/* The key is the first key_bytes bytes of a row, and has no padding. */
struct keyed_table *keyed_table_create(size_t row_bytes, size_t key_bytes);
/* The key is whatever both functions look at; both are given rows. */
struct keyed_table *keyed_table_create_by(size_t row_bytes, unsigned (*hash)(const void *row),
					  bool (*are_equal)(const void *a, const void *b));
void keyed_table_destroy(struct keyed_table *table); /* NULL: nothing */

/* NULL: no row has the key. */
void *keyed_table_find(const struct keyed_table *table, const void *probe);
/* is_new may be NULL. */
void *keyed_table_enter(struct keyed_table *table, const void *probe, bool *is_new);
/* The number of the row. If the row is new, its number is what the count was before. */
size_t keyed_table_number(struct keyed_table *table, const void *probe);

size_t keyed_table_count(const struct keyed_table *table);
void *keyed_table_row(const struct keyed_table *table, size_t number);

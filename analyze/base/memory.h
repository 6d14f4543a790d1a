/* SPDX-License-Identifier: MIT */
/* Allocation that cannot fail: if there is no memory the program ends with one line and status 2,
 * as half a report is of no use.
 *
 * Context: everything in analyze/. Blocks are released with free(). */
#pragma once

#include <stddef.h>

/* Zeroed memory for count elements. */
void *memory_allocate(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
char *memory_copy_text(const char *text) __attribute__((malloc, returns_nonnull));
char *memory_print(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

/* Makes room for one more element after `count`; returns the array, which may have moved. New
 * memory is zeroed. */
void *memory_grow(void *array, size_t count, size_t *capacity, size_t size);

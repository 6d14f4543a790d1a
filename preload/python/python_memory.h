/* SPDX-License-Identifier: MIT */
/* Reads of the interpreter's memory, from a signal handler that may have interrupted it in the
 * middle of any change: a pointer may lead anywhere. So the kernel is asked for each page, once for
 * each walk. Own thread, any context. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PYTHON_PAGES = 64 };

/* Pages that were found to be readable in this walk; zeroed at its begin. */
struct python_memory {
	uint64_t pages[PYTHON_PAGES];
};

/* Whether `bytes` (at least 1) from that address on can be read. */
bool python_may_read(struct python_memory *memory, uint64_t address, size_t bytes);

/* The values at an address; 0: it is not aligned, or cannot be read. */
uint64_t python_word(struct python_memory *memory, uint64_t address);
uint32_t python_half(struct python_memory *memory, uint64_t address);

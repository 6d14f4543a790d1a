/* SPDX-License-Identifier: MIT */
/* Reads of the interpreter's memory, from a signal handler that may have interrupted it in the
 * middle of any change: a pointer may lead anywhere. So the kernel is asked for each page, once for
 * each walk. Own thread, any context. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PYTHON_PAGES = 64,
	PYTHON_NAME_BYTES = 512,
	PYTHON_FILE_BYTES = 1024,
};

/* For the texts of a code object, which the stack of a handler may have no room for. */
struct python_texts {
	char name[PYTHON_NAME_BYTES], file[PYTHON_FILE_BYTES];
};

/* Of one walk. */
struct python_memory {
	uint64_t pages[PYTHON_PAGES]; /* that were found to be readable; zeroed at its begin */
	struct python_texts *texts;   /* scratch memory; NULL: code objects are not asked for */
};

/* Whether `bytes` (at least 1) from that address on can be read. */
bool python_may_read(struct python_memory *memory, uint64_t address, size_t bytes);

/* The values at an address; 0: it is not aligned, or cannot be read. */
uint64_t python_word(struct python_memory *memory, uint64_t address);
uint32_t python_half(struct python_memory *memory, uint64_t address);

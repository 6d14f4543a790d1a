/* SPDX-License-Identifier: MIT */
/* Line tables of CPython's code objects. Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "preload/python/python_layout.h"

enum { PYTHON_TABLE_MOST = 1 << 14 }; /* bytes of a table that are read */

/* The line of an instruction, which begins `offset` bytes behind the first one. A table that ends
 * before it, or is none, gives the last line that it had; at worst `first`, that of the code. */
uint32_t python_line(enum python_table table, const uint8_t *bytes, size_t count, uint32_t first,
		     uint64_t offset);

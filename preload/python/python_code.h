/* SPDX-License-Identifier: MIT */
/* Code objects of Python as rows of the table `python_code`: what has the same name, file and first
 * line is one row, whichever object it is. A place of Python code is such a row and a line
 * (callpath.h). Any thread, signal handlers; lock-free, only grows.
 *
 * A code object's memory may be another one's later. So each time it is met a sum is made of what
 * it consists of (its texts with their hashes, its lines), and rows and lines that were found are
 * remembered by such sums: of the 52 bits that are compared, two in a program's life hardly ever
 * agree by chance. */
#pragma once

#include <stdint.h>

#include "preload/python/python_find.h"
#include "preload/python/python_memory.h"

/* The place of an instruction in a code object: instruction is its address, or before 3.11 its
 * number or offset. 0: there is no code object. */
uint64_t python_code_place(const struct python_runtime *runtime, struct python_memory *memory,
			   uint64_t code, uint64_t instruction);

/* Start-up and fork child. */
void python_code_reset(void);

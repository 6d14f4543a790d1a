/* SPDX-License-Identifier: MIT */
/* Is an instruction atomic, or the one behind an atomic one? An interrupt that comes while a
 * processor waits for the line of memory of an atomic instruction is taken when that is done: a
 * sample shows the next instruction.
 *
 * x86-64: the prefix lock, and exchanges with memory. What precedes an instruction cannot be
 * decoded backwards: any bytes that form an atomic instruction which ends there are taken for one;
 * few others look like that. AArch64: the atomic instructions of ARMv8.1, and exclusive loads and
 * stores. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* code: machine code; at: where an instruction begins in it. */
bool atomic_code_x86(const unsigned char *code, size_t size, size_t at);
bool atomic_code_arm(const unsigned char *code, size_t size, size_t at);

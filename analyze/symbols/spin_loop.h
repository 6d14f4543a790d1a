/* SPDX-License-Identifier: MIT */
/* Is a place in machine code within a loop that does nothing but wait?
 *
 * Such a loop has no effect but to end: it reads memory, compares and jumps back; it writes no
 * memory (but for an exchange, which is how a spinlock is taken) and calls nothing, and each time
 * around it finds the registers that it reads as the last time, since whatever it writes to one is
 * read behind that only. So nothing that it does itself can end it: another thread has to change
 * the memory. A loop over data moves a pointer, counts or adds up, and is none.
 *
 * Known are the instructions of x86-64 that compilers make of such loops; with any other one the
 * answer is no. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* code: of x86-64, at: where an instruction begins in it. */
bool spin_loop_holds(const unsigned char *code, size_t size, size_t at);

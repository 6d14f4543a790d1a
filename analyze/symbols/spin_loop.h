/* SPDX-License-Identifier: MIT */
/* Is an instruction part of a loop that does nothing but wait?
 *
 * Such a loop has no effect but to end: it reads memory, compares and jumps back. It writes no
 * memory (but for an exchange, which is how a spinlock is taken) and calls nothing, and every
 * register that it reads holds the same value in each iteration, since whatever the loop writes to
 * a register is read only after that. So the loop cannot end itself: another thread has to change
 * the memory. A loop over data moves a pointer, counts or adds up, and is no such loop.
 *
 * The decoder knows the instructions of x86-64 that compilers use in such loops; with any other
 * instruction the answer is no. Capstone 4 was tried in its place: it says that cmpxchg changes no
 * flags and no accumulator, that setcc reads its memory, and that test writes it, so that loops
 * which compute were taken for waiting, and loops that wait were not. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* code: x86-64 machine code; at: where an instruction begins in it. */
bool spin_loop_holds(const unsigned char *code, size_t size, size_t at);

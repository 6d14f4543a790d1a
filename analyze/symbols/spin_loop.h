/* SPDX-License-Identifier: MIT */
/* Is an instruction part of a loop that does nothing but wait? x86-64 and AArch64.
 *
 * Such a loop has no effect but to end: it reads memory, compares and jumps back. It writes no
 * memory (but for an exchange, which is how a spinlock is taken) and calls nothing, and every
 * register that it reads holds the same value in each iteration, since whatever the loop writes to
 * a register is read only after that. So the loop cannot end itself: another thread has to change
 * the memory. A loop over data moves a pointer, counts or adds up, and is no such loop.
 *
 * With an instruction that spin_code.h does not know the answer is no. Context: as there. */
#pragma once

#include "analyze/symbols/symbol_file.h"

/* At code->at an instruction begins. */
bool spin_loop_holds(const struct symbol_code *code);

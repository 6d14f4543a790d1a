/* SPDX-License-Identifier: MIT */
/* The instructions of loops that wait: what compilers use there, of x86-64 and of AArch64. Context:
 * as machine_code.h. */
#pragma once

#include "analyze/symbols/machine_code.h"

struct spin_instruction {
	size_t length; /* 0: one that such a loop does not have */
	struct machine_registers uses;
	bool is_load;
	bool is_jump, is_conditional;
	int64_t target; /* of a jump: offset in the code */
};

/* Of the instruction that begins at this offset. */
struct spin_instruction spin_code_at(const struct symbol_code *code, size_t at);

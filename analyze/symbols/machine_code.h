/* SPDX-License-Identifier: MIT */
/* Single instructions of machine code, decoded by Capstone: x86-64 and AArch64.
 *
 * Context: one thread; pure but for the decoders, which are opened when they are needed first. */
#pragma once

#include "analyze/symbols/symbol_file.h"

#include <capstone/capstone.h>
#include <stdint.h>

/* The instruction that begins at this offset of the code, which is its address, and so that from
 * which its jump is told. NULL: none, or one that Capstone does not know. It holds until the next
 * call. */
const cs_insn *machine_code_decode(const struct symbol_code *code, size_t at);

/* General registers that an instruction reads and writes, parts of one included: 1 << number. */
struct machine_registers {
	uint32_t reads, writes;
	bool reads_flags, sets_flags;
};

/* False: it has others as well. */
bool machine_code_registers(const struct symbol_code *code, const cs_insn *instruction,
			    struct machine_registers *registers);

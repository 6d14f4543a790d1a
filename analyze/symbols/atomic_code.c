/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/atomic_code.h"

#include "analyze/symbols/machine_code.h"

/* ---- x86-64 */

#define SHORTEST_X86 2 /* xchg [rax], eax */
#define LONGEST_X86                                                                                \
	13 /* lock, 66, rex, opcode of two bytes, ModR/M, SIB, 4 of address, 2 of data */

static bool has_memory(const cs_x86 *detail)
{
	for (size_t i = 0; i < detail->op_count; i++)
		if (detail->operands[i].type == X86_OP_MEM)
			return true;
	return false;
}

/* Bytes of the atomic instruction that begins there; 0: another one. */
static size_t x86_length(const struct symbol_code *code, size_t at)
{
	const cs_insn *told = machine_code_decode(code, at);

	if (!told || !has_memory(&told->detail->x86))
		return 0;
	bool is_locked = told->detail->x86.prefix[0] == X86_PREFIX_LOCK;

	return is_locked || told->id == X86_INS_XCHG ? told->size : 0;
}

static bool holds_x86(const struct symbol_code *code)
{
	if (x86_length(code, code->at))
		return true;
	for (size_t back = SHORTEST_X86; back <= LONGEST_X86 && back <= code->at; back++)
		if (x86_length(code, code->at - back) == back)
			return true;
	return false;
}

/* ---- AArch64 ("Arm Architecture Reference Manual", loads and stores); Capstone 4 does not know
 * those of ARMv8.1 */

#define ARM_BYTES 4

static uint32_t arm_instruction(const unsigned char *code, size_t at)
{
	return (uint32_t)code[at] | (uint32_t)code[at + 1] << 8 | (uint32_t)code[at + 2] << 16 |
	       (uint32_t)code[at + 3] << 24;
}

static bool is_arm_atomic(uint32_t instruction)
{
	if ((instruction & 0x3ffffc00) == 0x38bfc000) /* ldapr only loads */
		return false;
	return (instruction & 0x3f200c00) == 0x38200000 || /* ldadd, ..., swp */
	       (instruction & 0x3fa07c00) == 0x08a07c00 || /* cas */
	       (instruction & 0x3f800000) == 0x08000000;   /* ldxr, stxr; casp */
}

static bool holds_arm(const struct symbol_code *code)
{
	size_t at = code->at;

	if (at % ARM_BYTES || at + ARM_BYTES > code->size)
		return false;
	return is_arm_atomic(arm_instruction(code->bytes, at)) ||
	       (at && is_arm_atomic(arm_instruction(code->bytes, at - ARM_BYTES)));
}

bool atomic_code_holds(const struct symbol_code *code)
{
	return code->machine == EM_X86_64 ? holds_x86(code)
					  : code->machine == EM_AARCH64 && holds_arm(code);
}

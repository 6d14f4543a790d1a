/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/atomic_code.h"

#include <stdint.h>

/* ---- x86-64 (Intel, "Software Developer's Manual", volume 2, lock and xchg) */

#define SHORTEST_X86 2 /* xchg [rax], eax */
#define LONGEST_X86                                                                                \
	13 /* lock, 66, rex, opcode of two bytes, ModR/M, SIB, 4 of address, 2 of data */

struct cursor {
	const unsigned char *code;
	size_t size, at;
};

static unsigned next(struct cursor *cursor)
{
	return cursor->at < cursor->size ? cursor->code[cursor->at++] : (cursor->at++, 0u);
}

/* ModR/M and what belongs to it; false: a register, with which no instruction is atomic. number: of
 * the field reg. */
static bool skip_memory(struct cursor *cursor, unsigned *number)
{
	unsigned byte = next(cursor), mode = byte >> 6, low = byte & 7;

	*number = byte >> 3 & 7;
	if (low == 4)
		low = next(cursor) & 7;
	cursor->at += mode == 1 ? 1 : mode == 2 || (!mode && low == 5) ? 4 : 0;
	return mode != 3;
}

/* bts, btr, btc, cmpxchg, xadd; with a constant: the first three, from number 5 on. */
static bool skip_further(struct cursor *cursor)
{
	unsigned opcode = next(cursor), number;
	bool is_memory = skip_memory(cursor, &number);

	cursor->at += opcode == 0xba;
	switch (opcode) {
	case 0xab:
	case 0xb0:
	case 0xb1:
	case 0xb3:
	case 0xbb:
	case 0xc0:
	case 0xc1:
		return is_memory;
	case 0xba:
		return is_memory && number >= 5;
	case 0xc7: /* cmpxchg16b */
		return is_memory && number == 1;
	default:
		return false;
	}
}

/* add, or, ..., xor with a register; the same with a constant; not, neg; inc, dec. */
static bool skip_simple(struct cursor *cursor, unsigned opcode, bool is_wide)
{
	unsigned number;
	bool is_memory = skip_memory(cursor, &number);

	if (opcode == 0x80 || opcode == 0x83 || opcode == 0x81) {
		cursor->at += opcode != 0x81 ? 1 : is_wide ? 2 : 4;
		return is_memory && number != 7;
	}
	if (opcode == 0xf6 || opcode == 0xf7)
		return is_memory && (number == 2 || number == 3);
	if (opcode == 0xfe || opcode == 0xff)
		return is_memory && number <= 1;
	return is_memory && opcode < 0x38 && (opcode & 7) <= 1;
}

/* Bytes of the atomic instruction that begins there; 0: another one. */
static size_t x86_length(const unsigned char *code, size_t size, size_t at)
{
	struct cursor cursor = {code, size, at};
	unsigned opcode = next(&cursor), number;
	bool is_locked = false, is_wide = false, is_atomic;

	for (; opcode == 0xf0 || opcode == 0x66; opcode = next(&cursor)) {
		is_locked |= opcode == 0xf0;
		is_wide |= opcode == 0x66;
	}
	if (opcode >= 0x40 && opcode <= 0x4f)
		opcode = next(&cursor);
	if (opcode == 0x86 || opcode == 0x87)
		is_atomic = skip_memory(&cursor, &number);
	else if (opcode == 0x0f)
		is_atomic = is_locked && skip_further(&cursor);
	else
		is_atomic = is_locked && skip_simple(&cursor, opcode, is_wide);
	return is_atomic && cursor.at <= size ? cursor.at - at : 0;
}

bool atomic_code_x86(const unsigned char *code, size_t size, size_t at)
{
	if (x86_length(code, size, at))
		return true;
	for (size_t back = SHORTEST_X86; back <= LONGEST_X86 && back <= at; back++)
		if (x86_length(code, size, at - back) == back)
			return true;
	return false;
}

/* ---- AArch64 ("Arm Architecture Reference Manual", loads and stores) */

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

bool atomic_code_arm(const unsigned char *code, size_t size, size_t at)
{
	if (at % ARM_BYTES || at + ARM_BYTES > size)
		return false;
	return is_arm_atomic(arm_instruction(code, at)) ||
	       (at && is_arm_atomic(arm_instruction(code, at - ARM_BYTES)));
}

/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/spin_loop.h"

#include <stdint.h>

/* ---- instructions (Intel, "Software Developer's Manual", volume 2, appendix A) */

#define LOOP_BYTES        64
#define LOOP_INSTRUCTIONS 16

struct instruction {
	size_t length;          /* 0: unknown, or an instruction that such a loop does not have */
	unsigned reads, writes; /* registers, 1 << number */
	bool is_load;
	bool sets_flags, reads_flags;
	bool is_jump, is_conditional;
	int32_t by; /* of a jump: from its end */
};

struct cursor {
	const unsigned char *code;
	size_t size, at;
	unsigned rex;
	bool is_wide_operand; /* prefix 66 */
	bool is_locked;
};

static unsigned next(struct cursor *cursor)
{
	return cursor->at < cursor->size ? cursor->code[cursor->at++] : (cursor->at++, 0u);
}

static int32_t next_signed(struct cursor *cursor, size_t bytes)
{
	uint32_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value |= (uint32_t)next(cursor) << (8 * i);
	return bytes == 1 ? (int8_t)value : (int32_t)value;
}

/* ModR/M and the bytes that belong to it. */
struct operands {
	bool is_memory;
	unsigned number;  /* of the field reg: a register, or more of the opcode */
	unsigned other;   /* register, unless it is memory */
	unsigned address; /* registers of the address, 1 << number */
};

static unsigned base_with_index(struct cursor *cursor, unsigned mode)
{
	unsigned sib = next(cursor), registers = 0;
	unsigned index = (sib >> 3 & 7) | (cursor->rex & 2) << 2;
	unsigned base = (sib & 7) | (cursor->rex & 1) << 3;

	if (index != 4)
		registers |= 1u << index;
	if ((base & 7) == 5 && !mode)
		cursor->at += 4;
	else
		registers |= 1u << base;
	return registers;
}

static struct operands operands_of(struct cursor *cursor)
{
	unsigned byte = next(cursor), mode = byte >> 6, low = byte & 7;
	struct operands found = {.is_memory = mode != 3,
				 .number = (byte >> 3 & 7) | (cursor->rex & 4) << 1,
				 .other = low | (cursor->rex & 1) << 3};

	if (!found.is_memory)
		return found;
	if (low == 4)
		found.address = base_with_index(cursor, mode);
	else if (!mode && low == 5)
		cursor->at += 4; /* relative to the instruction */
	else
		found.address = 1u << found.other;
	cursor->at += mode == 1 ? 1 : mode == 2 ? 4 : 0;
	return found;
}

static void read_operand(struct instruction *found, const struct operands *operands)
{
	found->is_load |= operands->is_memory;
	found->reads |= operands->is_memory ? operands->address : 1u << operands->other;
}

/* What an opcode does with its operands: to the register of the field reg, or to the other one. */
enum effect {
	NONE,
	LOAD,       /* reg = other */
	STORE,      /* other = reg; no memory */
	COMPARE,    /* flags */
	INTO_REG,   /* reg = reg and other, with flags */
	INTO_OTHER, /* other = other and reg; no memory */
	EXCHANGE,   /* both; memory as well */
	ADDRESS,    /* reg = address */
};

static enum effect effect_of(unsigned opcode)
{
	switch (opcode) {
	case 0x8a:
	case 0x8b:
	case 0x63:
		return LOAD;
	case 0x88:
	case 0x89:
		return STORE;
	case 0x38:
	case 0x39:
	case 0x3a:
	case 0x3b:
	case 0x84:
	case 0x85:
		return COMPARE;
	case 0x02:
	case 0x03:
	case 0x0a:
	case 0x0b:
	case 0x22:
	case 0x23:
	case 0x2a:
	case 0x2b:
	case 0x32:
	case 0x33:
		return INTO_REG;
	case 0x00:
	case 0x01:
	case 0x08:
	case 0x09:
	case 0x20:
	case 0x21:
	case 0x28:
	case 0x29:
	case 0x30:
	case 0x31:
		return INTO_OTHER;
	case 0x86:
	case 0x87:
		return EXCHANGE;
	case 0x8d:
		return ADDRESS;
	default:
		return NONE;
	}
}

static bool apply(struct instruction *found, enum effect effect, const struct operands *operands,
		  bool is_clearing)
{
	unsigned reg = 1u << operands->number;
	unsigned other = operands->is_memory ? 0 : 1u << operands->other;

	found->sets_flags = effect == COMPARE || effect == INTO_REG || effect == INTO_OTHER;
	found->writes = effect == STORE || effect == INTO_OTHER ? other : reg;
	if (effect == COMPARE)
		found->writes = 0;
	if (effect == EXCHANGE)
		found->writes = reg | other;
	if (operands->is_memory && (effect == STORE || effect == INTO_OTHER))
		return false;
	if (is_clearing && !operands->is_memory && reg == other)
		return true; /* xor r, r: a constant */
	if (effect == ADDRESS)
		found->reads |= operands->address;
	else if (effect != STORE)
		read_operand(found, operands);
	if (effect != LOAD && effect != ADDRESS)
		found->reads |= reg;
	return true;
}

static bool with_operands(struct cursor *cursor, unsigned opcode, struct instruction *found)
{
	enum effect effect = effect_of(opcode);

	if (effect == NONE)
		return false;
	struct operands operands = operands_of(cursor);

	return apply(found, effect, &operands, opcode >= 0x30 && opcode <= 0x33);
}

/* Compare, and, or, ... with a constant: the field reg says which. */
static bool with_constant(struct cursor *cursor, unsigned opcode, struct instruction *found)
{
	struct operands operands = operands_of(cursor);
	bool is_compare = (operands.number & 7) == 7;

	cursor->at += opcode != 0x81 ? 1 : cursor->is_wide_operand ? 2 : 4;
	read_operand(found, &operands);
	found->sets_flags = true;
	found->writes = is_compare ? 0 : 1u << operands.other;
	return is_compare || !operands.is_memory;
}

static bool test_constant(struct cursor *cursor, unsigned opcode, struct instruction *found)
{
	struct operands operands = operands_of(cursor);

	cursor->at += opcode == 0xf6 ? 1 : cursor->is_wide_operand ? 2 : 4;
	read_operand(found, &operands);
	found->sets_flags = true;
	return (operands.number & 7) < 2;
}

static bool set_constant(struct cursor *cursor, unsigned opcode, struct instruction *found)
{
	if (opcode == 0xc7) {
		struct operands operands = operands_of(cursor);

		cursor->at += 4;
		found->writes = 1u << operands.other;
		return !operands.is_memory && !(operands.number & 7) && !cursor->is_wide_operand;
	}
	found->writes = 1u << ((opcode & 7) | (cursor->rex & 1) << 3);
	cursor->at += opcode < 0xb8 ? 1 : cursor->rex & 8 ? 8 : cursor->is_wide_operand ? 2 : 4;
	return true;
}

static bool jump(struct cursor *cursor, size_t bytes, bool is_conditional,
		 struct instruction *found)
{
	found->is_jump = true;
	found->is_conditional = found->reads_flags = is_conditional;
	found->by = next_signed(cursor, bytes);
	return true;
}

/* Opcodes of two bytes. */
static bool further(struct cursor *cursor, struct instruction *found)
{
	unsigned opcode = next(cursor);

	if (opcode >= 0x80 && opcode <= 0x8f)
		return jump(cursor, 4, true, found);
	struct operands operands = operands_of(cursor);

	switch (opcode) {
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf: /* movzx, movsx */
		return apply(found, LOAD, &operands, false);
	case 0xb0:
	case 0xb1: /* cmpxchg, by which a lock is taken */
		found->reads = 1u | 1u << operands.number;
		read_operand(found, &operands);
		found->writes = 1u;
		found->sets_flags = true;
		return cursor->is_locked && operands.is_memory;
	case 0x1f: /* nop */
		return true;
	case 0xae: /* fences */
		return !operands.is_memory && (operands.number & 7) >= 5;
	default:
		if (opcode < 0x90 || opcode > 0x9f || operands.is_memory)
			return false;
		found->reads_flags = true; /* setcc */
		found->writes = 1u << operands.other;
		return true;
	}
}

static bool decode(struct cursor *cursor, struct instruction *found)
{
	unsigned opcode = next(cursor);
	bool is_repeated = false;

	for (; opcode == 0x66 || opcode == 0xf0 || opcode == 0xf3; opcode = next(cursor)) {
		cursor->is_wide_operand |= opcode == 0x66;
		cursor->is_locked |= opcode == 0xf0;
		is_repeated |= opcode == 0xf3;
	}
	if (is_repeated)
		return opcode == 0x90; /* pause */
	if (opcode >= 0x40 && opcode <= 0x4f) {
		cursor->rex = opcode & 15;
		opcode = next(cursor);
	}
	if (opcode == 0x0f)
		return further(cursor, found);
	if (cursor->is_locked)
		return false;
	if (opcode == 0x90)
		return !cursor->rex;
	if (opcode >= 0x70 && opcode <= 0x7f)
		return jump(cursor, 1, true, found);
	if (opcode == 0xeb || opcode == 0xe9)
		return jump(cursor, opcode == 0xeb ? 1 : 4, false, found);
	if (opcode == 0x80 || opcode == 0x81 || opcode == 0x83)
		return with_constant(cursor, opcode, found);
	if (opcode == 0xf6 || opcode == 0xf7)
		return test_constant(cursor, opcode, found);
	if (opcode == 0xc7 || (opcode >= 0xb0 && opcode <= 0xbf))
		return set_constant(cursor, opcode, found);
	if (opcode == 0x3c || opcode == 0xa8 || opcode == 0x3d || opcode == 0xa9) {
		cursor->at += opcode == 0x3c || opcode == 0xa8 ? 1
			      : cursor->is_wide_operand        ? 2
							       : 4;
		found->reads = 1u; /* compare or test of the accumulator */
		found->sets_flags = true;
		return true;
	}
	return with_operands(cursor, opcode, found);
}

static struct instruction instruction_at(const unsigned char *code, size_t size, size_t at)
{
	struct cursor cursor = {.code = code, .size = size, .at = at};
	struct instruction found = {0};

	if (decode(&cursor, &found) && cursor.at <= size)
		found.length = cursor.at - at;
	return found;
}

/* ---- loops */

struct loop {
	size_t begin, end; /* end: behind the jump back */
};

/* The first jump after `at` that goes back to it or to an earlier instruction. */
static bool find_loop(const unsigned char *code, size_t size, size_t at, struct loop *loop)
{
	size_t from = at;

	for (size_t i = 0; i < LOOP_INSTRUCTIONS; i++) {
		struct instruction found = instruction_at(code, size, from);

		if (!found.length)
			return false;
		from += found.length;
		int64_t target = (int64_t)from + found.by;

		if (!found.is_jump || target > (int64_t)at)
			continue;
		loop->begin = (size_t)target;
		loop->end = from;
		return target >= 0 && from - (size_t)target <= LOOP_BYTES;
	}
	return false;
}

/* Registers that the loop writes; 0 instructions: it contains one that such a loop does not
 * have. */
struct sum {
	unsigned writes;
	size_t instructions;
	bool is_load, passes; /* an instruction begins at the address */
};

static struct sum sum_of(const unsigned char *code, size_t size, const struct loop *loop, size_t at)
{
	struct sum sum = {0};

	for (size_t from = loop->begin; from < loop->end; sum.instructions++) {
		struct instruction found = instruction_at(code, size, from);

		if (!found.length)
			return (struct sum){0};
		sum.passes |= from == at;
		sum.writes |= found.writes;
		sum.is_load |= found.is_load;
		from += found.length;
	}
	return sum;
}

/* Jumps within the loop, other than back to its head, would allow orders of execution that are not
 * checked; and after a jump that always leaves, what follows is not part of the loop. */
static bool is_passable(const struct instruction *found, size_t end, const struct loop *loop)
{
	int64_t target = (int64_t)end + found->by;

	if (!found->is_conditional && end < loop->end)
		return false;
	return target < (int64_t)loop->begin || target >= (int64_t)loop->end ||
	       target == (int64_t)loop->begin;
}

/* Does each iteration find the same as the one before? */
static bool repeats(const unsigned char *code, size_t size, const struct loop *loop,
		    unsigned all_writes)
{
	unsigned written = 0;
	bool has_flags = false;

	for (size_t from = loop->begin; from < loop->end;) {
		struct instruction found = instruction_at(code, size, from);

		from += found.length;
		if (found.reads & all_writes & ~written)
			return false;
		if (found.reads_flags && !has_flags)
			return false;
		if (found.is_jump && !is_passable(&found, from, loop))
			return false;
		written |= found.writes;
		has_flags |= found.sets_flags;
	}
	return has_flags;
}

bool spin_loop_holds(const unsigned char *code, size_t size, size_t at)
{
	struct loop loop;

	if (at >= size || !find_loop(code, size, at, &loop))
		return false;
	struct sum sum = sum_of(code, size, &loop, at);

	return sum.is_load && sum.passes && sum.instructions <= LOOP_INSTRUCTIONS &&
	       repeats(code, size, &loop, sum.writes);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/spin_code.h"

/* Others are not known: calls, time stamps, vectors. */
enum kind {
	OTHER,
	PLAIN,    /* does to registers and flags what it says, and may load */
	COMPARE,  /* sets flags alone, and may load */
	EXCHANGE, /* loads and stores, which is how a lock is taken */
	ADDRESS,  /* computes one, and loads nothing */
	PAUSE,    /* nothing */
	JUMP
};

/* ---- x86-64 */

static const unsigned char x86_kinds[X86_INS_ENDING] = {
	[X86_INS_MOV] = PLAIN,     [X86_INS_MOVABS] = PLAIN,     [X86_INS_MOVSX] = PLAIN,
	[X86_INS_MOVSXD] = PLAIN,  [X86_INS_MOVZX] = PLAIN,      [X86_INS_ADD] = PLAIN,
	[X86_INS_SUB] = PLAIN,     [X86_INS_AND] = PLAIN,        [X86_INS_OR] = PLAIN,
	[X86_INS_XOR] = PLAIN,     [X86_INS_CMP] = COMPARE,      [X86_INS_TEST] = COMPARE,
	[X86_INS_XCHG] = EXCHANGE, [X86_INS_CMPXCHG] = EXCHANGE, [X86_INS_LEA] = ADDRESS,
	[X86_INS_NOP] = PAUSE,     [X86_INS_PAUSE] = PAUSE,      [X86_INS_LFENCE] = PAUSE,
	[X86_INS_MFENCE] = PAUSE,  [X86_INS_SFENCE] = PAUSE,     [X86_INS_SETA] = PLAIN,
	[X86_INS_SETAE] = PLAIN,   [X86_INS_SETB] = PLAIN,       [X86_INS_SETBE] = PLAIN,
	[X86_INS_SETE] = PLAIN,    [X86_INS_SETNE] = PLAIN,      [X86_INS_SETG] = PLAIN,
	[X86_INS_SETGE] = PLAIN,   [X86_INS_SETL] = PLAIN,       [X86_INS_SETLE] = PLAIN,
	[X86_INS_SETO] = PLAIN,    [X86_INS_SETNO] = PLAIN,      [X86_INS_SETP] = PLAIN,
	[X86_INS_SETNP] = PLAIN,   [X86_INS_SETS] = PLAIN,       [X86_INS_SETNS] = PLAIN,
	[X86_INS_JA] = JUMP,       [X86_INS_JAE] = JUMP,         [X86_INS_JB] = JUMP,
	[X86_INS_JBE] = JUMP,      [X86_INS_JE] = JUMP,          [X86_INS_JNE] = JUMP,
	[X86_INS_JG] = JUMP,       [X86_INS_JGE] = JUMP,         [X86_INS_JL] = JUMP,
	[X86_INS_JLE] = JUMP,      [X86_INS_JO] = JUMP,          [X86_INS_JNO] = JUMP,
	[X86_INS_JP] = JUMP,       [X86_INS_JNP] = JUMP,         [X86_INS_JS] = JUMP,
	[X86_INS_JNS] = JUMP,      [X86_INS_JMP] = JUMP};

/* xor r, r: a constant. */
static bool is_clearing(const cs_insn *told)
{
	const cs_x86_op *operands = told->detail->x86.operands;

	return told->id == X86_INS_XOR && operands[0].type == X86_OP_REG &&
	       operands[1].type == X86_OP_REG && operands[0].reg == operands[1].reg;
}

/* Anything but an exchange that writes memory may be seen by somebody. */
static bool take_x86(const cs_insn *told, enum kind kind, struct spin_instruction *found)
{
	const cs_x86 *detail = &told->detail->x86;
	bool is_locked = detail->prefix[0] == X86_PREFIX_LOCK, is_memory = false,
	     is_written = false;

	found->is_conditional = kind == JUMP && told->id != X86_INS_JMP;
	if (kind == JUMP) {
		found->target = detail->operands[0].imm;
		return detail->operands[0].type == X86_OP_IMM;
	}
	for (size_t i = 0; i < detail->op_count; i++)
		if (detail->operands[i].type == X86_OP_MEM) {
			is_memory = true;
			is_written |= (detail->operands[i].access & CS_AC_WRITE) != 0;
		}
	if (is_clearing(told))
		found->uses.reads = 0;
	found->is_load = is_memory && kind != ADDRESS;
	if (told->id == X86_INS_CMPXCHG)
		return is_locked && is_memory;
	return kind == EXCHANGE || kind == ADDRESS || (!is_written && !is_locked);
}

/* ---- AArch64 */

static const unsigned char arm_kinds[ARM64_INS_ENDING] = {
	[ARM64_INS_LDR] = PLAIN,       [ARM64_INS_LDRB] = PLAIN,     [ARM64_INS_LDRH] = PLAIN,
	[ARM64_INS_LDRSB] = PLAIN,     [ARM64_INS_LDRSH] = PLAIN,    [ARM64_INS_LDRSW] = PLAIN,
	[ARM64_INS_LDUR] = PLAIN,      [ARM64_INS_LDURB] = PLAIN,    [ARM64_INS_LDURH] = PLAIN,
	[ARM64_INS_LDAR] = PLAIN,      [ARM64_INS_LDARB] = PLAIN,    [ARM64_INS_LDARH] = PLAIN,
	[ARM64_INS_LDXR] = PLAIN,      [ARM64_INS_LDXRB] = PLAIN,    [ARM64_INS_LDXRH] = PLAIN,
	[ARM64_INS_LDAXR] = PLAIN,     [ARM64_INS_LDAXRB] = PLAIN,   [ARM64_INS_LDAXRH] = PLAIN,
	[ARM64_INS_MOV] = PLAIN,       [ARM64_INS_ADD] = PLAIN,      [ARM64_INS_SUB] = PLAIN,
	[ARM64_INS_AND] = PLAIN,       [ARM64_INS_ORR] = PLAIN,      [ARM64_INS_EOR] = PLAIN,
	[ARM64_INS_UXTB] = PLAIN,      [ARM64_INS_UXTH] = PLAIN,     [ARM64_INS_SXTB] = PLAIN,
	[ARM64_INS_SXTH] = PLAIN,      [ARM64_INS_SXTW] = PLAIN,     [ARM64_INS_CSET] = PLAIN,
	[ARM64_INS_ADRP] = PLAIN,      [ARM64_INS_CMP] = COMPARE,    [ARM64_INS_CMN] = COMPARE,
	[ARM64_INS_TST] = COMPARE,     [ARM64_INS_STXR] = EXCHANGE,  [ARM64_INS_STXRB] = EXCHANGE,
	[ARM64_INS_STXRH] = EXCHANGE,  [ARM64_INS_STLXR] = EXCHANGE, [ARM64_INS_STLXRB] = EXCHANGE,
	[ARM64_INS_STLXRH] = EXCHANGE, [ARM64_INS_NOP] = PAUSE,      [ARM64_INS_YIELD] = PAUSE,
	[ARM64_INS_WFE] = PAUSE,       [ARM64_INS_SEVL] = PAUSE,     [ARM64_INS_ISB] = PAUSE,
	[ARM64_INS_DMB] = PAUSE,       [ARM64_INS_B] = JUMP,         [ARM64_INS_CBZ] = JUMP,
	[ARM64_INS_CBNZ] = JUMP,       [ARM64_INS_TBZ] = JUMP,       [ARM64_INS_TBNZ] = JUMP};

/* A jump by a register that is 0, or by a bit of it, needs no flags: the register is what the loop
 * looks at. */
static bool take_arm(const cs_insn *told, enum kind kind, struct spin_instruction *found)
{
	const cs_arm64 *detail = &told->detail->arm64;
	const cs_arm64_op *last = &detail->operands[detail->op_count - 1];

	if (kind == JUMP) {
		found->uses.sets_flags = told->id != ARM64_INS_B;
		found->is_conditional = found->uses.sets_flags || found->uses.reads_flags;
		found->target = last->imm;
		return last->type == ARM64_OP_IMM;
	}
	for (size_t i = 0; i < detail->op_count; i++)
		found->is_load |= detail->operands[i].type == ARM64_OP_MEM;
	return true;
}

/* ---- both */

static enum kind kind_of(const struct symbol_code *code, const cs_insn *told)
{
	return code->machine == EM_X86_64 ? x86_kinds[told->id] : arm_kinds[told->id];
}

static bool take(const struct symbol_code *code, const cs_insn *told,
		 struct spin_instruction *found)
{
	enum kind kind = kind_of(code, told);

	if (kind == PAUSE)
		return true;
	if (kind == OTHER || !machine_code_registers(code, told, &found->uses))
		return false;
	if (kind == COMPARE) { /* Capstone 4 and 5 take what AArch64 compares for written */
		found->uses.reads |= found->uses.writes;
		found->uses.writes = 0;
	}
	found->is_jump = kind == JUMP;
	return code->machine == EM_X86_64 ? take_x86(told, kind, found)
					  : take_arm(told, kind, found);
}

struct spin_instruction spin_code_at(const struct symbol_code *code, size_t at)
{
	const cs_insn *told = machine_code_decode(code, at);
	struct spin_instruction found = {0};

	if (told && take(code, told, &found))
		found.length = told->size;
	return found;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/machine_code.h"

enum kind { X86, ARM, KINDS };

struct decoder {
	csh handle;
	cs_insn *instruction;
};

static const struct kind_of {
	GElf_Half machine;
	cs_arch arch;
	cs_mode mode;
} kinds[KINDS] = {
	[X86] = {EM_X86_64, CS_ARCH_X86, CS_MODE_64},
	[ARM] = {EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN},
};

static bool is_open(struct decoder *decoder, const struct kind_of *kind)
{
	if (decoder->instruction)
		return true;
	if (cs_open(kind->arch, kind->mode, &decoder->handle) != CS_ERR_OK)
		return false;
	cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
	decoder->instruction = cs_malloc(decoder->handle);
	return decoder->instruction;
}

/* NULL: for another machine. */
static const struct decoder *decoder_of(GElf_Half machine)
{
	static struct decoder decoders[KINDS];

	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].machine == machine && is_open(&decoders[i], &kinds[i]))
			return &decoders[i];
	return NULL;
}

const cs_insn *machine_code_decode(const struct symbol_code *code, size_t at)
{
	const struct decoder *decoder = at < code->size ? decoder_of(code->machine) : NULL;
	uint64_t address = at;

	if (!decoder)
		return NULL;
	const uint8_t *bytes = code->bytes + at;
	size_t left = code->size - at;
	bool is_known =
		cs_disasm_iter(decoder->handle, &bytes, &left, &address, decoder->instruction);

	return is_known ? decoder->instruction : NULL;
}

/* ---- registers */

/* Number + 1 of a register, by any of its names. */
#define NAMES(number, byte, word, half, whole)                                                     \
	[X86_REG_##byte] = (number) + 1, [X86_REG_##word] = (number) + 1,                          \
	[X86_REG_##half] = (number) + 1, [X86_REG_##whole] = (number) + 1

static const unsigned char x86_numbers[X86_REG_ENDING] = {
	NAMES(0, AL, AX, EAX, RAX),
	NAMES(1, CL, CX, ECX, RCX),
	NAMES(2, DL, DX, EDX, RDX),
	NAMES(3, BL, BX, EBX, RBX),
	NAMES(4, SPL, SP, ESP, RSP),
	NAMES(5, BPL, BP, EBP, RBP),
	NAMES(6, SIL, SI, ESI, RSI),
	NAMES(7, DIL, DI, EDI, RDI),
	NAMES(8, R8B, R8W, R8D, R8),
	NAMES(9, R9B, R9W, R9D, R9),
	NAMES(10, R10B, R10W, R10D, R10),
	NAMES(11, R11B, R11W, R11D, R11),
	NAMES(12, R12B, R12W, R12D, R12),
	NAMES(13, R13B, R13W, R13D, R13),
	NAMES(14, R14B, R14W, R14D, R14),
	NAMES(15, R15B, R15W, R15D, R15),
	[X86_REG_AH] = 1,
	[X86_REG_CH] = 2,
	[X86_REG_DH] = 3,
	[X86_REG_BH] = 4,
};

/* A loop changes none of these: the instruction pointer, and what segments begin at. */
static bool is_fixed_x86(unsigned name)
{
	switch (name) {
	case X86_REG_RIP:
	case X86_REG_CS:
	case X86_REG_DS:
	case X86_REG_ES:
	case X86_REG_FS:
	case X86_REG_GS:
	case X86_REG_SS:
		return true;
	default:
		return false;
	}
}

/* 0: none of them. */
static unsigned arm_number(unsigned name)
{
	if (name >= ARM64_REG_W0 && name <= ARM64_REG_W30)
		return name - ARM64_REG_W0 + 1;
	if (name >= ARM64_REG_X0 && name <= ARM64_REG_X28)
		return name - ARM64_REG_X0 + 1;
	switch (name) {
	case ARM64_REG_X29:
		return 30;
	case ARM64_REG_X30:
		return 31;
	case ARM64_REG_SP:
		return 32;
	default:
		return 0;
	}
}

/* Adds the register of this name to a set; false: it is of another kind. */
static bool add(GElf_Half machine, unsigned name, uint32_t *set, bool *has_flags)
{
	bool is_arm = machine == EM_AARCH64;
	unsigned number = is_arm ? arm_number(name) : x86_numbers[name];

	if (name == (is_arm ? (unsigned)ARM64_REG_NZCV : (unsigned)X86_REG_EFLAGS))
		*has_flags = true;
	else if (number)
		*set |= 1u << (number - 1);
	else
		return is_arm ? name == ARM64_REG_WZR || name == ARM64_REG_XZR : is_fixed_x86(name);
	return true;
}

bool machine_code_registers(const struct symbol_code *code, const cs_insn *instruction,
			    struct machine_registers *registers)
{
	const struct decoder *decoder = decoder_of(code->machine);
	cs_regs reads, writes;
	uint8_t read_count, write_count;

	*registers = (struct machine_registers){0};
	if (!decoder || cs_regs_access(decoder->handle, instruction, reads, &read_count, writes,
				       &write_count) != CS_ERR_OK)
		return false;
	for (size_t i = 0; i < read_count; i++)
		if (!add(code->machine, reads[i], &registers->reads, &registers->reads_flags))
			return false;
	for (size_t i = 0; i < write_count; i++)
		if (!add(code->machine, writes[i], &registers->writes, &registers->sets_flags))
			return false;
	return true;
}

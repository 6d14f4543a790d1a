/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/tail_code.h"

#include <string.h>

struct range {
	uint64_t low, high;
};

enum { RANGES_MAX = 16 };

struct code {
	const struct symbol_file *file;
	const struct call_sites *calls;
	tail_code_visit *visit;
	void *data;
	struct range ranges[RANGES_MAX]; /* of the routine */
	size_t count;
};

static bool is_own(const struct code *code, uint64_t address)
{
	for (size_t i = 0; i < code->count; i++)
		if (address >= code->ranges[i].low && address < code->ranges[i].high)
			return true;
	return false;
}

static bool is_described(const struct code *code, uint64_t address, size_t length)
{
	for (size_t i = 0; i < code->calls->count; i++)
		if (code->calls->list[i].at >= address &&
		    code->calls->list[i].at < address + length)
			return true;
	return false;
}

/* Length of what may be a jump with a distance of 4 bytes at its end; 0: it is none. */
static size_t jump_length(const unsigned char *bytes, size_t size)
{
	if (size >= 5 && bytes[0] == 0xe9)
		return 5; /* jmp */
	if (size >= 6 && bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80)
		return 6; /* jcc */
	return 0;
}

/* jmp *address(%rip), the way of -fno-plt. Through a register, compilers jump to what a pointer
 * holds, and describe that. */
static bool is_jump_by_table(const unsigned char *bytes, size_t size)
{
	return size >= 6 && bytes[0] == 0xff && bytes[1] == 0x25;
}

static uint64_t target_of(const unsigned char *behind, uint64_t address)
{
	int32_t distance;

	memcpy(&distance, behind - sizeof distance, sizeof distance);
	return address + (uint64_t)(int64_t)distance;
}

static bool leads_out(const struct code *code, uint64_t target)
{
	struct symbol_code there;

	return !is_own(code, target) && symbol_file_code(code->file, EM_X86_64, target, &there);
}

/* What may be a jump at this byte. */
static void look_at(const struct code *code, const unsigned char *bytes, size_t size,
		    uint64_t address)
{
	size_t length = jump_length(bytes, size);

	if (length) {
		uint64_t target = target_of(bytes + length, address + length);

		if (leads_out(code, target) && !is_described(code, address, length))
			code->visit(code->data, address, target);
	} else if (is_jump_by_table(bytes, size) && !is_described(code, address, 6)) {
		code->visit(code->data, address, 0);
	}
}

static bool search_range(const struct code *code, const struct range *range)
{
	struct symbol_code at;
	size_t size = range->high - range->low;

	if (!symbol_file_code(code->file, EM_X86_64, range->low, &at) || size > at.size - at.at)
		return false;
	for (size_t i = 0; i < size; i++)
		look_at(code, at.bytes + at.at + i, size - i, range->low + i);
	return true;
}

bool tail_code_find(const struct symbol_file *file, Dwarf_Die *routine,
		    const struct call_sites *calls, tail_code_visit *visit, void *data)
{
	struct code code = {.file = file, .calls = calls, .visit = visit, .data = data};
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;
	GElf_Ehdr header;

	if (!file->elf || !gelf_getehdr(file->elf, &header))
		return false;
	if (header.e_machine != EM_X86_64)
		return true;
	while (code.count < RANGES_MAX &&
	       (offset = dwarf_ranges(routine, offset, &base, &low, &high)) > 0)
		if (low < high)
			code.ranges[code.count++] = (struct range){low, high};
	for (size_t i = 0; i < code.count; i++)
		if (!search_range(&code, &code.ranges[i]))
			return false;
	return code.count && code.count < RANGES_MAX;
}

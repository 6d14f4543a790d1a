/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/frame_table.h"

#include "analyze/symbols/symbol_file.h"

#include <stdbool.h>
#include <string.h>

/* The only form that linkers write: 4-byte numbers, relative to the section. */
enum {
	VERSION = 1,
	ENCODING_POINTER = 0x1b, /* relative to its place, signed, 4 bytes */
	ENCODING_COUNT = 0x03,   /* unsigned, 4 bytes */
	ENCODING_TABLE = 0x3b,   /* relative to the section, signed, 4 bytes */
	HEADER_BYTES = 12,
	ENTRY_BYTES = 8,
};

struct frame_table {
	const unsigned char *entries;
	uint64_t section; /* its address */
	size_t count;
};

static int32_t number_at(const unsigned char *bytes)
{
	int32_t number;

	memcpy(&number, bytes, sizeof number);
	return number;
}

static struct frame_table read_table(Elf *elf)
{
	GElf_Shdr header;
	struct frame_table none = {NULL, 0, 0};
	Elf_Scn *section = symbol_file_section(elf, ".eh_frame_hdr", SHT_PROGBITS, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	const unsigned char *bytes = data ? data->d_buf : NULL;

	if (!bytes || data->d_size < HEADER_BYTES || bytes[0] != VERSION ||
	    bytes[1] != ENCODING_POINTER || bytes[2] != ENCODING_COUNT ||
	    bytes[3] != ENCODING_TABLE)
		return none;
	size_t count = (uint32_t)number_at(bytes + 8),
	       room = (data->d_size - HEADER_BYTES) / ENTRY_BYTES;
	return (struct frame_table){bytes + HEADER_BYTES, header.sh_addr,
				    count < room ? count : room};
}

static uint64_t start_of(const struct frame_table *table, size_t index)
{
	return table->section + (uint64_t)(int64_t)number_at(table->entries + index * ENTRY_BYTES);
}

static bool is_code(Elf *elf, uint64_t address)
{
	size_t count = 0;
	GElf_Phdr header;

	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    header.p_flags & PF_X && address - header.p_vaddr < header.p_memsz)
			return true;
	return false;
}

uint64_t frame_table_start(Elf *elf, uint64_t address)
{
	if (!elf || !is_code(elf, address))
		return address;
	struct frame_table table = read_table(elf);
	size_t low = 0, high = table.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (start_of(&table, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? start_of(&table, low - 1) : address;
}

/* SPDX-License-Identifier: MIT */
#include "preload/python/python_lines.h"

enum {
	NO_LINE = -128, /* 3.10: an instruction of no line */
	UNIT = 2,       /* bytes of an instruction */
	/* 3.11: the first byte of an entry is ENTRY | code << 3 | (units - 1) */
	ENTRY = 0x80,
	CODE_ONE_LINE = 10, /* up to 12: one column pair, 0 to 2 lines further */
	CODE_NO_COLUMN = 13,
	CODE_NONE = 15,
};

/* Steps come before the instructions that they are for. */
static int64_t of_lnotab(const uint8_t *bytes, size_t count, int64_t line, uint64_t offset)
{
	uint64_t at = 0;

	for (size_t i = 0; i + 1 < count; i += 2) {
		at += bytes[i];
		if (at > offset)
			break;
		line += (int8_t)bytes[i + 1];
	}
	return line;
}

static int64_t of_ranges(const uint8_t *bytes, size_t count, int64_t line, uint64_t offset)
{
	uint64_t end = 0;

	for (size_t i = 0; i + 1 < count; i += 2) {
		int step = (int8_t)bytes[i + 1];

		end += bytes[i];
		line += step == NO_LINE ? 0 : step;
		if (offset < end)
			break;
	}
	return line;
}

/* A signed number of 6 bits a byte, the lowest first, the sign in the lowest bit. */
static int64_t read_step(const uint8_t *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count && i < 6; i++) {
		value |= (uint64_t)(bytes[i] & 63) << 6 * i;
		if (!(bytes[i] & 64))
			break;
	}
	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

static int64_t step_of(const uint8_t *entry, size_t count)
{
	unsigned code = entry[0] >> 3 & 15;

	if (code == CODE_NONE || code < CODE_ONE_LINE)
		return 0;
	if (code < CODE_NO_COLUMN)
		return code - CODE_ONE_LINE;
	return read_step(entry + 1, count - 1);
}

static int64_t of_locations(const uint8_t *bytes, size_t count, int64_t line, uint64_t offset)
{
	uint64_t end = 0;

	for (size_t i = 0; i < count;) {
		end += ((bytes[i] & 7) + 1) * UNIT;
		line += step_of(bytes + i, count - i);
		if (offset < end)
			break;
		do
			i++;
		while (i < count && !(bytes[i] & ENTRY));
	}
	return line;
}

uint32_t python_line(enum python_table table, const uint8_t *bytes, size_t count, uint32_t first,
		     uint64_t offset)
{
	static int64_t (*const readers[])(const uint8_t *, size_t, int64_t, uint64_t) = {
		[PYTHON_LNOTAB] = of_lnotab,
		[PYTHON_RANGES] = of_ranges,
		[PYTHON_LOCATIONS] = of_locations,
	};
	int64_t line = readers[table](bytes, count, first, offset);

	return line > 0 && line <= INT32_MAX ? (uint32_t)line : first;
}

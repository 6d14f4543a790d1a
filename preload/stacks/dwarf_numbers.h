/* SPDX-License-Identifier: MIT */
/* Numbers as DWARF stores them: of fixed size, and LEB128 (DWARF 5, section 7.6). Each function
 * moves *at behind the number. Any context. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t read_fixed(const uint8_t **at, unsigned bytes)
{
	uint64_t value = 0;

	memcpy(&value, *at, bytes); /* both platforms are little endian */
	*at += bytes;
	return value;
}

static inline __attribute__((always_inline)) uint64_t read_leb(const uint8_t **at, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = *(*at)++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && (byte & 0x40))
		value |= ~(uint64_t)0 << shift;
	return value;
}

static inline uint64_t read_uleb(const uint8_t **at)
{
	return read_leb(at, false);
}

static inline int64_t read_sleb(const uint8_t **at)
{
	return (int64_t)read_leb(at, true);
}

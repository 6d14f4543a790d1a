/* SPDX-License-Identifier: MIT */
#include "preload/python/python_text.h"

#include "preload/base/hash.h"

#include <string.h>

enum { SUMMED_BYTES = 64, LONGEST = 1 << 16 };

struct text {
	uint64_t data;
	size_t length;  /* characters */
	unsigned width; /* bytes of one */
	uint64_t hash;  /* as the interpreter computed it; all bits: not yet */
};

uint64_t python_mix(uint64_t sum, uint64_t value)
{
	sum = hash_product(sum ^ value);
	return sum ^ sum >> 29;
}

/* The state's bits, in all versions: interned 2, kind 3, compact 1, ASCII 1. */
static bool read_state(const struct python_runtime *runtime, uint64_t object, uint32_t state,
		       struct text *text)
{
	bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;

	text->width = state >> 2 & 7;
	text->data = object + (is_ascii ? runtime->layout->text_ascii : runtime->layout->text_wide);
	return is_compact && (text->width == 1 || text->width == 2 || text->width == 4);
}

static bool find_text(const struct python_runtime *runtime, struct python_memory *memory,
		      uint64_t object, struct text *text)
{
	if (python_word(memory, object + PYTHON_TYPE) != runtime->text_type ||
	    !read_state(runtime, object, python_half(memory, object + PYTHON_TEXT_STATE), text))
		return false;
	text->length = python_word(memory, object + PYTHON_SIZE);
	text->hash = python_word(memory, object + PYTHON_TEXT_HASH);
	return text->length && text->length < LONGEST &&
	       python_may_read(memory, text->data, text->length * text->width);
}

uint64_t python_mix_bytes(uint64_t sum, uint64_t address, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 8) {
		uint64_t word = 0;

		memcpy(&word, (const char *)address + i, bytes - i < 8 ? bytes - i : 8);
		sum = python_mix(sum, word);
	}
	return sum;
}

/* The interpreter's hash if there is one: names are interned, which needs it. */
uint64_t python_text_sum(const struct python_runtime *runtime, struct python_memory *memory,
			 uint64_t object)
{
	struct text text;

	if (!find_text(runtime, memory, object, &text))
		return 0;
	uint64_t sum = python_mix(object, text.length);
	size_t bytes = text.length * text.width;
	if (text.hash != UINT64_MAX)
		return python_mix(sum, text.hash);
	return python_mix_bytes(sum, text.data, bytes < SUMMED_BYTES ? bytes : SUMMED_BYTES);
}

static uint32_t character(const struct text *text, size_t i)
{
	uint16_t two;
	uint32_t four;

	if (text->width == 1)
		return ((const uint8_t *)text->data)[i];
	if (text->width == 2) {
		memcpy(&two, (const uint16_t *)text->data + i, sizeof two);
		return two;
	}
	memcpy(&four, (const uint32_t *)text->data + i, sizeof four);
	return four;
}

/* Half of a pair of UTF-16, with which Python keeps bytes that were no UTF-8, or none at all. */
static bool is_no_character(uint32_t code)
{
	return (code >= 0xd800 && code < 0xe000) || code > 0x10ffff || !code;
}

static size_t encode(uint32_t code, char to[4])
{
	size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
		to[i] = (char)(0x80 | (code & 63));
	to[0] = (char)(bytes == 1 ? code : (0xf00u >> bytes & 0xff) | code);
	return bytes;
}

size_t python_text_copy(const struct python_runtime *runtime, struct python_memory *memory,
			uint64_t object, char *to, size_t capacity)
{
	struct text text;
	size_t used = 0;
	char bytes[4];

	to[0] = '\0';
	if (!find_text(runtime, memory, object, &text))
		return 0;
	for (size_t i = 0; i < text.length; i++) {
		uint32_t code = character(&text, i);
		size_t count = encode(is_no_character(code) ? 0xfffd : code, bytes);

		if (used + count >= capacity)
			break;
		memcpy(to + used, bytes, count);
		used += count;
	}
	to[used] = '\0';
	return used;
}

/* SPDX-License-Identifier: MIT */
/* CPython's str objects: of the compact kinds, as all names in code objects are. Own thread, any
 * context. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "preload/python/python_find.h"
#include "preload/python/python_memory.h"

/* Mixes a further value into a sum. */
uint64_t python_mix(uint64_t sum, uint64_t value);

uint64_t python_mix_bytes(uint64_t sum, uint64_t address, size_t bytes);

/* Tells one text from another, also one that came to lie where another was; 0: it is no text. */
uint64_t python_text_sum(const struct python_runtime *runtime, struct python_memory *memory,
			 uint64_t object);

/* As UTF-8 with a final 0; what is longer than fits is cut between two characters. Returns the
 * bytes; 0: it is no text, or empty. */
size_t python_text_copy(const struct python_runtime *runtime, struct python_memory *memory,
			uint64_t object, char *to, size_t capacity);

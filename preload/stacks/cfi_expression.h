/* SPDX-License-Identifier: MIT */
/* Expressions of call-frame information, as far as compilers and linkers use them for a CFA (DWARF
 * 5, section 2.5). Context: as cfi.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The value of a CFA expression. known: bit r is set when registers[r] is the frame's value;
 * may_read tells whether a word may be read. False: an operation or a register that is not
 * supported. */
bool cfi_evaluate(const uint8_t *expression, uint32_t bytes, const uint64_t *registers,
		  uint64_t known, bool (*may_read)(void *, uint64_t), void *reader,
		  uint64_t *value);

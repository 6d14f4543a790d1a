/* SPDX-License-Identifier: MIT */
#include "preload/stacks/cfi_expression.h"

#include "arch.h"
#include "preload/stacks/dwarf_numbers.h"

#include <dwarf.h>

enum { EXPRESSION_STACK = 8 };

static bool binary(uint8_t operation, uint64_t left, uint64_t right, uint64_t *result)
{
	switch (operation) {
	case DW_OP_and:
		*result = left & right;
		return true;
	case DW_OP_minus:
		*result = left - right;
		return true;
	case DW_OP_or:
		*result = left | right;
		return true;
	case DW_OP_plus:
		*result = left + right;
		return true;
	case DW_OP_shl:
		*result = right < 64 ? left << right : 0;
		return true;
	case DW_OP_shr:
		*result = right < 64 ? left >> right : 0;
		return true;
	case DW_OP_eq:
		*result = left == right;
		return true;
	case DW_OP_ge:
		*result = (int64_t)left >= (int64_t)right;
		return true;
	case DW_OP_gt:
		*result = (int64_t)left > (int64_t)right;
		return true;
	case DW_OP_le:
		*result = (int64_t)left <= (int64_t)right;
		return true;
	case DW_OP_lt:
		*result = (int64_t)left < (int64_t)right;
		return true;
	case DW_OP_ne:
		*result = left != right;
		return true;
	default:
		return false;
	}
}

/* Operations that push one number without looking at the stack. */
static bool constant(uint8_t operation, const uint8_t **at, uint64_t *value)
{
	switch (operation) {
	case DW_OP_addr:
		*value = read_fixed(at, 8);
		return true;
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_const8s:
		*value = read_fixed(at, 1u << (operation - DW_OP_const1u) / 2);
		return true;
	case DW_OP_const1s:
		*value = (uint64_t)(int8_t)read_fixed(at, 1);
		return true;
	case DW_OP_const2s:
		*value = (uint64_t)(int16_t)read_fixed(at, 2);
		return true;
	case DW_OP_const4s:
		*value = (uint64_t)(int32_t)read_fixed(at, 4);
		return true;
	case DW_OP_constu:
		*value = read_uleb(at);
		return true;
	case DW_OP_consts:
		*value = (uint64_t)read_sleb(at);
		return true;
	default:
		*value = operation - (uint64_t)DW_OP_lit0;
		return operation >= DW_OP_lit0 && operation <= DW_OP_lit31;
	}
}

bool cfi_evaluate(const uint8_t *expression, uint32_t bytes, const uint64_t *registers,
		  uint64_t known, bool (*may_read)(void *, uint64_t), void *reader, uint64_t *value)
{
	const uint8_t *at = expression, *end = expression + bytes;
	uint64_t stack[EXPRESSION_STACK], number;
	unsigned depth = 0;

	while (at < end) {
		uint8_t operation = *at++;

		if (constant(operation, &at, &number)) {
			/* pushed below */
		} else if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31) {
			unsigned r = operation - (unsigned)DW_OP_breg0;
			if (r >= ARCH_REGISTERS || !(known >> r & 1))
				return false;
			number = registers[r] + (uint64_t)read_sleb(&at);
		} else if (operation == DW_OP_deref && depth) {
			number = stack[--depth];
			if (!may_read(reader, number))
				return false;
			number = *(const uint64_t *)number;
		} else if (operation == DW_OP_plus_uconst && depth) {
			number = stack[--depth] + read_uleb(&at);
		} else if (operation == DW_OP_dup && depth) {
			number = stack[depth - 1];
		} else if (depth >= 2 &&
			   binary(operation, stack[depth - 2], stack[depth - 1], &number)) {
			depth -= 2;
		} else {
			return false;
		}
		if (depth == EXPRESSION_STACK)
			return false;
		stack[depth++] = number;
	}
	*value = depth ? stack[depth - 1] : 0;
	return depth > 0;
}

/* SPDX-License-Identifier: MIT */
/* Compiled for general registers only (Makefile): a routine that has just begun has its arguments
 * in the others. */
#include "preload/base/interrupted.h"
#include "preload/calls/routine_stack_parts.h"

bool routine_stack_begun_quickly(struct routine_stack *stack, uint64_t place, uint64_t frame)
{
	if (!routine_stack_take(stack, frame))
		return false;
	struct row_calls *row = routine_rows_seek(&stack->rows, place);
	if (likely(row))
		routine_stack_count_begun(stack, row, place, frame);
	interrupted_fence();
	if (unlikely(row && stack->late_count)) {
		stack->busy = frame | BEGUN_COUNTED;
		return false;
	}
	if (likely(stack->busy == frame))
		stack->busy = 0;
	return row;
}

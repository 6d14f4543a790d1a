/* SPDX-License-Identifier: MIT */
/* Compiled for general registers only (Makefile): a routine that has just begun has its arguments
 * in the others. */
#include "preload/calls/routine_stack_parts.h"

bool routine_stack_begun_quickly(struct routine_stack *stack, uint64_t place, uint64_t frame)
{
	if (!routine_stack_take(stack, frame))
		return false;
	struct row_calls *row = routine_rows_probe(&stack->rows, place)->row;
	if (likely(row))
		routine_stack_count_begun(stack, row, place, frame);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (unlikely(row && stack->late_count))
		return false; /* still busy: a sign that this call is counted */
	stack->busy = 0;
	return row;
}

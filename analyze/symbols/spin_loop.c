/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/spin_loop.h"

#include "analyze/symbols/spin_code.h"

#define LOOP_BYTES        64
#define LOOP_INSTRUCTIONS 16

struct loop {
	size_t begin, end; /* end: behind the jump back */
};

/* The first jump after `at` that goes back to it or to an earlier instruction. */
static bool find_loop(const struct symbol_code *code, size_t at, struct loop *loop)
{
	size_t from = at;

	for (size_t i = 0; i < LOOP_INSTRUCTIONS; i++) {
		struct spin_instruction found = spin_code_at(code, from);

		if (!found.length)
			return false;
		from += found.length;

		if (!found.is_jump || found.target > (int64_t)at)
			continue;
		loop->begin = (size_t)found.target;
		loop->end = from;
		return found.target >= 0 && from - loop->begin <= LOOP_BYTES;
	}
	return false;
}

/* Registers that the loop writes; 0 instructions: it contains one that such a loop does not
 * have. */
struct sum {
	unsigned writes;
	size_t instructions;
	bool is_load, passes; /* an instruction begins at the address */
};

static struct sum sum_of(const struct symbol_code *code, const struct loop *loop, size_t at)
{
	struct sum sum = {0};

	for (size_t from = loop->begin; from < loop->end; sum.instructions++) {
		struct spin_instruction found = spin_code_at(code, from);

		if (!found.length)
			return (struct sum){0};
		sum.passes |= from == at;
		sum.writes |= found.uses.writes;
		sum.is_load |= found.is_load;
		from += found.length;
	}
	return sum;
}

/* Jumps within the loop, other than back to its head, would allow orders of execution that are not
 * checked; and after a jump that always leaves, what follows is not part of the loop. */
static bool is_passable(const struct spin_instruction *found, size_t end, const struct loop *loop)
{
	int64_t target = found->target;

	if (!found->is_conditional && end < loop->end)
		return false;
	return target < (int64_t)loop->begin || target >= (int64_t)loop->end ||
	       target == (int64_t)loop->begin;
}

/* Does each iteration find the same as the one before? */
static bool repeats(const struct symbol_code *code, const struct loop *loop, unsigned all_writes)
{
	unsigned written = 0;
	bool has_flags = false;

	for (size_t from = loop->begin; from < loop->end;) {
		struct spin_instruction found = spin_code_at(code, from);

		from += found.length;
		if (found.uses.reads & all_writes & ~written)
			return false;
		if (found.uses.reads_flags && !has_flags)
			return false;
		if (found.is_jump && !is_passable(&found, from, loop))
			return false;
		written |= found.uses.writes;
		has_flags |= found.uses.sets_flags;
	}
	return has_flags;
}

bool spin_loop_holds(const struct symbol_code *code)
{
	struct loop loop;

	if (!find_loop(code, code->at, &loop))
		return false;
	struct sum sum = sum_of(code, &loop, code->at);

	return sum.is_load && sum.passes && sum.instructions <= LOOP_INSTRUCTIONS &&
	       repeats(code, &loop, sum.writes);
}

/* SPDX-License-Identifier: MIT */
/* Loops whose rows in the line table are written here: what a compiler leaves of statements without code of their own. Each spins at
 * the line that says so; `.loc 1 LINE` is a row, of length zero if another follows.
 *
 *   line_entries [ROUNDS] */
#include <stdint.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#if defined __x86_64__
#define SPIN "1: dec %[n]\n jnz 1b\n"
#define STEP "nop\n"
#elif defined __aarch64__
#define SPIN "1: subs %[n], %[n], #1\n b.ne 1b\n"
#define STEP "nop\n"
#endif
#define LOC(name) ".loc 1 %c[" #name "]\n"

static NOINLINE void three(uint64_t n)
{
	enum { FIRST = __LINE__ + 2 };
	/* (a gap, so that no row of the compiler's adjoins) */
	/* three FIRST: a row of length zero */
	/* three second: another */
	/* three HOT: the code */
	/* (a gap) */
	__asm__ volatile(LOC(a) LOC(b) LOC(c) SPIN : [n] "+r"(n) : [a] "i"(FIRST), [b] "i"(FIRST + 1), [c] "i"(FIRST + 2) : "cc");
}

static NOINLINE void backwards(uint64_t n)
{
	enum { FIRST = __LINE__ + 2 };
	/* (a gap, so that no row of the compiler's adjoins) */
	/* backwards HOT: the code */
	/* backwards LAST: a row of length zero in front of it */
	/* (a gap) */
	__asm__ volatile(LOC(b) LOC(a) SPIN : [n] "+r"(n) : [a] "i"(FIRST), [b] "i"(FIRST + 1) : "cc");
}

static NOINLINE void apart(uint64_t n)
{
	enum { FIRST = __LINE__ + 2 };
	/* (a gap, so that no row of the compiler's adjoins) */
	/* apart, a row of length zero */
	/* (no row at all) */
	/* apart HOT: the code; does not adjoin the other */
	/* (a gap) */
	__asm__ volatile(LOC(a) LOC(b) SPIN : [n] "+r"(n) : [a] "i"(FIRST), [b] "i"(FIRST + 2) : "cc");
}

static NOINLINE void own(uint64_t n)
{
	enum { FIRST = __LINE__ + 2 };
	/* (a gap, so that no row of the compiler's adjoins) */
	/* own, a row of length zero, and code elsewhere */
	/* own HOT: the code */
	/* (a gap) */
	__asm__ volatile(LOC(a) LOC(b) SPIN LOC(a) STEP : [n] "+r"(n) : [a] "i"(FIRST), [b] "i"(FIRST + 1) : "cc");
}

int main(int count, char **arguments)
{
	uint64_t rounds = count > 1 ? strtoull(arguments[1], NULL, 10) : 300000000;

	three(rounds);
	backwards(rounds);
	apart(rounds);
	own(rounds);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Which instructions are atomic, or stand behind one; the bytes are those that gcc and clang made.
 */
#include "analyze/symbols/atomic_code.h"
#include "tests/unit/unit.h"

#define HOLDS(arch, at, ...)                                                                       \
	atomic_code_##arch((const unsigned char[]){__VA_ARGS__},                                   \
			   sizeof((const unsigned char[]){__VA_ARGS__}), at)

START_TEST(locked_instructions_are_atomic)
{
	/* lock add dword [r12 + 8], 1; ret */
	ck_assert(HOLDS(x86, 0, 0xf0, 0x41, 0x83, 0x44, 0x24, 0x08, 0x01, 0xc3));
	ck_assert(HOLDS(x86, 7, 0xf0, 0x41, 0x83, 0x44, 0x24, 0x08, 0x01, 0xc3));
	/* lock xadd [rdx], eax; cmp eax, 1 */
	ck_assert(HOLDS(x86, 4, 0xf0, 0x0f, 0xc1, 0x02, 0x83, 0xf8, 0x01));
	/* lock cmpxchg [rip + 0x194d9b], edx; jne */
	ck_assert(HOLDS(x86, 8, 0xf0, 0x0f, 0xb1, 0x15, 0x9b, 0x4d, 0x19, 0x00, 0x75, 0x3d));
	/* lock inc qword [rax + rcx * 8]; ret */
	ck_assert(HOLDS(x86, 5, 0xf0, 0x48, 0xff, 0x04, 0xc8, 0xc3));
	/* lock cmpxchg16b [rdi]; sete al */
	ck_assert(HOLDS(x86, 5, 0xf0, 0x48, 0x0f, 0xc7, 0x0f, 0x0f, 0x94, 0xc0));
	/* lock sub word [rdi], 0x100; ret: a constant of two bytes */
	ck_assert(HOLDS(x86, 6, 0x66, 0xf0, 0x81, 0x2f, 0x00, 0x01, 0xc3));
}
END_TEST

START_TEST(exchanges_with_memory_are_atomic)
{
	/* xchg [rdi], edx; cmp edx, 1 */
	ck_assert(HOLDS(x86, 0, 0x87, 0x17, 0x83, 0xfa, 0x01));
	ck_assert(HOLDS(x86, 2, 0x87, 0x17, 0x83, 0xfa, 0x01));
	/* xchg ecx, edx; xchg ax, ax: between registers */
	ck_assert(!HOLDS(x86, 2, 0x87, 0xd1, 0x83, 0xfa, 0x01));
	ck_assert(!HOLDS(x86, 2, 0x66, 0x90, 0x83, 0xfa, 0x01));
}
END_TEST

START_TEST(other_instructions_are_not)
{
	/* add dword [rdi], 1; ret */
	ck_assert(!HOLDS(x86, 3, 0x83, 0x07, 0x01, 0xc3));
	/* lock xadd [rdx], eax; cmp eax, 1; je: two instructions behind it */
	ck_assert(!HOLDS(x86, 7, 0xf0, 0x0f, 0xc1, 0x02, 0x83, 0xf8, 0x01, 0x74, 0x02));
	/* the end of the code; an address outside */
	ck_assert(!HOLDS(x86, 0, 0xf0, 0x0f, 0xc1));
	ck_assert(!HOLDS(x86, 9, 0x90));
	/* lock cmp: there is none */
	ck_assert(!HOLDS(x86, 4, 0xf0, 0x83, 0x3f, 0x01, 0xc3));
}
END_TEST

START_TEST(arm_has_both_kinds)
{
	/* ldaddal w1, w0, [x2]; ret */
	ck_assert(HOLDS(arm, 0, 0x40, 0x00, 0xe1, 0xb8, 0xc0, 0x03, 0x5f, 0xd6));
	ck_assert(HOLDS(arm, 4, 0x40, 0x00, 0xe1, 0xb8, 0xc0, 0x03, 0x5f, 0xd6));
	/* casal w0, w1, [x2] */
	ck_assert(HOLDS(arm, 0, 0x41, 0xfc, 0xe0, 0x88));
	/* stlxr w3, w1, [x2]; cbnz w3 */
	ck_assert(HOLDS(arm, 4, 0x41, 0xfc, 0x03, 0x88, 0xa3, 0xff, 0xff, 0x35));
	/* ldr w0, [x1]; ldar w0, [x1]; ldapr w0, [x1] */
	ck_assert(!HOLDS(arm, 0, 0x20, 0x00, 0x40, 0xb9));
	ck_assert(!HOLDS(arm, 0, 0x20, 0xfc, 0xdf, 0x88));
	ck_assert(!HOLDS(arm, 0, 0x20, 0xc0, 0xbf, 0xb8));
	/* half of an instruction */
	ck_assert(!HOLDS(arm, 2, 0x40, 0x00, 0xe1, 0xb8));
}
END_TEST

UNIT_MAIN("atomic_code", locked_instructions_are_atomic, exchanges_with_memory_are_atomic,
	  other_instructions_are_not, arm_has_both_kinds)

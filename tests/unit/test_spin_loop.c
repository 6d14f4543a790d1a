/* SPDX-License-Identifier: MIT */
/* Loops that wait, and loops that work, in x86-64; the bytes are those that gcc and clang made. */
#include "analyze/symbols/spin_loop.h"
#include "tests/unit/unit.h"

#define HOLDS(at, ...)                                                                             \
	spin_loop_holds((const unsigned char[]){__VA_ARGS__},                                      \
			sizeof((const unsigned char[]){__VA_ARGS__}), at)

START_TEST(reading_a_variable_is_waiting)
{
	/* mov eax, [rip + 0x2e1a]; cmp eax, edi; jne */
	ck_assert(HOLDS(0, 0x8b, 0x05, 0x1a, 0x2e, 0, 0, 0x39, 0xf8, 0x75, 0xf6));
	ck_assert(HOLDS(6, 0x8b, 0x05, 0x1a, 0x2e, 0, 0, 0x39, 0xf8, 0x75, 0xf6));
	ck_assert(HOLDS(8, 0x8b, 0x05, 0x1a, 0x2e, 0, 0, 0x39, 0xf8, 0x75, 0xf6));
	/* test byte [rdi], 1; je */
	ck_assert(HOLDS(0, 0xf6, 0x07, 0x01, 0x74, 0xfb));
	/* cmp dword [rdi + 8], 0; je */
	ck_assert(HOLDS(0, 0x83, 0x7f, 0x08, 0x00, 0x74, 0xfa));
	/* pause; movzx eax, byte [rbx + 0x40]; test al, al; je */
	ck_assert(HOLDS(2, 0xf3, 0x90, 0x0f, 0xb6, 0x43, 0x40, 0x84, 0xc0, 0x74, 0xf6));
	/* mov rax, [rdi]; mov eax, [rax + 16]; test eax, eax; je: what a pointer points to */
	ck_assert(HOLDS(0, 0x48, 0x8b, 0x07, 0x8b, 0x40, 0x10, 0x85, 0xc0, 0x74, 0xf6));
}
END_TEST

START_TEST(taking_a_spinlock_is_waiting)
{
	/* mov eax, 1; xchg al, [rdi]; test al, al; jne */
	ck_assert(HOLDS(0, 0xb8, 1, 0, 0, 0, 0x86, 0x07, 0x84, 0xc0, 0x75, 0xf5));
	/* xor eax, eax; lock cmpxchg [rdi], edx; jne */
	ck_assert(HOLDS(2, 0x31, 0xc0, 0xf0, 0x0f, 0xb1, 0x17, 0x75, 0xf8));
	/* the accumulator holds what the last try found */
	ck_assert(!HOLDS(0, 0xf0, 0x0f, 0xb1, 0x17, 0x75, 0xfa));
	/* mov edx, eax; or edx, 64; lock cmpxchg [rdi], edx; jne: so does what is made of it */
	ck_assert(!HOLDS(0, 0x89, 0xc2, 0x83, 0xca, 0x40, 0xf0, 0x0f, 0xb1, 0x17, 0x75, 0xf5));
	/* mov eax, edi; lock cmpxchg [rsi], edx; jne: no instruction before it sets flags */
	ck_assert(HOLDS(0, 0x89, 0xf8, 0xf0, 0x0f, 0xb1, 0x16, 0x75, 0xf8));
}
END_TEST

START_TEST(loops_over_data_are_work)
{
	/* add rax, [rdi]; add rdi, 8; cmp rdi, rdx; jne: a sum */
	ck_assert(
		!HOLDS(0, 0x48, 0x03, 0x07, 0x48, 0x83, 0xc7, 0x08, 0x48, 0x39, 0xd7, 0x75, 0xf4));
	/* cmp byte [rdi], 0; lea rdi, [rdi + 1]; jne: the length of a text */
	ck_assert(!HOLDS(0, 0x80, 0x3f, 0x00, 0x48, 0x8d, 0x7f, 0x01, 0x75, 0xf7));
	/* mov rax, [rax]; test rax, rax; jne: a list */
	ck_assert(!HOLDS(0, 0x48, 0x8b, 0x00, 0x48, 0x85, 0xc0, 0x75, 0xf8));
	/* movsd xmm0, [rdi + rax * 8]; ...: a dot product has instructions that are not known */
	ck_assert(!HOLDS(0, 0xf2, 0x0f, 0x10, 0x04, 0xc7, 0xf2, 0x0f, 0x59, 0x04, 0xc6, 0xf2, 0x0f,
			 0x58, 0xc8, 0x48, 0x83, 0xc0, 0x01, 0x48, 0x39, 0xc2, 0x75, 0xe9));
	/* mov [rdi], eax; cmp dword [rsi], 0; je: somebody may watch */
	ck_assert(!HOLDS(0, 0x89, 0x07, 0x83, 0x3e, 0x00, 0x74, 0xf9));
	/* sub eax, 1; jne: counts, without memory */
	ck_assert(!HOLDS(0, 0x83, 0xe8, 0x01, 0x75, 0xfb));
	/* cmp eax, esi; setge [rdi]; cmp dword [rdx], 0; je: stores */
	ck_assert(!HOLDS(0, 0x39, 0xf0, 0x0f, 0x9d, 0x07, 0x83, 0x3a, 0x00, 0x74, 0xf6));
	/* cmp dword [rdi], 0; jne out; sub ecx, 1; jne: waits for some rounds only */
	ck_assert(!HOLDS(0, 0x83, 0x3f, 0x00, 0x75, 0x05, 0x83, 0xe9, 0x01, 0x75, 0xf6));
	/* call; cmp dword [rdi], 0; je: nobody knows what is called */
	ck_assert(!HOLDS(5, 0xe8, 0, 0, 0, 0, 0x83, 0x3f, 0x00, 0x74, 0xf6));
}
END_TEST

/* xor eax, eax; jmp away; cmp qword [rdi + 96], 0; jne: goes back, but not around. */
START_TEST(what_jumps_away_is_no_loop)
{
	ck_assert(!HOLDS(7, 0x31, 0xc0, 0xe9, 0x3e, 0xe1, 0x10, 0, 0x48, 0x83, 0x7f, 0x60, 0x00,
			 0x75, 0xf2));
	/* cmp dword [rdi], 0; jne out; pause; jmp: an exit in front, and always back */
	ck_assert(HOLDS(0, 0x83, 0x3f, 0x00, 0x75, 0x04, 0xf3, 0x90, 0xeb, 0xf7));
}
END_TEST

START_TEST(code_ends_anywhere)
{
	static const unsigned char code[] = {0x8b, 0x05, 0x1a, 0x2e, 0, 0, 0x39, 0xf8, 0x75, 0xf6};

	for (size_t size = 0; size < sizeof code; size++)
		for (size_t at = 0; at <= size; at++)
			ck_assert(!spin_loop_holds(code, size, at));
	ck_assert(!spin_loop_holds(code + 6, 4, 0));       /* the jump goes to before the code */
	ck_assert(!spin_loop_holds(code, sizeof code, 7)); /* no instruction begins there */
}
END_TEST

UNIT_MAIN("spin_loop", reading_a_variable_is_waiting, taking_a_spinlock_is_waiting,
	  loops_over_data_are_work, what_jumps_away_is_no_loop, code_ends_anywhere)

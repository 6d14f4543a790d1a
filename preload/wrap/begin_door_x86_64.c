/* SPDX-License-Identifier: MIT */
/* mcount and __fentry__, which routines call first if they were compiled with -pg, or with -mfentry
 * as well: each call is counted, and goes on to libc's.
 *
 * A jump, not a call: libc's reads from the stack who was called and by whom. No register is to
 * change, as the routine's arguments may be in any of them, and as gcc has values in r10 and rax.
 * begin_hook uses general registers only; for begin_hook_new the others are saved as well, as far
 * as arguments can be in them, which excludes zmm16 to zmm31. Compiled for general registers only.
 *
 * The names have glibc's versions, and those alone (one @: not the default), as the routines that a
 * compiler makes call them have: `mcount` is a name that any library may use for a variable of its
 * own. Before this library is relocated (resolvers of ifuncs) the next hook is NULL. */
#include "preload/process/real.h"

#include <cpuid.h>

enum {
	SAVED_MOST = 1664, /* zmm0 to zmm15 end there, and lower on AMD's processors */
	SAVED_AVX = 832,   /* the upper halves of AVX's registers lie behind the header */
	SAVED_LEAST = 576, /* x87 and SSE, and the header behind them */
	LEAF_FEATURES = 1,
	LEAF_STATES = 13,
	CAN_ASK = 4,        /* of the second part of that leaf: XGETBV tells what is in use */
	STATES_FIRST = 3,   /* x87 and SSE: in the fixed part of the area */
	STATES_MORE = 0xe4, /* AVX, and the three of AVX-512 */
	STATES_COUNT = 8
};

/* As in the text below: numbers of bytes that check-stack can read. */
#define MOST_TEXT  "1664"
#define AVX_TEXT   "832"
#define LEAST_TEXT "576"
_Static_assert(SAVED_MOST == 1664 && SAVED_AVX == 832 && SAVED_LEAST == 576, "as in the texts");

/* What is saved, and in how many bytes: results in rax and rdx. */
struct saved {
	uint64_t states, bytes;
};

/* All that may be saved; 0: the processor has no XSAVE, or the kernel does not use it. */
uint32_t begin_door_states(void);
/* Of that what is in use now; what is not needs no memory. */
struct saved begin_door_saved(void);

/* Found once; atomic: any thread, always the same; is_known is set after the others. */
static struct {
	uint32_t states;
	uint32_t ends[STATES_COUNT]; /* in the area */
	bool can_ask;
	bool is_known;
} door;

static uint32_t get_states(uint32_t which)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(which));
	return low;
}

static uint32_t find_states(void)
{
	uint32_t bytes, offset, c, d, states = STATES_FIRST, used;

	__cpuid(LEAF_FEATURES, bytes, offset, c, d);
	if (!(c & bit_OSXSAVE))
		return 0;
	__cpuid_count(LEAF_STATES, 1, bytes, offset, c, d);
	__atomic_store_n(&door.can_ask, bytes & CAN_ASK, __ATOMIC_RELAXED);
	used = get_states(0) & STATES_MORE;
	for (uint32_t i = 2; i < STATES_COUNT; i++) {
		if (!(used & 1u << i))
			continue;
		__cpuid_count(LEAF_STATES, i, bytes, offset, c, d);
		__atomic_store_n(&door.ends[i], offset + bytes, __ATOMIC_RELAXED);
		if (offset + bytes <= SAVED_MOST)
			states |= 1u << i;
	}
	return states;
}

/* cpuid takes microseconds in a virtual machine, so it is asked once. */
uint32_t begin_door_states(void)
{
	if (!__atomic_load_n(&door.is_known, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&door.states, find_states(), __ATOMIC_RELAXED);
		__atomic_store_n(&door.is_known, true, __ATOMIC_RELEASE);
	}
	return __atomic_load_n(&door.states, __ATOMIC_RELAXED);
}

struct saved begin_door_saved(void)
{
	struct saved saved = {begin_door_states(), SAVED_LEAST};

	if (__atomic_load_n(&door.can_ask, __ATOMIC_RELAXED))
		saved.states &= get_states(1) | STATES_FIRST;
	for (uint32_t i = 2; i < STATES_COUNT; i++) {
		uint32_t end = __atomic_load_n(&door.ends[i], __ATOMIC_RELAXED);
		if (saved.states & 1u << i && end > saved.bytes)
			saved.bytes = end;
	}
	return saved;
}

#define DOOR(name, version)                                                                        \
	".globl begin_door_" #name "\n"                                                            \
	".symver begin_door_" #name ", " #name "@" version "\n"                                    \
	".type begin_door_" #name ", @function\nbegin_door_" #name ":\n"                           \
	"	.cfi_startproc\n"                                                                        \
	"	endbr64\n"                                                                               \
	"	cmpq $0, real_next_" #name "(%rip)\n"                                              \
	"	je 1f\n"                                                                                 \
	"	subq $72, %rsp\n"                                                                        \
	"	.cfi_adjust_cfa_offset 72\n"                                                             \
	"	movq %rax, 0(%rsp)\n"                                                                    \
	"	movq %rdi, 8(%rsp)\n"                                                                    \
	"	movq %rsi, 16(%rsp)\n"                                                                   \
	"	movq %rdx, 24(%rsp)\n"                                                                   \
	"	movq %rcx, 32(%rsp)\n"                                                                   \
	"	movq %r8, 40(%rsp)\n"                                                                    \
	"	movq %r9, 48(%rsp)\n"                                                                    \
	"	movq %r10, 56(%rsp)\n"                                                                   \
	"	movq %r11, 64(%rsp)\n"                                                                   \
	"	leaq 72(%rsp), %rsi\n"                                                                   \
	"	movq (%rsi), %rdi\n"                                                                     \
	"	call begin_hook\n"                                                                       \
	"	testb %al, %al\n"                                                                        \
	"	jne 2f\n"                                                                                \
	"	leaq 72(%rsp), %rsi\n"                                                                   \
	"	movq (%rsi), %rdi\n"                                                                     \
	"	call begin_door_save\n"                                                                  \
	"2:	movq 0(%rsp), %rax\n"                                                                  \
	"	movq 8(%rsp), %rdi\n"                                                                    \
	"	movq 16(%rsp), %rsi\n"                                                                   \
	"	movq 24(%rsp), %rdx\n"                                                                   \
	"	movq 32(%rsp), %rcx\n"                                                                   \
	"	movq 40(%rsp), %r8\n"                                                                    \
	"	movq 48(%rsp), %r9\n"                                                                    \
	"	movq 56(%rsp), %r10\n"                                                                   \
	"	movq 64(%rsp), %r11\n"                                                                   \
	"	addq $72, %rsp\n"                                                                        \
	"	.cfi_adjust_cfa_offset -72\n"                                                            \
	"	jmp *real_next_" #name "(%rip)\n"                                                  \
	"1:	ret\n"                                                                                 \
	"	.cfi_endproc\n"                                                                          \
	".size begin_door_" #name ", . - begin_door_" #name "\n"

/* begin_hook_new with the other registers saved, in an area as XSAVE and FXSAVE want it: aligned,
 * with a header of zeros, where XSAVE notes what is saved: XRSTOR puts the rest in its first state,
 * in which it was. */
#define SAVE                                                                                       \
	".type begin_door_save, @function\n"                                                       \
	"begin_door_save:\n"                                                                       \
	"	.cfi_startproc\n"                                                                        \
	"	pushq %rbp\n"                                                                            \
	"	.cfi_def_cfa_offset 16\n"                                                                \
	"	.cfi_offset %rbp, -16\n"                                                                 \
	"	movq %rsp, %rbp\n"                                                                       \
	"	.cfi_def_cfa_register %rbp\n"                                                            \
	"	subq $16, %rsp\n"                                                                        \
	"	movq %rdi, -8(%rbp)\n"                                                                   \
	"	movq %rsi, -16(%rbp)\n"                                                                  \
	"	call begin_door_saved\n"                                                                 \
	"	cmpq $" LEAST_TEXT ", %rdx\n"                                                      \
	"	jbe 6f\n"                                                                                \
	"	cmpq $" AVX_TEXT ", %rdx\n"                                                        \
	"	jbe 7f\n"                                                                                \
	"	subq $" MOST_TEXT ", %rsp\n"                                                       \
	"	jmp 8f\n"                                                                                \
	"6:	subq $" LEAST_TEXT ", %rsp\n"                                                      \
	"	jmp 8f\n"                                                                                \
	"7:	subq $" AVX_TEXT ", %rsp\n"                                                        \
	"8:\n"                                                                                     \
	"	andq $-64, %rsp\n"                                                                       \
	"	xorl %edx, %edx\n"                                                                       \
	"	testl %eax, %eax\n"                                                                      \
	"	je 3f\n"                                                                                 \
	"	movl $8, %ecx\n"                                                                         \
	"4:	movq $0, 504(%rsp, %rcx, 8)\n"                                                         \
	"	decl %ecx\n"                                                                             \
	"	jne 4b\n"                                                                                \
	"	xsave64 (%rsp)\n"                                                                        \
	"	movq -8(%rbp), %rdi\n"                                                                   \
	"	movq -16(%rbp), %rsi\n"                                                                  \
	"	call begin_hook_new\n"                                                                   \
	"	call begin_door_states\n"                                                                \
	"	xorl %edx, %edx\n"                                                                       \
	"	xrstor64 (%rsp)\n"                                                                       \
	"	jmp 5f\n"                                                                                \
	"3:	fxsave64 (%rsp)\n"                                                                     \
	"	movq -8(%rbp), %rdi\n"                                                                   \
	"	movq -16(%rbp), %rsi\n"                                                                  \
	"	call begin_hook_new\n"                                                                   \
	"	fxrstor64 (%rsp)\n"                                                                      \
	"5:	leave\n"                                                                               \
	"	.cfi_def_cfa %rsp, 8\n"                                                                  \
	"	ret\n"                                                                                   \
	"	.cfi_endproc\n"                                                                          \
	".size begin_door_save, . - begin_door_save\n"

__asm__(".text\n" SAVE DOOR(mcount, "GLIBC_2.2.5") DOOR(_mcount, "GLIBC_2.2.5")
		DOOR(__fentry__, "GLIBC_2.13"));

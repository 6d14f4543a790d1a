/* SPDX-License-Identifier: MIT */
/* Fills all registers, calls a hook that routines call at their begin, and looks which have
 * changed: at a thread's first call, at its first one from that place, and at others. libc's own
 * hooks change none, as the program is not profiled by libc. x86-64. */
#include "truth.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void mcount(void);
void _mcount(void);
void __fentry__(void);

enum { GENERAL = 14, VECTORS = 16, MASKS = 8 };

struct registers {
	uint64_t general[GENERAL]; /* all but rsp and rbp */
	uint64_t masks[MASKS];
	uint8_t vectors[VECTORS][64];
	uint8_t fixed[512] __attribute__((aligned(64))); /* x87, MXCSR: as FXSAVE has them */
};
_Static_assert(offsetof(struct registers, masks) == 112 &&
		       offsetof(struct registers, vectors) == 176,
	       "as in the text below");

#define ALL_VECTORS(X, with)                                                                       \
	X(0, with)                                                                                 \
	X(1, with)                                                                                 \
	X(2, with)                                                                                 \
	X(3, with)                                                                                 \
	X(4, with)                                                                                 \
	X(5, with)                                                                                 \
	X(6, with)                                                                                 \
	X(7, with)                                                                                 \
	X(8, with)                                                                                 \
	X(9, with) X(10, with) X(11, with) X(12, with) X(13, with) X(14, with) X(15, with)
#define LOAD_SSE(n, _)  "	movups 176+64*" #n "(%rdi), %xmm" #n "\n"
#define STORE_SSE(n, _) "	movups %xmm" #n ", 176+64*" #n "(%rdi)\n"
#define LOAD_AVX(n, _)  "	vmovups 176+64*" #n "(%rdi), %ymm" #n "\n"
#define STORE_AVX(n, _) "	vmovups %ymm" #n ", 176+64*" #n "(%rdi)\n"
#define LOAD_512(n, _)  "	vmovups 176+64*" #n "(%rdi), %zmm" #n "\n"
#define STORE_512(n, _) "	vmovups %zmm" #n ", 176+64*" #n "(%rdi)\n"
#define LOAD_MASK(n)    "	kmovw 112+8*" #n "(%rdi), %k" #n "\n"
#define STORE_MASK(n)   "	kmovw %k" #n ", 112+8*" #n "(%rdi)\n"
#define ALL_MASKS(X)    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

/* NAME(in, out, hook). The x87 registers have constants; rounding is upwards, with exceptions
 * pending. */
#define CALLER(name, load, store)                                                                  \
	void name(const struct registers *in, struct registers *out, void (*hook)(void));          \
	__asm__(".text\n" #name ":\n"                                                              \
		"	pushq %rbp\n"                                                                    \
		"	movq %rsp, %rbp\n"                                                               \
		"	pushq %rbx\n"                                                                    \
		"	pushq %r12\n"                                                                    \
		"	pushq %r13\n"                                                                    \
		"	pushq %r14\n"                                                                    \
		"	pushq %r15\n"                                                                    \
		"	pushq %rsi\n"                                                                    \
		"	pushq %rdx\n"                                                                    \
		"	subq $8, %rsp\n" load "	fld1\n"                                            \
		"	fldpi\n"                                                                         \
		"	fldl2e\n"                                                                        \
		"	movq 0(%rdi), %rax\n"                                                            \
		"	movq 8(%rdi), %rbx\n"                                                            \
		"	movq 16(%rdi), %rcx\n"                                                           \
		"	movq 24(%rdi), %rdx\n"                                                           \
		"	movq 32(%rdi), %rsi\n"                                                           \
		"	movq 48(%rdi), %r8\n"                                                            \
		"	movq 56(%rdi), %r9\n"                                                            \
		"	movq 64(%rdi), %r10\n"                                                           \
		"	movq 72(%rdi), %r11\n"                                                           \
		"	movq 80(%rdi), %r12\n"                                                           \
		"	movq 88(%rdi), %r13\n"                                                           \
		"	movq 96(%rdi), %r14\n"                                                           \
		"	movq 104(%rdi), %r15\n"                                                          \
		"	movq 40(%rdi), %rdi\n"                                                           \
		"	call *8(%rsp)\n"                                                                 \
		"	movq %rdi, (%rsp)\n"                                                             \
		"	movq 16(%rsp), %rdi\n"                                                           \
		"	movq %rax, 0(%rdi)\n"                                                            \
		"	movq %rbx, 8(%rdi)\n"                                                            \
		"	movq %rcx, 16(%rdi)\n"                                                           \
		"	movq %rdx, 24(%rdi)\n"                                                           \
		"	movq %rsi, 32(%rdi)\n"                                                           \
		"	movq (%rsp), %rax\n"                                                             \
		"	movq %rax, 40(%rdi)\n"                                                           \
		"	movq %r8, 48(%rdi)\n"                                                            \
		"	movq %r9, 56(%rdi)\n"                                                            \
		"	movq %r10, 64(%rdi)\n"                                                           \
		"	movq %r11, 72(%rdi)\n"                                                           \
		"	movq %r12, 80(%rdi)\n"                                                           \
		"	movq %r13, 88(%rdi)\n"                                                           \
		"	movq %r14, 96(%rdi)\n"                                                           \
		"	movq %r15, 104(%rdi)\n" store "	fxsave64 1216(%rdi)\n"                     \
		"	fstp %st(0)\n"                                                                   \
		"	fstp %st(0)\n"                                                                   \
		"	fstp %st(0)\n"                                                                   \
		"	addq $24, %rsp\n"                                                                \
		"	popq %r15\n"                                                                     \
		"	popq %r14\n"                                                                     \
		"	popq %r13\n"                                                                     \
		"	popq %r12\n"                                                                     \
		"	popq %rbx\n"                                                                     \
		"	popq %rbp\n"                                                                     \
		"	ret\n");
_Static_assert(offsetof(struct registers, fixed) == 1216, "as in the text above");

CALLER(call_with_sse, ALL_VECTORS(LOAD_SSE, ), ALL_VECTORS(STORE_SSE, ))
CALLER(call_with_avx, ALL_VECTORS(LOAD_AVX, ), ALL_VECTORS(STORE_AVX, ) "	vzeroupper\n")
CALLER(call_with_512, ALL_VECTORS(LOAD_512, ) ALL_MASKS(LOAD_MASK),
       ALL_VECTORS(STORE_512, ) ALL_MASKS(STORE_MASK) "	vzeroupper\n")

typedef void caller(const struct registers *in, struct registers *out, void (*hook)(void));

static struct {
	caller *call;
	unsigned vector_bytes;
	bool has_masks;
} machine = {call_with_sse, 16, false};

static uint64_t changed_general, changed_vectors, changed_masks, changed_fixed, calls;

static void fill(struct registers *registers, unsigned seed)
{
	uint8_t *bytes = (uint8_t *)registers;

	for (size_t i = 0; i < offsetof(struct registers, fixed); i++)
		bytes[i] = (uint8_t)(seed = seed * 1103515245u + 12345u, seed >> 16);
}

static void compare(const struct registers *in, const struct registers *out,
		    const struct registers *plain)
{
	for (int i = 0; i < GENERAL; i++)
		changed_general += in->general[i] != out->general[i];
	for (int i = 0; i < VECTORS; i++)
		changed_vectors +=
			memcmp(in->vectors[i], out->vectors[i], machine.vector_bytes) != 0;
	for (int i = 0; machine.has_masks && i < MASKS; i++)
		changed_masks += (uint16_t)in->masks[i] != (uint16_t)out->masks[i];
	/* control and status, MXCSR, and the three registers */
	changed_fixed += memcmp(out->fixed, plain->fixed, 6) != 0;
	changed_fixed += memcmp(out->fixed + 24, plain->fixed + 24, 8 + 3 * 16) != 0;
}

static void nothing(void)
{
}

static void *call(void *hook)
{
	struct registers in, out, plain;

	memset(&in, 0, sizeof in);
	memset(&out, 0, sizeof out);
	memset(&plain, 0, sizeof plain);
	_mm_setcsr((_mm_getcsr() & ~0x6000u) | 0x4011);
	for (unsigned i = 0; i < 20; i++) {
		fill(&in, i + 1);
		machine.call(&in, &plain, nothing);
		machine.call(&in, &out, (void (*)(void))hook);
		calls++;
		compare(&in, &out, &plain);
	}
	return NULL;
}

int main(void)
{
	void (*const hooks[])(void) = {mcount, _mcount, __fentry__};

	if (__builtin_cpu_supports("avx512f")) {
		machine.call = call_with_512;
		machine.vector_bytes = 64;
		machine.has_masks = true;
	} else if (__builtin_cpu_supports("avx")) {
		machine.call = call_with_avx;
		machine.vector_bytes = 32;
	}
	for (int i = 0; i < 12; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, call, (void *)hooks[i % 3]);
		pthread_join(thread, NULL);
	}
	truth("general", (double)changed_general);
	truth("vectors", (double)changed_vectors);
	truth("masks", (double)changed_masks);
	truth("fixed", (double)changed_fixed);
	truth("calls", (double)calls);
	truth("vector bytes", machine.vector_bytes);
	truth_end();
	return 0;
}

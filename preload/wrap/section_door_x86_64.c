/* SPDX-License-Identifier: MIT */
/* Doors of routines that are sections (section_routines.h): the routine is called as its caller
 * called it, between the section's begin and its end.
 *
 * A call, not a jump: no return address is replaced, so that unwinding, exceptions and shadow
 * stacks find what they expect. That costs the arguments on the stack: as many words as any call
 * may have are passed on, whether there are arguments in them or not. All registers that may have
 * arguments or results are as they were, vectors in their full width. */
#include "preload/life/section_routines.h"

/* As in the text below. */
_Static_assert(SECTION_DOOR_BYTES == 16 && SECTION_ROUTINES == 16, "as in the text");

/* Calls r11 with rdi and rsi; its results are in rax and rdx, and all vectors as they were: saved
 * as begin_door_x86_64.c does it. */
#define QUIETLY                                                                                    \
	".type section_door_quietly, @function\n"                                                  \
	"section_door_quietly:\n"                                                                  \
	"	.cfi_startproc\n"                                                                        \
	"	pushq %rbp\n"                                                                            \
	"	.cfi_def_cfa_offset 16\n"                                                                \
	"	.cfi_offset %rbp, -16\n"                                                                 \
	"	movq %rsp, %rbp\n"                                                                       \
	"	.cfi_def_cfa_register %rbp\n"                                                            \
	"	subq $1728, %rsp\n" /* 40 below the frame, 1664 to save in, 24 to align */         \
	"	movq %rdi, -8(%rbp)\n"                                                                   \
	"	movq %rsi, -16(%rbp)\n"                                                                  \
	"	movq %r11, -24(%rbp)\n"                                                                  \
	"	andq $-64, %rsp\n"                                                                       \
	"	call begin_door_saved\n"                                                                 \
	"	movq %rax, -32(%rbp)\n"                                                                  \
	"	testl %eax, %eax\n"                                                                      \
	"	je 3f\n"                                                                                 \
	"	xorl %edx, %edx\n"                                                                       \
	"	movl $8, %ecx\n"                                                                         \
	"4:	movq $0, 504(%rsp, %rcx, 8)\n"                                                         \
	"	decl %ecx\n"                                                                             \
	"	jne 4b\n"                                                                                \
	"	xsave64 (%rsp)\n"                                                                        \
	"	movq -8(%rbp), %rdi\n"                                                                   \
	"	movq -16(%rbp), %rsi\n"                                                                  \
	"	call *-24(%rbp)\n"                                                                       \
	"	movq %rax, -8(%rbp)\n"                                                                   \
	"	movq %rdx, -16(%rbp)\n"                                                                  \
	"	call begin_door_states\n"                                                                \
	"	xorl %edx, %edx\n"                                                                       \
	"	xrstor64 (%rsp)\n"                                                                       \
	"	jmp 5f\n"                                                                                \
	"3:	fxsave64 (%rsp)\n"                                                                     \
	"	movq -8(%rbp), %rdi\n"                                                                   \
	"	movq -16(%rbp), %rsi\n"                                                                  \
	"	call *-24(%rbp)\n"                                                                       \
	"	movq %rax, -8(%rbp)\n"                                                                   \
	"	movq %rdx, -16(%rbp)\n"                                                                  \
	"	fxrstor64 (%rsp)\n"                                                                      \
	"5:	movq -8(%rbp), %rax\n"                                                                 \
	"	movq -16(%rbp), %rdx\n"                                                                  \
	"	leave\n"                                                                                 \
	"	.cfi_def_cfa %rsp, 8\n"                                                                  \
	"	ret\n"                                                                                   \
	"	.cfi_endproc\n"                                                                          \
	".size section_door_quietly, . - section_door_quietly\n"

/* r11: which routine. */
#define DOOR                                                                                       \
	".type section_door, @function\n"                                                          \
	"section_door:\n"                                                                          \
	"	.cfi_startproc\n"                                                                        \
	"	pushq %rbp\n"                                                                            \
	"	.cfi_def_cfa_offset 16\n"                                                                \
	"	.cfi_offset %rbp, -16\n"                                                                 \
	"	movq %rsp, %rbp\n"                                                                       \
	"	.cfi_def_cfa_register %rbp\n"                                                            \
	"	subq $80, %rsp\n"                                                                        \
	"	movq %rdi, -8(%rbp)\n"                                                                   \
	"	movq %rsi, -16(%rbp)\n"                                                                  \
	"	movq %rdx, -24(%rbp)\n"                                                                  \
	"	movq %rcx, -32(%rbp)\n"                                                                  \
	"	movq %r8, -40(%rbp)\n"                                                                   \
	"	movq %r9, -48(%rbp)\n"                                                                   \
	"	movq %rax, -56(%rbp)\n"                                                                  \
	"	movq %r10, -64(%rbp)\n"                                                                  \
	"	movq %r11, -72(%rbp)\n"                                                                  \
	"	movq %r11, %rdi\n"                                                                       \
	"	movq %rbp, %rsi\n"                                                                       \
	"	leaq section_routine_enter(%rip), %r11\n"                                                \
	"	call section_door_quietly\n"                                                             \
	"	movq %rax, %r11\n"                                                                       \
	"	movq %rdx, %rcx\n"                                                                       \
	"1:	testq %rcx, %rcx\n"                                                                    \
	"	je 2f\n"                                                                                 \
	"	pushq 8(%rbp, %rcx, 8)\n"                                                                \
	"	decq %rcx\n"                                                                             \
	"	jmp 1b\n"                                                                                \
	"2:	movq -8(%rbp), %rdi\n"                                                                 \
	"	movq -16(%rbp), %rsi\n"                                                                  \
	"	movq -24(%rbp), %rdx\n"                                                                  \
	"	movq -32(%rbp), %rcx\n"                                                                  \
	"	movq -40(%rbp), %r8\n"                                                                   \
	"	movq -48(%rbp), %r9\n"                                                                   \
	"	movq -56(%rbp), %rax\n"                                                                  \
	"	movq -64(%rbp), %r10\n"                                                                  \
	"	call *%r11\n"                                                                            \
	"	movq %rax, -8(%rbp)\n"                                                                   \
	"	movq %rdx, -16(%rbp)\n"                                                                  \
	"	movq -72(%rbp), %rdi\n"                                                                  \
	"	movq %rbp, %rsi\n"                                                                       \
	"	leaq section_routine_leave(%rip), %r11\n"                                                \
	"	call section_door_quietly\n"                                                             \
	"	movq -8(%rbp), %rax\n"                                                                   \
	"	movq -16(%rbp), %rdx\n"                                                                  \
	"	leave\n"                                                                                 \
	"	.cfi_def_cfa %rsp, 8\n"                                                                  \
	"	ret\n"                                                                                   \
	"	.cfi_endproc\n"                                                                          \
	".size section_door, . - section_door\n"

__asm__(".text\n" QUIETLY DOOR "	.balign 16\n"
	".globl section_doors\n"
	".hidden section_doors\n"
	".type section_doors, @function\n"
	"section_doors:\n"
	"	.cfi_startproc\n"
	"	.set number, 0\n"
	"	.rept 16\n"
	"	.balign 16\n"
	"	endbr64\n"
	"	movl $number, %r11d\n"
	"	jmp section_door\n"
	"	.set number, number + 1\n"
	"	.endr\n"
	"	.cfi_endproc\n"
	".size section_doors, . - section_doors\n");

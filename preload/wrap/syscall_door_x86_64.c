/* SPDX-License-Identifier: MIT */
/* libc's syscall(): programs and libseccomp call seccomp through it, to forbid themselves system
 * calls; the locks of C++20 and Rust call futex.
 *
 * A jump, not a call: whatever it is used for (vfork, clone with another stack) finds registers and
 * stack as the program left them. Only seccomp, prctl, and the first call of all, go through
 * sandbox_before_syscall. futex and futex_waitv jump to wrap_futex, io_uring_enter to wrap_uring: C
 * functions that have the same arguments at the same places, seven words, of which the last lies on
 * the stack. */
#include "preload/life/sandbox.h"

#include <sys/syscall.h>

#ifndef __NR_futex_waitv /* Linux 5.16 */
#define __NR_futex_waitv 449
#endif
#ifndef __NR_io_uring_enter /* Linux 5.1 */
#define __NR_io_uring_enter 426
#endif

#define NUMBER_TEXT(number) #number
#define NUMBER(number)      NUMBER_TEXT(number)

__asm__(".text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	cmpq $" NUMBER(__NR_futex) ", %rdi\n"
	"	je wrap_futex\n"
	"	cmpq $" NUMBER(__NR_futex_waitv) ", %rdi\n"
	"	je wrap_futex\n"
	"	cmpq $" NUMBER(__NR_io_uring_enter) ", %rdi\n"
	"	je wrap_uring\n"
	"	movq sandbox_real_syscall(%rip), %rax\n"
	"	cmpq $" NUMBER(__NR_seccomp) ", %rdi\n"
	"	je 1f\n"
	"	cmpq $" NUMBER(__NR_prctl) ", %rdi\n"
	"	je 1f\n"
	"	testq %rax, %rax\n"
	"	jz 1f\n"
	"	jmp *%rax\n"
	"1:	subq $56, %rsp\n" /* the stack stays aligned to 16 bytes */
	"	.cfi_adjust_cfa_offset 56\n"
	"	movq %rdi, 0(%rsp)\n"
	"	movq %rsi, 8(%rsp)\n"
	"	movq %rdx, 16(%rsp)\n"
	"	movq %rcx, 24(%rsp)\n"
	"	movq %r8, 32(%rsp)\n"
	"	movq %r9, 40(%rsp)\n"
	"	call sandbox_before_syscall\n"
	"	movq 0(%rsp), %rdi\n"
	"	movq 8(%rsp), %rsi\n"
	"	movq 16(%rsp), %rdx\n"
	"	movq 24(%rsp), %rcx\n"
	"	movq 32(%rsp), %r8\n"
	"	movq 40(%rsp), %r9\n"
	"	addq $56, %rsp\n"
	"	.cfi_adjust_cfa_offset -56\n"
	"	jmp *%rax\n"
	"	.cfi_endproc\n"
	".size syscall, . - syscall\n");

/* SPDX-License-Identifier: MIT */
/* libc's syscall(): programs and libseccomp call seccomp through it, to forbid themselves system
 * calls; the locks of C++20 and Rust call futex.
 *
 * A jump, not a call: whatever it is used for (vfork, clone with another stack) finds registers and
 * stack as the program left them. Only seccomp, prctl, and the first call of all, go through
 * sandbox_before_syscall. futex and futex_waitv jump to wrap_futex, io_uring_enter to wrap_uring,
 * waits with a mask to wrap_masked: C functions that have the same arguments at the same places,
 * seven words, of which the last lies on the stack. rax and r11 are free at the entry. */
#include "preload/life/sandbox.h"

#include <sys/syscall.h>

#ifndef __NR_futex_waitv /* Linux 5.16 */
#define __NR_futex_waitv 449
#endif
#ifndef __NR_io_uring_enter /* Linux 5.1 */
#define __NR_io_uring_enter 426
#endif
#ifndef __NR_epoll_pwait2 /* Linux 5.11 */
#define __NR_epoll_pwait2 441
#endif

#define NUMBER_TEXT(number) #number
#define NUMBER(number)      NUMBER_TEXT(number)

/* If rdi compares so. */
#define IF(number, jump) "	cmpq $" NUMBER(number) ", %rdi\n	" jump "\n"

#define CALLS 512

/* Calls that do not go to libc's at once. Most do, and are told from these by one look. */
extern const unsigned char syscall_door_keeps[CALLS] __attribute__((visibility("hidden")));
const unsigned char syscall_door_keeps[CALLS] = {
	[__NR_futex_waitv] = 1,   [__NR_io_uring_enter] = 1, [__NR_seccomp] = 1,
	[__NR_prctl] = 1,         [__NR_rt_sigsuspend] = 1,  [__NR_ppoll] = 1,
	[__NR_pselect6] = 1,      [__NR_epoll_pwait] = 1,    [__NR_epoll_pwait2] = 1,
	[__NR_io_pgetevents] = 1,
};

/* clang-format off */
__asm__(".text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	IF(__NR_futex, "je wrap_futex")
	"	leaq syscall_door_keeps(%rip), %r11\n"
	"	movq sandbox_real_syscall(%rip), %rax\n"
	IF(CALLS, "jae 2f")
	"	cmpb $0, (%r11, %rdi)\n"
	"	jne 3f\n"
	"2:	testq %rax, %rax\n"
	"	jz 1f\n"
	"	jmp *%rax\n"
	"3:\n"
	IF(__NR_futex_waitv, "je wrap_futex")
	IF(__NR_io_uring_enter, "je wrap_uring")
	IF(__NR_seccomp, "je 1f")
	IF(__NR_prctl, "jne wrap_masked")
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
/* clang-format on */

/* SPDX-License-Identifier: MIT */
/* libc's syscall(): programs and libseccomp call seccomp through it, to forbid themselves system
 * calls; the locks of C++20 and Rust call futex.
 *
 * A jump, not a call: whatever it is used for (vfork, clone with another stack) finds registers and
 * stack as the program left them. Only seccomp, and the first call of all, go through
 * sandbox_before_syscall. futex and futex_waitv jump to wrap_futex, waits with a mask to
 * wrap_masked, C functions that have the same seven arguments in the same registers. x16 and x17
 * are free at the entry of any function. */
#include "preload/life/sandbox.h"

#include <sys/syscall.h>

#ifndef __NR_futex_waitv /* Linux 5.16 */
#define __NR_futex_waitv 449
#endif
#ifndef __NR_epoll_pwait2 /* Linux 5.11 */
#define __NR_epoll_pwait2 441
#endif

#define NUMBER_TEXT(number) #number
#define NUMBER(number)      NUMBER_TEXT(number)

#define JUMP_TO_MASKED(number) "	cmp x0, #" NUMBER(number) "\n	b.eq 3f\n"

/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	".globl syscall\n"
	".type syscall, %function\n"
	"syscall:\n"
	"	.cfi_startproc\n"
	"	hint #34\n" /* bti c */
	"	cmp x0, #" NUMBER(__NR_futex) "\n"
	"	b.eq 2f\n"
	"	cmp x0, #" NUMBER(__NR_futex_waitv) "\n"
	"	b.eq 2f\n"
	JUMP_TO_MASKED(__NR_rt_sigsuspend)
	JUMP_TO_MASKED(__NR_ppoll)
	JUMP_TO_MASKED(__NR_pselect6)
	JUMP_TO_MASKED(__NR_epoll_pwait)
	JUMP_TO_MASKED(__NR_epoll_pwait2)
	JUMP_TO_MASKED(__NR_io_pgetevents)
	"	adrp x16, sandbox_real_syscall\n"
	"	ldr x16, [x16, #:lo12:sandbox_real_syscall]\n"
	"	cmp x0, #" NUMBER(__NR_seccomp) "\n"
	"	b.eq 1f\n"
	"	cmp x0, #" NUMBER(__NR_prctl) "\n"
	"	b.eq 1f\n"
	"	cbz x16, 1f\n"
	"	br x16\n"
	"2:	b wrap_futex\n"
	"3:	b wrap_masked\n"
	"1:	stp x29, x30, [sp, #-80]!\n"
	"	.cfi_def_cfa_offset 80\n"
	"	.cfi_offset x29, -80\n"
	"	.cfi_offset x30, -72\n"
	"	mov x29, sp\n"
	"	stp x0, x1, [sp, #16]\n"
	"	stp x2, x3, [sp, #32]\n"
	"	stp x4, x5, [sp, #48]\n"
	"	str x6, [sp, #64]\n"
	"	bl sandbox_before_syscall\n"
	"	mov x16, x0\n"
	"	ldp x0, x1, [sp, #16]\n"
	"	ldp x2, x3, [sp, #32]\n"
	"	ldp x4, x5, [sp, #48]\n"
	"	ldr x6, [sp, #64]\n"
	"	ldp x29, x30, [sp], #80\n"
	"	.cfi_restore x29\n"
	"	.cfi_restore x30\n"
	"	.cfi_def_cfa_offset 0\n"
	"	br x16\n"
	"	.cfi_endproc\n"
	".size syscall, . - syscall\n");
/* clang-format on */

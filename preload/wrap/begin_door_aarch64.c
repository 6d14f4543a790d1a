/* SPDX-License-Identifier: MIT */
/* _mcount, which routines call if they were compiled with -pg: each call is counted, and goes on to
 * libc's.
 *
 * A jump, not a call: libc's takes its return address for the routine. The compiler calls it like
 * any function, with the return address of the routine as argument, so no other register has to
 * stay. The name has glibc's version, see begin_door_x86_64.c. Before this library is relocated
 * (resolvers of ifuncs) the next hook is NULL. */
#include "preload/process/real.h"

__asm__(".text\n"
	".balign 4\n"
	".globl begin_door__mcount\n"
	".symver begin_door__mcount, _mcount@GLIBC_2.18\n"
	".type begin_door__mcount, %function\n"
	"begin_door__mcount:\n"
	"	.cfi_startproc\n"
	"	hint #34\n" /* bti c */
	"	adrp x16, real_next__mcount\n"
	"	ldr x16, [x16, #:lo12:real_next__mcount]\n"
	"	cbz x16, 2f\n"
	"	stp x29, x30, [sp, #-32]!\n"
	"	.cfi_def_cfa_offset 32\n"
	"	.cfi_offset x29, -32\n"
	"	.cfi_offset x30, -24\n"
	"	mov x29, sp\n"
	"	str x0, [sp, #16]\n"
	"	mov x0, x30\n"
	"	add x1, sp, #32\n"
	"	bl begin_hook\n"
	"	tst w0, #255\n"
	"	b.ne 1f\n"
	"	ldr x0, [sp, #8]\n" /* the saved x30 */
	"	add x1, sp, #32\n"
	"	bl begin_hook_new\n"
	"1:	adrp x16, real_next__mcount\n"
	"	ldr x16, [x16, #:lo12:real_next__mcount]\n"
	"	ldr x0, [sp, #16]\n"
	"	ldp x29, x30, [sp], #32\n"
	"	.cfi_restore x29\n"
	"	.cfi_restore x30\n"
	"	.cfi_def_cfa_offset 0\n"
	"	br x16\n"
	"2:	ret\n"
	"	.cfi_endproc\n"
	".size begin_door__mcount, . - begin_door__mcount\n");

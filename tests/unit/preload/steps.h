/* SPDX-License-Identifier: MIT */
/* A handler of the program at every single instruction of some work. The work is done once step by
 * step, by the processor's trap flag; and then again and again, and each time the handler is called
 * before another one of these instructions, by a breakpoint there (steps take ten microseconds on a
 * virtual machine). Where an instruction is executed more than once, the first three times count.
 *
 * Only code of the test program itself. x86-64. Linked with a system call of its own (steps.c),
 * which only pretends to block signals, as the trap cannot be blocked: where they are, the handler
 * is not called, as a signal would not be delivered. */
#pragma once

#include <stdbool.h>

struct steps_case {
	void (*prepare)(void);
	void (*work)(void);
	void (*handler)(void);
	void (*judge)(unsigned step);
	bool leaves; /* the handler is left by siglongjmp, and the work with it */
};

/* Returns how often the handler was called. */
unsigned steps_run(const struct steps_case *what);

/* SPDX-License-Identifier: MIT */
/* Ways in which a program forbids itself what we need. It allows for its own system calls, not for
 * ours: from then on one of ours may kill it, so the process is sealed: no wrapper makes a system
 * call that the program did not make. */
#pragma once

/* prctl's option, and its first argument. */
void sandbox_before_prctl(int option, unsigned long argument);

/* Before syscall(number, first, second, third, ...): returns libc's function, and looks it up
 * if need be. */
void *sandbox_before_syscall(long number, unsigned long first, unsigned long second,
			     const void *third) __attribute__((visibility("hidden")));

/* libc's; NULL: not looked up yet. */
extern void *sandbox_real_syscall __attribute__((visibility("hidden")));

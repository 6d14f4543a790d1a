/* SPDX-License-Identifier: MIT */
/* Ways in which a program forbids itself what we need. It allows for its own system calls, not for
 * ours: from then on one of ours may kill it. See lifecycle_seal. */
#pragma once

/* prctl's option, and its first argument. */
void sandbox_before_prctl(int option, unsigned long argument);

/* Before syscall(number, operation, flags, argument, ...): returns libc's function, and looks it up
 * if need be. */
void *sandbox_before_syscall(long number, unsigned long operation, const void *argument)
	__attribute__((visibility("hidden")));

/* libc's; NULL: not looked up yet. */
extern void *sandbox_real_syscall __attribute__((visibility("hidden")));

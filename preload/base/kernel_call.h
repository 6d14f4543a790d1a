/* SPDX-License-Identifier: MIT */
/* A system call, made as libc's syscall() would. Not by libc's, because a program may define its
 * own, which may lock, count or refuse. -1 and errno: it failed. No cancellation point. Any
 * context. */
#pragma once

#include <stdbool.h>

long kernel_call(long number, ...) __attribute__((visibility("hidden")));

/* A sandbox may answer any system call by ending the program: from now on kernel_call makes none,
 * and fails with EPERM. Set once, by life/sandbox.c. */
extern bool kernel_is_sealed __attribute__((visibility("hidden")));

/* SPDX-License-Identifier: MIT */
/* A system call, made as libc's syscall() would. Not by libc's, because a program may define its
 * own, which may lock, count or refuse. -1 and errno: it failed. No cancellation point. Any
 * context. */
#pragma once

long kernel_call(long number, ...) __attribute__((visibility("hidden")));

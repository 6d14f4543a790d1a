/* SPDX-License-Identifier: MIT */
/* A system call, as libc's syscall() makes it: not libc's, which a program may define for itself,
 * and lock, count or refuse in. -1 and errno: it failed. No cancellation point. Context: anywhere.
 */
#pragma once

long kernel_call(long number, ...) __attribute__((visibility("hidden")));

/* SPDX-License-Identifier: MIT */
/* A vfork child that seals itself (sandbox.c). Its memory is its parent's, which is not sealed: so
 * only the calling thread is, until the child leaves by exec or exit, or the thread is told of its
 * end. Context: any; no system call. */
#pragma once

#include <stdbool.h>

/* The calling thread is that of such a child. */
extern __thread bool sealed_guest_is_here __attribute__((visibility("hidden")));

/* The calling thread is sealed, in a child with that number. */
void sealed_guest_begin(int pid);

/* Right before the child leaves: its parent's thread goes on. True: there was one. */
bool sealed_guest_lift(void);

/* The exec has failed, and sealed_guest_lift was true. */
void sealed_guest_put_back(void);

/* The calling thread was told of the end of that child. */
void sealed_guest_ended(int pid);

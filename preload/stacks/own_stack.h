/* SPDX-License-Identifier: MIT */
/* Where the calling thread's stack lies, as glibc and the kernel lay it out. Both ends 0: the
 * thread runs on another stack, whose ends are not known. */
#pragma once

#include <stdint.h>

#include "preload/stacks/unwind.h"

/* Start-up, by the first thread: reads the limits of its stack. */
void own_stack_start(void);

/* Of a process's first thread. frame: that of the caller (in a fork child the first thread may be
 * on the stack of the parent's thread that forked). */
struct unwind_stack own_stack_of_process(const void *frame);

/* Of a thread whose stack was created with so many bytes. frame: of the function that calls the
 * start routine, so that the routine's return address lies below it. */
struct unwind_stack own_stack_of_thread(const void *frame, uint64_t bytes);

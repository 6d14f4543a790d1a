/* SPDX-License-Identifier: MIT */
/* Where the calling thread's stack lies, from what glibc and the kernel made of it. Both ends 0: it
 * runs on another one, whose ends are not known. */
#pragma once

#include <stdint.h>

#include "preload/stacks/unwind.h"

/* Start-up, by the first thread: looks at its limits. */
void own_stack_start(void);

/* Of a process's first thread; frame: of the caller. A fork child of another thread than the first
 * runs on that thread's stack. */
struct unwind_stack own_stack_of_process(const void *frame);

/* Of a thread that was created with so many bytes. frame: of the function that calls the routine,
 * so that the routine's return address lies below it. */
struct unwind_stack own_stack_of_thread(const void *frame, uint64_t bytes);

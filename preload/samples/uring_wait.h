/* SPDX-License-Identifier: MIT */
/* Waits for io_uring that our signal has ended.
 *
 * io_uring_enter runs deferred work of the thread while it waits. On kernels that deliver timers on
 * CPU clocks by such work (x86-64: since 5.11) our signal thus comes in the middle of the wait if
 * the thread has computed there, and no flag of a handler makes the kernel repeat this call: it
 * fails with EINTR. To programs without handlers that never happens otherwise, and many do not
 * expect it. All other calls only see the signal when they end.
 *
 * So the handler does what SA_RESTART would do. The call had submitted nothing, since then it says
 * how much, and not EINTR; so it can be made again as it was, and only a relative time-out begins
 * anew. It is not made again if the thread could have run a handler of the program, as EINTR may be
 * due to that one. */
#pragma once

#include <stdint.h>
#include <ucontext.h>

/* Around libc's syscall() with SYS_io_uring_enter, in whose code the number cannot be read: the
 * ring's descriptor + 1; 0: in none. If a handler jumps out of the call it stays, and does no harm.
 */
extern __thread uint32_t uring_wait_ring __attribute__((visibility("hidden")));

/* At the end of the handler, if arch_may_have_failed. */
void uring_wait_repeat(ucontext_t *context);

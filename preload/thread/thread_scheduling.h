/* SPDX-License-Identifier: MIT */
/* How the kernel schedules a thread: its policy and nice value, and the processors that it may run
 * on. A new thread has them of its creator, and any of a dozen calls changes them, also from other
 * processes: so they are read, where ready time is, and not followed. Context: any. errno stays. */
#pragma once

struct thread;

/* Into the row of a thread whose ready time was just read. tid: its number; 0: it is the caller.
 * What cannot be read stays as it was. */
void thread_scheduling_read(struct thread *thread, int tid);

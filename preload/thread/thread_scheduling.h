/* SPDX-License-Identifier: MIT */
/* How the kernel schedules a thread: its policy and nice value, and the processors that it may run
 * on. A new thread has them of its creator, and any of a dozen calls changes them, also from other
 * processes: so they are read, where ready time is, and not followed. Context: any. errno stays. */
#pragma once

struct row_threads;

/* Of the thread with this number; 0: the caller. What cannot be read stays as it was. */
void thread_scheduling_read(struct row_threads *row, int tid);

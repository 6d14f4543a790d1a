/* SPDX-License-Identifier: MIT */
/* What the kernel says of a thread of this process, most of it in /proc. About others by one thread
 * at a time: the text is kept meanwhile. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/thread/thread.h"

/* Run delay of the calling thread: time in which it was ready. Returns 0 or a negative errno;
 * -EAGAIN: not now, else this kernel has none. */
int thread_proc_own_delay(const struct thread *thread, uint64_t *delay_ns);

/* Of another one; false: it cannot be told. */
bool thread_proc_delay(const struct thread *thread, uint64_t *delay_ns);
bool thread_proc_switches(const struct thread *thread, uint64_t *voluntary, uint64_t *involuntary);

/* Into its row. */
void thread_proc_name(struct thread *thread);

struct thread_stat {
	char state; /* as the kernel says it, 'R': it runs or is ready */
	uint64_t minor_faults, major_faults;
	uint64_t system_ns; /* in steps of 10 ms */
};

bool thread_proc_stat(const struct thread *thread, struct thread_stat *stat);

/* How the kernel schedules the thread, into its row, where its ready time was just read: policy and
 * nice value, and the processors that it may run on. A new thread has them of its creator, and any
 * of a dozen calls changes them, also from other processes: so they are read, and not followed.
 * tid: its number; 0: it is the caller. What cannot be read stays as it was; so does errno. */
void thread_proc_scheduling(struct thread *thread, int tid);

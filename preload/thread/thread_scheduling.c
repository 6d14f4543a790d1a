/* SPDX-License-Identifier: MIT */
#include "preload/thread/thread_scheduling.h"

#include "preload/base/system.h"
#include "preload/file/schema.h"
#include "preload/thread/thread.h"

#include <errno.h>
#include <sched.h>

/* The kernel's own call returns 20 - nice, so that it is never negative. */
enum { PRIORITY_OF_NICE_0 = 20 };

static void read_processors(struct thread *thread, int tid)
{
	cpu_set_t own = {0}; /* the kernel writes as much as it has processors */
	struct processor_set now = {0};

	if (kernel_call(SYS_sched_getaffinity, tid, sizeof own, &own) <= 0)
		return;
	now.count = (uint32_t)CPU_COUNT(&own);
	while (now.first < CPU_SETSIZE && !CPU_ISSET(now.first, &own))
		now.first++;
	now.first++;
	thread_processors_note(&thread->processors, thread->row, now);
}

void thread_scheduling_read(struct thread *thread, int tid)
{
	struct row_threads *row = thread->row;
	int saved = errno;
	long policy = kernel_call(SYS_sched_getscheduler, tid);
	long priority = kernel_call(SYS_getpriority, PRIO_PROCESS, tid);

	if (policy >= 0)
		row->policy = (uint8_t)((policy & ~SCHED_RESET_ON_FORK) + 1);
	if (priority > 0)
		row->nice = (uint8_t)(PRIORITY_OF_NICE_0 - priority + 21);
	read_processors(thread, tid);
	errno = saved;
}

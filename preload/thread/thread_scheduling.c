/* SPDX-License-Identifier: MIT */
#include "preload/thread/thread_scheduling.h"

#include "preload/base/system.h"
#include "preload/file/schema.h"

#include <errno.h>
#include <sched.h>

/* The kernel's own call returns 20 - nice, so that it is never negative. */
enum { PRIORITY_OF_NICE_0 = 20 };

/* The most that it ever had: one that is bound at its end only was free to run. */
static void read_processors(struct row_threads *row, int tid)
{
	cpu_set_t own = {0}; /* the kernel writes as much as it has processors */

	if (kernel_call(SYS_sched_getaffinity, tid, sizeof own, &own) <= 0)
		return;
	uint32_t first = 0, count = (uint32_t)CPU_COUNT(&own);

	if (count < row->processors)
		return;
	while (first < CPU_SETSIZE && !CPU_ISSET(first, &own))
		first++;
	row->processors = count;
	row->processor_first = first + 1;
}

void thread_scheduling_read(struct row_threads *row, int tid)
{
	int saved = errno;
	long policy = kernel_call(SYS_sched_getscheduler, tid);
	long priority = kernel_call(SYS_getpriority, PRIO_PROCESS, tid);

	if (policy >= 0)
		row->policy = (uint8_t)((policy & ~SCHED_RESET_ON_FORK) + 1);
	if (priority > 0)
		row->nice = (uint8_t)(PRIORITY_OF_NICE_0 - priority + 21);
	read_processors(row, tid);
	errno = saved;
}

/* SPDX-License-Identifier: MIT */
/* Calls that bind threads to processors. A runtime's constructor may make one before ours runs
 * (libgomp: OMP_PROC_BIND, GOMP_CPU_AFFINITY), so the processors of the process have to be read
 * before it. */
#include "preload/base/likely.h"
#include "preload/process/affinity.h"
#include "preload/process/real.h"

EXPORTED int sched_setaffinity(pid_t tid, size_t bytes, const cpu_set_t *processors)
{
	real_need();
	affinity_remember();
	return real.sched_setaffinity(tid, bytes, processors);
}

EXPORTED int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *processors)
{
	real_need();
	affinity_remember();
	return real.pthread_setaffinity_np(thread, bytes, processors);
}

/* SPDX-License-Identifier: MIT */
/* What binds threads to processors. A runtime's constructor may do so before ours comes (libgomp:
 * OMP_PROC_BIND, GOMP_CPU_AFFINITY): what the process may use has to be seen before. */
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

/* SPDX-License-Identifier: MIT */
/* Calls that bind threads to processors. A runtime's constructor may make one before ours runs
 * (libgomp: OMP_PROC_BIND, GOMP_CPU_AFFINITY), so the processors of the process have to be read
 * before it. Programs linked before 2004 give no size. */
#include "arch.h"
#include "preload/base/likely.h"
#include "preload/process/affinity.h"
#include "preload/process/real.h"

/* BINDING(name, original, parameters, arguments) */
#define BINDING(name, original, parameters, arguments)                                             \
	EXPORTED int name parameters;                                                              \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		real_need();                                                                       \
		affinity_remember();                                                               \
		return real.original arguments;                                                    \
	}

BINDING(today_sched_setaffinity, sched_setaffinity,
	(pid_t tid, size_t bytes, const cpu_set_t *processors), (tid, bytes, processors))
BINDING(today_pthread_setaffinity_np, pthread_setaffinity_np,
	(pthread_t thread, size_t bytes, const cpu_set_t *processors), (thread, bytes, processors))
ALIAS(first_pthread_setaffinity_np, today_pthread_setaffinity_np)

VERSION(today_sched_setaffinity, sched_setaffinity, "@@" ARCH_AFFINITY_VERSION)
VERSION(today_pthread_setaffinity_np, pthread_setaffinity_np, "@@GLIBC_2.34")
VERSION(first_pthread_setaffinity_np, pthread_setaffinity_np, "@" ARCH_AFFINITY_VERSION)

#if ARCH_HAS_OLD_CALLS
BINDING(old_sched_setaffinity, old_sched_setaffinity, (pid_t tid, const cpu_set_t *processors),
	(tid, processors))
BINDING(old_pthread_setaffinity_np, old_pthread_setaffinity_np,
	(pthread_t thread, const cpu_set_t *processors), (thread, processors))

VERSION(old_sched_setaffinity, sched_setaffinity, "@" ARCH_OLD_AFFINITY_VERSION)
VERSION(old_pthread_setaffinity_np, pthread_setaffinity_np, "@" ARCH_OLD_AFFINITY_VERSION)
#endif

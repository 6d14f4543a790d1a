/* SPDX-License-Identifier: MIT */
#include "preload/process/affinity.h"

#include "preload/base/system.h"

#include <errno.h>
#include <string.h>

static struct {
	cpu_set_t processors;
	bool is_known;
} affinity;

static bool add(int tid)
{
	cpu_set_t own = {0}; /* the kernel writes as much as it has processors */
	int saved = errno, before = CPU_COUNT(&affinity.processors);
	bool is_told = kernel_call(SYS_sched_getaffinity, tid, sizeof own, &own) > 0;

	errno = saved;
	if (is_told)
		CPU_OR(&affinity.processors, &affinity.processors, &own);
	return CPU_COUNT(&affinity.processors) > before;
}

bool affinity_add_own(void)
{
	return add(0);
}

bool affinity_add_thread(int tid)
{
	return add(tid);
}

void affinity_remember(void)
{
	if (affinity.is_known)
		return;
	affinity.is_known = true;
	affinity_add_own();
}

bool affinity_covers_here(void)
{
	int processor = system_processor();

	return processor < 0 || processor >= CPU_SETSIZE ||
	       CPU_ISSET(processor, &affinity.processors);
}

const cpu_set_t *affinity_processors(void)
{
	return &affinity.processors;
}

void affinity_forget(void)
{
	memset(&affinity, 0, sizeof affinity);
}

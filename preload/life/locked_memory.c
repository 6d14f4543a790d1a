/* SPDX-License-Identifier: MIT */
#include "preload/life/locked_memory.h"

#include "preload/base/kernel_call.h"
#include "preload/base/pages.h"
#include "preload/file/store_map.h"
#include "preload/process/module_map.h"
#include "preload/thread/thread_life.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static bool is_limited(void)
{
	struct rlimit limit;

	return !kernel_call(SYS_prlimit64, 0, RLIMIT_MEMLOCK, NULL, &limit) &&
	       limit.rlim_cur != RLIM_INFINITY;
}

void locked_memory_give_back(int flags)
{
	struct code_object own;
	int saved = errno;

	/* in a sandbox a system call could be fatal */
	if (!thread_is_final() && is_limited()) {
		if (flags & MCL_FUTURE)
			pages_keep_unlocked();
		if (module_map_find((uint64_t)&locked_memory_give_back, &own))
			pages_unlock((void *)own.start, own.end - own.start);
		store_map_unlock();
	}
	errno = saved;
}

/* SPDX-License-Identifier: MIT */
/* mlockall, which locks our memory, too. */
#include "preload/base/likely.h"
#include "preload/life/locked_memory.h"
#include "preload/process/real.h"

#include <sys/mman.h>

EXPORTED int mlockall(int flags)
{
	real_need();
	int result = real.mlockall(flags);
	if (!result)
		locked_memory_give_back(flags);
	return result;
}

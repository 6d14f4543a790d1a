/* SPDX-License-Identifier: MIT */
#include "preload/stacks/own_stack.h"

#include "arch.h"
#include "preload/base/direct.h"
#include "preload/base/system.h"
#include "preload/process/real.h"

#include <pthread.h>

static struct {
	uint64_t high, bytes;
} first;

void own_stack_start(void)
{
	struct rlimit limit;
	uint64_t bytes = UINT64_C(8) << 20;

	if (!system_limit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur > bytes && limit.rlim_cur < (UINT64_C(1) << 32))
		bytes = limit.rlim_cur;
	first.high = real_stack_end() & ~UINT64_C(7);
	first.bytes = bytes;
}

struct unwind_stack own_stack_of_process(const void *frame)
{
	struct unwind_stack stack = {first.high - first.bytes, first.high};

	return (uint64_t)frame - stack.low < first.bytes ? stack : (struct unwind_stack){0, 0};
}

struct unwind_stack own_stack_of_thread(const void *frame, uint64_t bytes)
{
	struct unwind_stack stack = {
		.low = arch_stack_low((uint64_t)direct.pthread_self(), bytes),
		.high = (uint64_t)frame,
	};

	return stack.low < stack.high ? stack : (struct unwind_stack){0, 0};
}

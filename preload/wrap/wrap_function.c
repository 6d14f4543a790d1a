/* SPDX-License-Identifier: MIT */
/* The hooks that -finstrument-functions calls at the begin and the end of each routine. Those of
 * libc do nothing; those of another library are called as well. */
#include "preload/calls/routine_stack.h"
#include "preload/concurrency/concurrency.h"
#include "preload/life/section_routines.h"
#include "preload/life/thread_calls.h"
#include "preload/process/real.h"

EXPORTED void __cyg_profile_func_enter(void *function, void *site)
{
	struct routine_stack *stack = thread_calls();
	const struct routine_call call = {
		.routine = (uint64_t)function,
		.site = (uint64_t)site,
		.frame = (uint64_t)__builtin_frame_address(0),
		.back = (uint64_t)__builtin_return_address(0),
	};

	if (unlikely(real_has_hooks))
		real.__cyg_profile_func_enter(function, site);
	if (likely(stack))
		routine_stack_enter(stack, &call, concurrency_level());
	if (unlikely(section_hook_count))
		section_hook_enter(call.routine, SITE_HERE);
}

EXPORTED void __cyg_profile_func_exit(void *function, void *site)
{
	struct routine_stack *stack = thread_calls();
	const struct routine_call call = {
		.routine = (uint64_t)function,
		.site = (uint64_t)site,
		.frame = (uint64_t)__builtin_frame_address(0),
		.is_tail = __builtin_return_address(0) == site,
	};

	if (unlikely(section_hook_count))
		section_hook_leave(call.routine, SITE_HERE);
	if (likely(stack))
		routine_stack_leave(stack, &call);
	if (unlikely(real_has_hooks))
		real.__cyg_profile_func_exit(function, site);
}

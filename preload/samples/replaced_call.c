/* SPDX-License-Identifier: MIT */
#include "preload/samples/replaced_call.h"

#include "preload/process/real.h"
#include "preload/stacks/unwind.h"
#include "preload/thread/overhead.h"

/* CALL(name): the wrapper of real.name, in the section that REPLACES(name) made. */
#define REPLACED_CALLS(CALL)                                                                       \
	CALL(pthread_mutex_lock)                                                                   \
	CALL(pthread_mutex_unlock)

/* The linker's symbols for begin and end of each. */
#define ENDS(name)                                                                                 \
	extern char __start_replaces_##name[] __attribute__((visibility("hidden")));               \
	extern char __stop_replaces_##name[] __attribute__((visibility("hidden")));
REPLACED_CALLS(ENDS)
#undef ENDS

static uint64_t original_of(uint64_t code)
{
#define LOOK(name)                                                                                 \
	if (code - (uint64_t)__start_replaces_##name <                                             \
	    (uint64_t)(__stop_replaces_##name - __start_replaces_##name))                          \
		return (uint64_t)real.name;
	REPLACED_CALLS(LOOK)
#undef LOOK
	return 0;
}

uint64_t replaced_call_place(struct thread *thread, uint64_t place)
{
	uint64_t original = original_of(place & ~UNWIND_EXACT);

	if (likely(!original))
		return place;
	thread->native_credit += overhead_native_share();
	if (thread->native_credit < OVERHEAD_WHOLE)
		return place;
	thread->native_credit -= OVERHEAD_WHOLE;
	return original | UNWIND_EXACT;
}

/* SPDX-License-Identifier: MIT */
#include "preload/samples/replaced_call.h"

#include "preload/process/real.h"
#include "preload/stacks/unwind.h"
#include "preload/thread/overhead.h"

/* CALL(name): the wrapper of real.name, in the section that REPLACES(name) made. */
#define REPLACED_CALLS(CALL)                                                                       \
	CALL(pthread_mutex_lock)                                                                   \
	CALL(pthread_mutex_unlock)

/* The linker's symbols for begin and end of a section. */
#define ENDS(section)                                                                              \
	extern char __start_##section[] __attribute__((visibility("hidden")));                     \
	extern char __stop_##section[] __attribute__((visibility("hidden")));
#define IS_IN(code, section)                                                                       \
	(code - (uint64_t)__start_##section < (uint64_t)(__stop_##section - __start_##section))

#define ENDS_OF(name) ENDS(replaces_##name)
REPLACED_CALLS(ENDS_OF)
#undef ENDS_OF
ENDS(stands_for_pthread_mutex_unlock)

static uint64_t original_of(uint64_t code)
{
#define LOOK(name)                                                                                 \
	if (IS_IN(code, replaces_##name))                                                          \
		return (uint64_t)real.name;
	REPLACED_CALLS(LOOK)
#undef LOOK
	return 0;
}

uint64_t replaced_call_place(struct thread *thread, uint64_t place)
{
	uint64_t code = place & ~UNWIND_EXACT, original = original_of(code);

	if (unlikely(IS_IN(code, stands_for_pthread_mutex_unlock)))
		return (uint64_t)real.pthread_mutex_unlock | UNWIND_EXACT;
	if (likely(!original))
		return place;
	thread->native_credit += overhead_native_share();
	if (thread->native_credit < OVERHEAD_WHOLE)
		return place;
	thread->native_credit -= OVERHEAD_WHOLE;
	return original | UNWIND_EXACT;
}

/* SPDX-License-Identifier: MIT */
/* longjmp and its other names: the instrumented calls that a jump leaves have no end of their own,
 * nor have handlers on the alternate stack. */
#include "arch.h"
#include "preload/calls/routine_stack.h"
#include "preload/process/real.h"
#include "preload/samples/sample_pause.h"
#include "preload/thread/thread.h"

static struct thread *record_to_jump(void)
{
	struct thread *thread = thread_self;

	return likely(thread) ? thread : thread_own_absent();
}

/* With _FORTIFY_SOURCE the system's header gives the names another meaning: so these have their
 * own. */
#define JUMPING(name)                                                                              \
	EXPORTED __attribute__((noreturn)) void jump_by_##name(struct __jmp_buf_tag *buffer,       \
							       int value) __asm__(#name);          \
	void jump_by_##name(struct __jmp_buf_tag *buffer, int value)                               \
	{                                                                                          \
		struct thread *thread = record_to_jump();                                          \
                                                                                                   \
		if (thread && thread->calls)                                                       \
			routine_stack_jump(thread->calls, arch_jump_sp(buffer));                   \
		if (thread && unlikely(thread->is_paused))                                         \
			sample_pause_jump(thread, arch_jump_sp(buffer));                           \
		real_need();                                                                       \
		real.name(buffer, value);                                                          \
		__builtin_unreachable();                                                           \
	}

JUMPING(longjmp)
JUMPING(_longjmp)
JUMPING(siglongjmp)
JUMPING(__longjmp_chk)

/* SPDX-License-Identifier: MIT */
#include "preload/samples/cut_call.h"

#include "arch.h"
#include "preload/base/kernel_call.h"
#include "preload/base/likely.h"
#include "preload/process/sample_signal.h"
#include "preload/samples/ended_calls.h"
#include "preload/stacks/unwind.h"

#include <string.h>
#include <sys/syscall.h>

static uint64_t pending_without(uint64_t mask)
{
	const uint64_t ours = UINT64_C(1) << (SAMPLE_SIGNAL - 1);
	uint64_t pending = 0;

	kernel_call(SYS_rt_sigpending, &pending, sizeof pending);
	return pending & ~(mask | ours);
}

static uint64_t word_of(const sigset_t *mask)
{
	uint64_t word;

	memcpy(&word, mask, sizeof word);
	return word;
}

/* The first one that has a handler decides. */
static bool ends_calls(uint64_t pending)
{
	for (int number = 1; number <= 64; number++) {
		if (!(pending >> (number - 1) & 1))
			continue;
		enum sample_signal_effect effect = sample_signal_effect_of(number);
		if (effect != EFFECT_NONE)
			return effect == EFFECT_ENDS_CALLS;
	}
	return false;
}

/* Two system calls, so the registers are looked at before. Code that may only be executed is no
 * system call of libc's. */
static bool may_read_code(const ucontext_t *context)
{
	uint64_t pc = arch_ip_of(context);

	return unwind_may_read(pc - ARCH_SYSTEM_CALL_BYTES) &&
	       unwind_may_read(pc + ARCH_SYSTEM_CALL_BYTES - 1);
}

/* The thread may stand before a call that it has not made yet: for these EINTR is right then, too.
 */
void cut_call_see(struct thread *thread, ucontext_t *context)
{
	int saved = errno;

	if (unlikely(arch_may_have_failed(context, EINTR))) {
		if (thread && may_read_code(context) && arch_is_behind_call(context))
			thread->cut_calls++;
	} else if (ended_calls_have(arch_call_number(context)) && may_read_code(context) &&
		   arch_is_before_call(context) &&
		   ends_calls(pending_without(word_of(&context->uc_sigmask)))) {
		arch_end_call(context);
	}
	errno = saved;
}

bool cut_call_is_unanswered(const sigset_t *mask)
{
	if (!mask)
		return false;
	bool is_unanswered = pending_without(word_of(mask)) != 0;
	errno = EINTR;
	return is_unanswered;
}

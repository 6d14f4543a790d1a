/* SPDX-License-Identifier: MIT */
/* Waiting for signals; and calls on the alternate stack, on which samples run too.
 *
 * Samples do not interrupt a handler of the program on the alternate stack: the stack is often too
 * small for both, and the handler may switch to another context and leave its frame there, which
 * the next sample's would overwrite. */
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/process/sample_signal.h"
#include "preload/samples/sampler.h"
#include "preload/waits/activity.h"

#include <errno.h>

/* Atomic: signals to whose handlers' masks ours was added; a bit for each number. */
static uint64_t added_to;

static bool exchange_bit(int number, bool value)
{
	uint64_t bit = UINT64_C(1) << (number & 63);
	uint64_t old = value ? __atomic_fetch_or(&added_to, bit, __ATOMIC_RELAXED)
			     : __atomic_fetch_and(&added_to, ~bit, __ATOMIC_RELAXED);

	return old & bit;
}

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction ours;
	bool has_added = false;

	real_need();
	if (action) {
		ours = *action;
		has_added = ours.sa_flags & SA_ONSTACK && sample_signal_add(&ours.sa_mask);
	}
	int result = real.sigaction(number, action ? &ours : NULL, old);
	if (result)
		return result;
	bool had_added = action ? exchange_bit(number, has_added)
				: __atomic_load_n(&added_to, __ATOMIC_RELAXED) >> (number & 63) & 1;
	if (old && had_added)
		sample_signal_remove(&old->sa_mask);
	return 0;
}

EXPORTED int sigaltstack(const stack_t *stack, stack_t *old)
{
	real_need();
	int result = real.sigaltstack(stack, old);
	if (!result && stack)
		sampler_stack_changed(thread_current(), stack);
	return result;
}

/* Ends in a jump, not a call, if the compiler can do that: our frame would be on a stack that is
 * being left. */
EXPORTED int swapcontext(ucontext_t *restrict from, const ucontext_t *restrict to)
{
	real_need();
	sampler_leave_stack(thread_current(), (uint64_t)__builtin_frame_address(0));
	return real.swapcontext(from, to);
}

/* WAITING(name, parameters, arguments, operation, outcome): `result` is the real call's. */
#define WAITING(name, parameters, arguments, operation, outcome)                                   \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		bool is_measured = thread && activity_begin(thread, CAUSE_SIGNAL, operation, NULL, \
							    SITE_HERE);                            \
		int result = real.name arguments;                                                  \
		if (is_measured)                                                                   \
			activity_end(thread, outcome);                                             \
		return result;                                                                     \
	}

WAITING(sigwait, (const sigset_t *set, int *number), (set, number), OP_SIGWAIT,
	result ? OUTCOME_FAILED : OUTCOME_DONE)
WAITING(sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info), OP_SIGWAIT,
	result < 0 ? OUTCOME_FAILED : OUTCOME_DONE)
WAITING(sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *time),
	(set, info, time), OP_SIGTIMEDWAIT,
	result >= 0       ? OUTCOME_DONE
	: errno == EAGAIN ? OUTCOME_TIMEOUT
			  : OUTCOME_FAILED)
/* These two return when a handler has run, and say EINTR. */
WAITING(pause, (void), (), OP_PAUSE, OUTCOME_DONE)
WAITING(sigsuspend, (const sigset_t *set), (set), OP_SIGSUSPEND, OUTCOME_DONE)

ALIAS(__sigaction, sigaction)
ALIAS(__sigsuspend, sigsuspend)

/* SPDX-License-Identifier: MIT */
/* Handlers, the alternate stack that they and samples run on, and waiting for signals. */
#include "arch.h"
#include "preload/base/kernel_call.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/samples/cut_call.h"
#include "preload/samples/handler_relay.h"
#include "preload/samples/sample_pause.h"
#include "preload/samples/sampler.h"
#include "preload/waits/activity.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	real_need();
	return handler_relay_sigaction(number, action, old);
}

/* Calls that return the handler that was there; they never set one for the alternate stack. */
#define HANDLING(name)                                                                             \
	EXPORTED sighandler_t name(int number, sighandler_t handler)                               \
	{                                                                                          \
		real_need();                                                                       \
		return handler_relay_program(real.name(number, handler));                          \
	}

HANDLING(signal)
HANDLING(sysv_signal)
HANDLING(sigset)

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

EXPORTED int setcontext(const ucontext_t *to)
{
	struct thread *thread = thread_current();

	real_need();
	if (thread && thread->is_paused)
		sample_pause_jump(thread, arch_sp_of(to));
	return real.setcontext(to);
}

/* WAITING(name, parameters, arguments, operation, outcome): `result` is the real call's. */
#define WAITING(name, parameters, arguments, operation, outcome)                                   \
	WAITING_WITH_MASK(name, parameters, arguments, operation, outcome, NULL)

/* mask: that of the call's time. */
#define WAITING_WITH_MASK(name, parameters, arguments, operation, outcome, mask)                   \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		bool is_measured = thread && activity_begin(thread, CAUSE_SIGNAL, operation, NULL, \
							    SITE_HERE);                            \
		int result;                                                                        \
		CUT_CALL_MADE_AGAIN(result, real.name arguments, mask);                            \
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
WAITING_WITH_MASK(sigsuspend, (const sigset_t *set), (set), OP_SIGSUSPEND, OUTCOME_DONE, set)

/* sigsuspend with a mask made of a word of signals, as BSD has it, or of the present one without a
 * signal. */
static sigset_t mask_of_pause(int word, int is_number)
{
	uint64_t bits = (uint32_t)word;
	sigset_t mask = {0};

	if (is_number) {
		kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &bits, sizeof bits);
		bits &= word > 0 && word <= 64 ? ~(UINT64_C(1) << (word - 1)) : UINT64_MAX;
	}
	memcpy(&mask, &bits, sizeof bits);
	return mask;
}

WAITING_WITH_MASK(__sigpause, (int word, int is_number), (word, is_number), OP_SIGSUSPEND,
		  OUTCOME_DONE, (sigset_t[]){mask_of_pause(word, is_number)})

EXPORTED int __xpg_sigpause(int number);
int __xpg_sigpause(int number)
{
	return __sigpause(number, 1);
}

/* By its own name: the system's header gives it another meaning. */
EXPORTED int pause_by_word(int word) __asm__("sigpause");
int pause_by_word(int word)
{
	return __sigpause(word, 0);
}

ALIAS(__sigaction, sigaction)
ALIAS(bsd_signal, signal)
ALIAS(ssignal, signal)
ALIAS(__sysv_signal, sysv_signal)
ALIAS(__sigsuspend, sigsuspend)

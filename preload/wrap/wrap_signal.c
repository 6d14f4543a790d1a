/* SPDX-License-Identifier: MIT */
/* Signal masks and actions: programs block every signal in helper threads, or wait for every
 * signal; ours is kept out of what the kernel is told, and the program reads back what it set.
 * Everything else passes through. */
#include "activity.h"
#include "program_mask.h"
#include "real.h"
#include "sampler.h"
#include "settings.h"
#include "sync_thread.h"

#include <errno.h>

/* The program's handlers during whose run it asked our signal to be blocked; bit by signal number.
 */
static uint64_t masked_in_handler;

static void change_belief(int how, bool contains)
{
	if (how == SIG_SETMASK)
		program_mask_set(contains);
	else if (contains)
		program_mask_set(how == SIG_BLOCK);
}

/* original: the real call; same parameters as pthread_sigmask. */
static int set_mask(int (*original)(int, const sigset_t *, sigset_t *), int how,
		    const sigset_t *set, sigset_t *old)
{
	sigset_t ours;
	bool believed = program_mask_blocks();
	bool contains = set && sigismember(set, settings.signal) == 1;

	if (!settings.sample_period_ns)
		return original(how, set, old);
	if (set) {
		ours = *set;
		sampler_exclude(&ours);
	}
	int result = original(how, set ? &ours : NULL, old);
	if (result)
		return result;
	if (set)
		change_belief(how, contains);
	if (old && believed)
		sigaddset(old, settings.signal);
	return 0;
}

EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	real_need();
	return set_mask(real.pthread_sigmask, how, set, old);
}

EXPORTED int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	real_need();
	return set_mask(real.sigprocmask, how, set, old);
}

static bool exchange_bit(int number, bool value)
{
	uint64_t bit = UINT64_C(1) << (number & 63);
	uint64_t old = value ? __atomic_fetch_or(&masked_in_handler, bit, __ATOMIC_RELAXED)
			     : __atomic_fetch_and(&masked_in_handler, ~bit, __ATOMIC_RELAXED);

	return old & bit;
}

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction ours;

	real_need();
	if (sampler_uses(number)) {
		sampler_program_action(action, old);
		return 0;
	}
	if (!settings.sample_period_ns)
		return real.sigaction(number, action, old);
	if (action) {
		ours = *action;
		sampler_exclude(&ours.sa_mask);
	}
	int result = real.sigaction(number, action ? &ours : NULL, old);
	if (result)
		return result;
	bool was = masked_in_handler >> (number & 63) & 1;
	if (action)
		exchange_bit(number, sigismember(&action->sa_mask, settings.signal) == 1);
	if (old && was)
		sigaddset(&old->sa_mask, settings.signal);
	return 0;
}

EXPORTED sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	real_need();
	if (!sampler_uses(number))
		return real.signal(number, handler);
	sampler_program_action(&action, &old);
	return old.sa_handler;
}

EXPORTED int sigwait(const sigset_t *set, int *number)
{
	struct thread *thread = sync_thread();
	sigset_t ours = *set;

	sampler_exclude(&ours);
	bool is_measured =
		thread && activity_begin(thread, CAUSE_SIGNAL, OP_SIGWAIT, NULL, SITE_HERE);
	int result = real.sigwait(&ours, number);
	if (is_measured)
		activity_end(thread, result ? OUTCOME_FAILED : OUTCOME_DONE);
	return result;
}

EXPORTED int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	struct thread *thread = sync_thread();
	sigset_t ours = *set;

	sampler_exclude(&ours);
	bool is_measured =
		thread && activity_begin(thread, CAUSE_SIGNAL, OP_SIGWAIT, NULL, SITE_HERE);
	int result = real.sigwaitinfo(&ours, info);
	if (is_measured)
		activity_end(thread, result < 0 ? OUTCOME_FAILED : OUTCOME_DONE);
	return result;
}

EXPORTED int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
	struct thread *thread = sync_thread();
	sigset_t ours = *set;

	sampler_exclude(&ours);
	bool is_measured =
		thread && activity_begin(thread, CAUSE_SIGNAL, OP_SIGWAIT, NULL, SITE_HERE);
	int result = real.sigtimedwait(&ours, info, time);
	if (is_measured)
		activity_end(thread, result >= 0       ? OUTCOME_DONE
				     : errno == EAGAIN ? OUTCOME_TIMEOUT
						       : OUTCOME_FAILED);
	return result;
}

/* SPDX-License-Identifier: MIT */
#include "preload/process/sample_signal.h"

#include "preload/base/kernel_call.h"
#include "preload/base/system.h"
#include "preload/process/real.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { KERNEL_SIGNALS_BYTES = 8 };

/* The kernel's struct: glibc's sigaction refuses glibc's own signals. */
struct kernel_action {
	void *handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};

static struct {
	struct kernel_action ours;
	sample_signal_handler *libc; /* atomic: the handler that ours replaced; NULL: the default */
} signal_of;

char sample_signal_token[1];

static const uint64_t only_ours = UINT64_C(1) << (SAMPLE_SIGNAL - 1);

static int exchange(int number, const struct kernel_action *set, struct kernel_action *old)
{
	int saved = errno;
	long result = kernel_call(SYS_rt_sigaction, number, set, old, KERNEL_SIGNALS_BYTES);

	errno = saved;
	return (int)result;
}

/* How a handler returns (x86-64) is known to glibc only, but is part of any action that glibc has
 * set. So one is set to what it already is, and then again as it was, also for who looks closely.
 */
static void learn_return(struct kernel_action *action)
{
	__typeof__(direct.sigaction) libcs = direct.sigaction ? direct.sigaction : real.sigaction;
	struct kernel_action before, set;

	if (exchange(SIGSEGV, NULL, &before))
		return;
	struct sigaction same = {.sa_flags = (int)before.flags};
	same.sa_sigaction = (void (*)(int, siginfo_t *, void *))before.handler;
	memcpy(&same.sa_mask, &before.mask, sizeof before.mask);
	if (libcs(SIGSEGV, &same, NULL) || exchange(SIGSEGV, &before, &set))
		return;
	action->restorer = set.restorer;
	action->flags |=
		set.flags & ~(unsigned long)(SA_SIGINFO | SA_RESTART | SA_ONSTACK | SA_NODEFER |
					     SA_RESETHAND | SA_NOCLDSTOP | SA_NOCLDWAIT);
}

void sample_signal_start(sample_signal_handler *handler)
{
	signal_of.ours = (struct kernel_action){
		.handler = (void *)handler,
		.flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
		/* all signals, also that of cancellation, which must not unwind through the
		 * handler */
		.mask = UINT64_MAX,
	};
	learn_return(&signal_of.ours);
	sample_signal_check();
}

void sample_signal_check(void)
{
	struct kernel_action now;

	if (!signal_of.ours.handler || exchange(SAMPLE_SIGNAL, NULL, &now) ||
	    now.handler == signal_of.ours.handler)
		return;
	bool is_libcs = now.handler != SIG_DFL && now.handler != SIG_IGN;
	__atomic_store_n(&signal_of.libc, is_libcs ? now.handler : NULL, __ATOMIC_RELEASE);
	exchange(SAMPLE_SIGNAL, &signal_of.ours, NULL);
}

bool sample_signal_is_ours(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == sample_signal_token;
}

uint64_t sample_signal_handler_of(int number)
{
	struct kernel_action action = {0};

	return exchange(number, NULL, &action) ? 0 : (uint64_t)action.handler;
}

bool sample_signal_returns_by_libc(int number)
{
	struct kernel_action action = {0};

	return !exchange(number, NULL, &action) && action.restorer == signal_of.ours.restorer;
}

enum sample_signal_effect sample_signal_effect_of(int number)
{
	struct kernel_action action = {0};

	if (exchange(number, NULL, &action) || action.handler == SIG_DFL ||
	    action.handler == SIG_IGN)
		return EFFECT_NONE;
	return action.flags & SA_RESTART ? EFFECT_RESTARTS_CALLS : EFFECT_ENDS_CALLS;
}

void sample_signal_forward(int number, siginfo_t *info, void *context)
{
	static const struct kernel_action plain; /* the default: the process ends */
	sample_signal_handler *libc = __atomic_load_n(&signal_of.libc, __ATOMIC_ACQUIRE);

	if (libc) {
		libc(number, info, context);
		return;
	}
	exchange(number, &plain, NULL);
	/* it stays pending until our handler returns */
	kernel_call(SYS_tgkill, system_pid(), kernel_call(SYS_gettid), number);
}

static uint64_t change_mask(int how)
{
	uint64_t before = 0;
	int saved = errno;

	kernel_call(SYS_rt_sigprocmask, how, &only_ours, &before, KERNEL_SIGNALS_BYTES);
	errno = saved;
	return before;
}

bool sample_signal_block(void)
{
	return !(change_mask(SIG_BLOCK) & only_ours);
}

void sample_signal_unblock(void)
{
	change_mask(SIG_UNBLOCK);
}

bool sample_signal_is_blocked(void)
{
	uint64_t mask = 0;
	int saved = errno;

	kernel_call(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, KERNEL_SIGNALS_BYTES);
	errno = saved;
	return mask & only_ours;
}

bool sample_signal_drain(void)
{
	struct timespec now = {0};
	int saved = errno;
	bool was_due = false;
	siginfo_t info;

	while (kernel_call(SYS_rt_sigtimedwait, &only_ours, &info, &now, KERNEL_SIGNALS_BYTES) > 0)
		if (sample_signal_is_ours(&info))
			was_due = true;
		else /* libc's handler does not look at the context */
			sample_signal_forward(SAMPLE_SIGNAL, &info, NULL);
	errno = saved;
	return was_due;
}

/* Not by sigaddset, which refuses glibc's own signals. */
static bool change_set(sigset_t *mask, bool add)
{
	uint64_t word;

	memcpy(&word, mask, sizeof word);
	bool had = word & only_ours;
	word = add ? word | only_ours : word & ~only_ours;
	memcpy(mask, &word, sizeof word);
	return had != add;
}

bool sample_signal_add(sigset_t *mask)
{
	return change_set(mask, true);
}

bool sample_signal_remove(sigset_t *mask)
{
	return change_set(mask, false);
}

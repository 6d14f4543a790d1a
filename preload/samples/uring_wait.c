/* SPDX-License-Identifier: MIT */
#include "preload/samples/uring_wait.h"

#include "arch.h"
#include "preload/process/sample_signal.h"
#include "preload/stacks/unwind.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#ifndef SYS_io_uring_enter /* Linux 5.1; the same on all processors */
#define SYS_io_uring_enter 426
#endif

enum {
	GET_EVENTS = 1, /* IORING_ENTER_GETEVENTS */
	SIGNALS = 64,
	CANCELLATION =
		32, /* glibc's: its handler leaves a call that is no cancellation point alone */
};

__thread uint32_t uring_wait_ring;

static const uint64_t faults = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1) |
			       UINT64_C(1) << (SIGFPE - 1) | UINT64_C(1) << (SIGILL - 1) |
			       UINT64_C(1) << (SIGTRAP - 1) | UINT64_C(1) << (SIGSYS - 1);
static const uint64_t libcs = UINT64_C(1) << (CANCELLATION - 1) | UINT64_C(1)
									  << (SAMPLE_SIGNAL - 1);

/* Faults are of the thread's own code, and none of a wait. The kernel is asked: handlers are also
 * set without libc. */
static bool may_run_handlers(uint64_t blocked)
{
	uint64_t others = ~(faults | libcs | blocked);

	for (int number = 1; number <= SIGNALS; number++)
		if (others >> (number - 1) & 1 && number != SIGKILL && number != SIGSTOP &&
		    sample_signal_effect_of(number) != EFFECT_NONE)
			return true;
	return false;
}

static bool is_wait(const struct arch_call *call)
{
	uint32_t ring = (uint32_t)call->argument[0], submitted = (uint32_t)call->argument[1];
	bool is_enter = call->number == SYS_io_uring_enter ||
			(call->number < 0 && uring_wait_ring == ring + 1);

	return is_enter && !submitted && call->argument[3] & GET_EVENTS;
}

/* Blocked during the whole call; the fifth argument may be a mask for the call, or have one. */
static uint64_t blocked_in(const struct arch_call *call, const ucontext_t *context)
{
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof mask);
	return call->argument[4] ? 0 : mask;
}

void uring_wait_repeat(ucontext_t *context)
{
	uint64_t pc = arch_ip_of(context);
	struct arch_call call;

	if (unwind_may_read(pc - ARCH_CALL_CODE) && unwind_may_read(pc - 1) &&
	    arch_call_before(context, &call) && is_wait(&call) &&
	    !may_run_handlers(blocked_in(&call, context)))
		arch_repeat_call(context, SYS_io_uring_enter);
}

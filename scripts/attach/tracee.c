/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tracee.h"

#include "registers.h"
#include "scripts/run/real_clock.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)

enum { IS_CALL = 0x80 }; /* PTRACE_O_TRACESYSGOOD */

uint64_t tracee_now(void)
{
	return real_clock_ns(CLOCK_MONOTONIC);
}

/* The next report of the thread: 1, 0 if there is none in time, or a negative errno. */
static int await(pid_t thread, int *status, uint64_t until)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		pid_t found = waitpid(thread, status, WNOHANG | __WALL);
		uint64_t now = tracee_now();

		if (found != 0)
			return found == thread ? 1 : -errno;
		if (now >= until)
			return 0;
		/* SIGCHLD may also have been for another thread */
		uint64_t slice = until - now < SECOND_NS / 50 ? until - now : SECOND_NS / 50;
		sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = (long)slice});
	}
}

static bool is_at_trap(const struct tracee *tracee)
{
	registers_general general;

	return tracee->trap && registers_read_general(tracee->thread, &general) == 0 &&
	       registers_pc(&general) == tracee->trap;
}

/* Did the thread's own instruction raise it? */
static bool is_raised(const struct tracee *tracee)
{
	siginfo_t info;

	return ptrace(PTRACE_GETSIGINFO, tracee->thread, 0, &info) == 0 && info.si_code > 0;
}

/* *again: it is none of those that are awaited, and the thread should go on. */
static enum stop judge(struct tracee *tracee, int status, bool *again)
{
	int number = WSTOPSIG(status);

	*again = false;
	if (!WIFSTOPPED(status))
		return STOP_GONE;
	if (status >> 16 == PTRACE_EVENT_STOP)
		return STOP_INTERRUPTED;
	if (number == (SIGTRAP | IS_CALL))
		return STOP_CALL;
	if (number == SIGTRAP && is_raised(tracee) && is_at_trap(tracee))
		return STOP_TRAP;
	if ((number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE ||
	     number == SIGSYS || number == SIGTRAP) &&
	    is_raised(tracee)) {
		tracee->crash = number;
		return STOP_CRASH;
	}
	sigaddset(&tracee->held, number);
	*again = true;
	return STOP_LATE;
}

/* request 0: it goes on already. Without a wish for it, a stop of the whole process or its end is
 * passed over: that is seen when this thread is let go. */
static enum stop follow(struct tracee *tracee, int request, uint64_t limit_ns, bool is_told_to_stop)
{
	uint64_t until = tracee_now() + limit_ns;

	for (;; request = request ?: PTRACE_CONT) {
		int status;
		bool again;

		if (request && ptrace((enum __ptrace_request)request, tracee->thread, 0, 0) < 0)
			return STOP_GONE;
		int found = await(tracee->thread, &status, until);
		if (found <= 0)
			return found < 0 ? STOP_GONE : STOP_LATE;
		enum stop stop = judge(tracee, status, &again);
		if (!again && (stop != STOP_INTERRUPTED || is_told_to_stop))
			return stop;
	}
}

enum stop tracee_resume(struct tracee *tracee, int request, uint64_t limit_ns)
{
	return follow(tracee, request, limit_ns, false);
}

enum stop tracee_wait(struct tracee *tracee, uint64_t limit_ns)
{
	return follow(tracee, 0, limit_ns, false);
}

enum stop tracee_interrupt(struct tracee *tracee, uint64_t limit_ns)
{
	if (ptrace(PTRACE_INTERRUPT, tracee->thread, 0, 0) < 0)
		return STOP_GONE;
	return follow(tracee, 0, limit_ns, true);
}

int tracee_stop(struct tracee *tracee, pid_t process, pid_t thread)
{
	int status;

	*tracee = (struct tracee){.process = process, .thread = thread, .since = tracee_now()};
	sigemptyset(&tracee->held);
	if (ptrace(PTRACE_SEIZE, thread, 0, (void *)PTRACE_O_TRACESYSGOOD) < 0)
		return -errno;
	if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) < 0)
		return -errno;
	int found = await(thread, &status, tracee->since + SECOND_NS);
	if (found == 0)
		return -ETIMEDOUT;
	if (found < 0 || !WIFSTOPPED(status))
		return -ESRCH;
	if (status >> 16 == PTRACE_EVENT_STOP && WSTOPSIG(status) == SIGTRAP)
		return 0;
	/* a signal, or a stop of the whole process: as if nobody had looked */
	int number = status >> 16 ? 0 : WSTOPSIG(status);
	ptrace(PTRACE_DETACH, thread, 0, (void *)(intptr_t)number);
	return -EAGAIN;
}

bool tracee_run_to(struct tracee *tracee, uint64_t address, uint64_t limit_ns)
{
	if (registers_stop_at(tracee->thread, address) < 0)
		return false;
	tracee->trap = address;
	enum stop stop = tracee_resume(tracee, PTRACE_CONT, limit_ns);
	if (stop == STOP_LATE)
		stop = tracee_interrupt(tracee, SECOND_NS);
	bool is_there = stop == STOP_TRAP;
	if (stop == STOP_CRASH) /* the program's own affair */
		tracee->current = tracee->crash;
	tracee->trap = 0;
	registers_stop_at(tracee->thread, 0);
	return is_there;
}

/* One may be delivered with the detaching, as if it had just arrived; another is sent again. */
uint64_t tracee_let_go(struct tracee *tracee)
{
	int first = tracee->current;

	for (int number = 1; number < NSIG; number++) {
		if (sigismember(&tracee->held, number) != 1)
			continue;
		if (first)
			tgkill(tracee->process, tracee->thread, number);
		else
			first = number;
	}
	ptrace(PTRACE_DETACH, tracee->thread, 0, (void *)(intptr_t)first);
	return tracee_now() - tracee->since;
}

int tracee_get_mask(const struct tracee *tracee, uint64_t *mask)
{
	return ptrace(PTRACE_GETSIGMASK, tracee->thread, (void *)sizeof *mask, mask) < 0 ? -errno
											 : 0;
}

int tracee_set_mask(const struct tracee *tracee, uint64_t mask)
{
	return ptrace(PTRACE_SETSIGMASK, tracee->thread, (void *)sizeof mask, &mask) < 0 ? -errno
											 : 0;
}

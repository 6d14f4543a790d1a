/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tracee.h"

#include "common/real_clock.h"
#include "proc_text.h"
#include "registers.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)

enum {
	IS_CALL = 0x80,    /* PTRACE_O_TRACESYSGOOD */
	SECONDS_MOST = 60, /* a runnable thread is awaited to stop */
};

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

static bool is_of_an_instruction(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE ||
	       number == SIGSYS || number == SIGTRAP;
}

/* Of the two that send SIGSETXID a thread that calls setuid waits for the handler; a timer of the
 * library's takes a sample, of which there is to be none here: after a handler the kernel does not
 * go on with the call in which the thread was. */
static bool is_of_a_timer(const struct tracee *tracee)
{
	siginfo_t info;

	return ptrace(PTRACE_GETSIGINFO, tracee->thread, 0, &info) == 0 && info.si_code == SI_TIMER;
}

/* A signal that is about to be delivered. Returns that with which the thread goes on: SIGSTOP stops
 * the process; any other but SIGSETXID the kernel puts back, since it is blocked now. */
static int pass(struct tracee *tracee, int number)
{
	uint64_t mask;

	if (tracee->is_free || number == SIGSTOP)
		return number;
	if (number == TRACEE_SIGSETXID)
		return is_of_a_timer(tracee) ? 0 : number;
	if (number != SIGTRAP) {
		if (tracee_get_mask(tracee, &mask) == 0)
			tracee_set_mask(tracee, mask | SIGNAL_BIT(number));
		return number;
	}
	if (!tracee->has_trap)
		ptrace(PTRACE_GETSIGINFO, tracee->thread, 0, &tracee->trap_info);
	tracee->has_trap = true;
	return 0;
}

/* *signal: if it is none of the stops that are awaited, the thread goes on with that, or with 0;
 * otherwise -1. */
static enum stop judge(struct tracee *tracee, int status, int *signal)
{
	int number = WSTOPSIG(status);

	*signal = -1;
	if (!WIFSTOPPED(status))
		return STOP_GONE;
	if (status >> 16 == PTRACE_EVENT_STOP) {
		/* the whole process stops, or goes on: where it works for us it may not wait */
		bool is_awaited = tracee->is_told || (tracee->is_free && number != SIGTRAP);
		*signal = is_awaited ? -1 : 0;
		return STOP_INTERRUPTED;
	}
	if (number == (SIGTRAP | IS_CALL))
		return STOP_CALL;
	if (number == SIGTRAP && is_raised(tracee) && is_at_trap(tracee))
		return STOP_TRAP;
	if (!tracee->is_free && is_of_an_instruction(number) && is_raised(tracee)) {
		tracee->crash = number;
		return STOP_CRASH;
	}
	*signal = pass(tracee, number);
	return STOP_LATE;
}

static enum stop await_stop(struct tracee *tracee, uint64_t limit_ns)
{
	uint64_t until = tracee_now() + limit_ns;

	for (;;) {
		int status, signal;
		int found = await(tracee->thread, &status, until);

		if (found <= 0)
			return found < 0 ? STOP_GONE : STOP_LATE;
		enum stop stop = judge(tracee, status, &signal);
		if (signal < 0) {
			tracee->is_told &= stop != STOP_INTERRUPTED;
			return stop;
		}
		if (ptrace((enum __ptrace_request)tracee->request, tracee->thread, 0,
			   (void *)(intptr_t)signal) < 0)
			return STOP_GONE;
	}
}

/* SIGTRAP that was sent to the thread, if it may be given back now: blocked, and at the delivery of
 * a signal, it goes to its queue. */
static int take_trap(struct tracee *tracee, int request)
{
	if (!tracee->has_trap || request != PTRACE_SYSCALL)
		return 0;
	tracee->has_trap = false;
	return ptrace(PTRACE_SETSIGINFO, tracee->thread, 0, &tracee->trap_info) < 0 ? 0 : SIGTRAP;
}

enum stop tracee_resume(struct tracee *tracee, int request, uint64_t limit_ns)
{
	int signal = take_trap(tracee, request);

	tracee->request = request;
	if (ptrace((enum __ptrace_request)request, tracee->thread, 0, (void *)(intptr_t)signal) < 0)
		return STOP_GONE;
	return await_stop(tracee, limit_ns);
}

enum stop tracee_wait(struct tracee *tracee, uint64_t limit_ns)
{
	return await_stop(tracee, limit_ns);
}

enum stop tracee_interrupt(struct tracee *tracee, uint64_t limit_ns)
{
	if (ptrace(PTRACE_INTERRUPT, tracee->thread, 0, 0) < 0)
		return STOP_GONE;
	tracee->is_told = true;
	return await_stop(tracee, limit_ns);
}

enum stop tracee_resume_to_stop(struct tracee *tracee, uint64_t limit_ns)
{
	if (ptrace(PTRACE_INTERRUPT, tracee->thread, 0, 0) < 0)
		return STOP_GONE;
	tracee->is_told = true;
	return tracee_resume(tracee, PTRACE_CONT, limit_ns);
}

int tracee_enter_call(struct tracee *tracee, uint64_t mask)
{
	int error = tracee_set_mask(tracee, ALL_SIGNALS);
	enum stop stop = error ? STOP_GONE : tracee_resume(tracee, PTRACE_SYSCALL, SECOND_NS);

	while (stop == STOP_LATE)
		stop = tracee_wait(tracee, SECOND_NS);
	return stop != STOP_CALL || tracee_set_mask(tracee, mask) < 0 ? -ESRCH : 0;
}

/* As if nobody had looked: a signal at whose delivery it stands is delivered. */
static void free_stopped(pid_t thread, int status)
{
	int number = status >> 16 ? 0 : WSTOPSIG(status);

	ptrace(PTRACE_DETACH, thread, 0, (void *)(intptr_t)number);
}

void tracee_free_late(void)
{
	int status;
	pid_t thread;

	while ((thread = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
		if (WIFSTOPPED(status))
			free_stopped(thread, status);
}

static bool has_ended(pid_t process, pid_t thread)
{
	char state[8];

	proc_text_field(process, thread, "State", state, sizeof state);
	return !state[0] || state[0] == 'Z' || state[0] == 'X';
}

/* One that has no processor, or copies in the kernel, stops in the end. If it was left before, a
 * call in which it is would still find a signal pending, and end with a part of its data. */
static int await_first(const struct tracee *tracee, int *status)
{
	int found = await(tracee->thread, status, tracee->since + SECOND_NS);

	for (int seconds = 1; found == 0 && seconds < SECONDS_MOST; seconds++) {
		char state[8];

		proc_text_field(tracee->process, tracee->thread, "State", state, sizeof state);
		if (state[0] != 'R')
			return 0;
		found = await(tracee->thread, status, tracee_now() + SECOND_NS);
	}
	return found;
}

int tracee_stop(struct tracee *tracee, pid_t process, pid_t thread)
{
	int status;

	*tracee = (struct tracee){.process = process, .thread = thread, .since = tracee_now()};
	if (ptrace(PTRACE_SEIZE, thread, 0, (void *)PTRACE_O_TRACESYSGOOD) < 0) {
		int error = -errno; /* EPERM as well of one that ends */
		return has_ended(process, thread) ? -ESRCH : error;
	}
	if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) < 0)
		return -errno;
	int found = await_first(tracee, &status);
	if (found == 0)
		return -ETIMEDOUT;
	if (found < 0 || !WIFSTOPPED(status))
		return -ESRCH;
	if (status >> 16 == PTRACE_EVENT_STOP && WSTOPSIG(status) == SIGTRAP)
		return 0;
	free_stopped(thread, status); /* a signal, or a stop of the whole process */
	return -EAGAIN;
}

/* The kernel opens a blocked SIGTRAP by force, and takes the program's handler away. */
static bool is_trap_open(const struct tracee *tracee)
{
	uint64_t mask;

	return tracee_get_mask(tracee, &mask) == 0 && !(mask & SIGNAL_BIT(SIGTRAP));
}

/* It has come to the address, and was told to stop before it was told of the trap. */
static bool is_trap_on_its_way(const struct tracee *tracee)
{
	struct __ptrace_peeksiginfo_args first = {.nr = 1};
	siginfo_t info;

	for (; ptrace(PTRACE_PEEKSIGINFO, tracee->thread, &first, &info) == 1; first.off++)
		if (info.si_signo == SIGTRAP && info.si_code == TRAP_HWBKPT)
			return true;
	return false;
}

/* However long it takes (it may await its child in vfork): left with the address set, the thread
 * would come to a trap that nobody awaits, which ends the program. */
static enum stop stop_again(struct tracee *tracee)
{
	enum stop stop = tracee_interrupt(tracee, SECOND_NS);

	while (stop == STOP_LATE && !has_ended(tracee->process, tracee->thread))
		stop = tracee_wait(tracee, SECOND_NS);
	return stop;
}

bool tracee_run_to(struct tracee *tracee, uint64_t address, uint64_t limit_ns)
{
	if (!is_trap_open(tracee) || registers_stop_at(tracee->thread, address) < 0)
		return false;
	tracee->trap = address;
	tracee->is_free = true;
	enum stop stop = tracee_resume(tracee, PTRACE_CONT, limit_ns);
	if (stop == STOP_LATE)
		stop = stop_again(tracee);
	if (stop == STOP_INTERRUPTED && is_trap_on_its_way(tracee))
		stop = tracee_resume(tracee, PTRACE_CONT, SECOND_NS);
	tracee->is_free = tracee->is_told =
		false; /* a stop that is yet to come is of no interest */
	tracee->trap = 0;
	registers_stop_at(tracee->thread, 0);
	return stop == STOP_TRAP;
}

uint64_t tracee_let_go(struct tracee *tracee)
{
	ptrace(PTRACE_DETACH, tracee->thread, 0, 0);
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

/* SPDX-License-Identifier: MIT */
/* A signal after exactly so many instructions of a piece of work. The process that does the work is
 * a child of the tracer's, which traces its first thread; other threads go freely. One child is led
 * from the mark to the end of the work instruction by instruction (PTRACE_SINGLESTEP; a system call
 * is one step), and the places are written down. Each further child goes freely to another one of
 * these places, where a breakpoint in a register of the processor stops it and no other thread, and
 * gets the signal there: a step is two switches of threads, and there are up to 50,000 of them.
 * Signals that it blocks stay blocked, as they would without a tracer.
 *
 * only_own: the places are those of the profiler's code, and not below code of others that it
 * calls, which is passed over. Calls that this makes come to the profiler's code as well: so a
 * place is also known by how far down the stack it is.
 *
 * Where a place comes more than once, the first times count. The tracer makes system calls only,
 * which no wrapper sees. x86-64. */
#pragma once
#include "truth.h"

#include "own_code.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

enum {
	SAMPLE_SIGNAL = 33, /* libc's own, by which the profiler's samples come */
	STEPS_PLACES = 1 << 16,
	STEPS_TIMES = 3,
	STEPS_MOST = 1000000,
	STEPS_NO_REGISTER = 93, /* exit status: the machine has no such breakpoints */
	BREAK_ON_CODE = 1,      /* register 7: the address in register 0 is executed */
};

/* What child and tracer share. */
struct steps {
	volatile bool is_over; /* the work has ended */
	volatile bool was_sent;
	int next; /* the tracer's: the signal to go on with */
};

/* An instruction, and the how many-th time it is executed; 0: there is none. */
struct step_place {
	uintptr_t code;
	uintptr_t depth; /* the stack's, in bytes since the mark; 0: any */
	unsigned time;
};

/* Which places there are. */
struct step_way {
	bool from_sample; /* from the first sample on, to its end */
	bool only_own;
};

static struct {
	struct step_place places[STEPS_PLACES];
	long count, made; /* places, and steps that led to them */
	uint32_t times[STEPS_PLACES];
	uintptr_t codes[STEPS_PLACES]; /* hashed: what was how often */
	uintptr_t mark;                /* the stack pointer there */
} steps_list;

#ifdef __x86_64__
enum { STEPS_ARE_KNOWN = 1 };
#else
enum { STEPS_ARE_KNOWN = 0 };
#endif

/* ---- the child ---- */

static void steps_let_trace(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(90);
}

/* The mark: the next instruction is the first one that counts. */
static inline __attribute__((always_inline)) void steps_begin(void)
{
#ifdef __x86_64__
	__asm__ volatile("int3" ::: "memory");
#endif
}

/* ---- the tracer ---- */

static int steps_wait(pid_t child)
{
	int status;

	while (syscall(SYS_wait4, child, &status, __WALL, NULL) != child)
		;
	return status;
}

/* It goes on, freely or for one instruction, with a signal or without; returns how it stopped. */
static int steps_go(int how, pid_t child, int number)
{
	if (ptrace((enum __ptrace_request)how, child, NULL, (void *)(long)number))
		return W_EXITCODE(91, 0);
	return steps_wait(child);
}

static uintptr_t steps_register(pid_t child, size_t offset)
{
	return (uintptr_t)ptrace(PTRACE_PEEKUSER, child, (void *)offset, NULL);
}

#ifdef __x86_64__
static uintptr_t steps_code(pid_t child)
{
	return steps_register(child, offsetof(struct user_regs_struct, rip));
}

static uintptr_t steps_stack(pid_t child)
{
	return steps_register(child, offsetof(struct user_regs_struct, rsp));
}

static void steps_set_register(pid_t child, int number, uintptr_t value)
{
	size_t offset = offsetof(struct user, u_debugreg) + (size_t)number * sizeof(long);

	if (ptrace(PTRACE_POKEUSER, child, (void *)offset, (void *)value))
		_exit(STEPS_NO_REGISTER);
}
#else
static uintptr_t steps_code(pid_t child)
{
	return steps_register(child, 0);
}

static uintptr_t steps_stack(pid_t child)
{
	return steps_register(child, 0);
}

static void steps_set_register(pid_t child, int number, uintptr_t value)
{
	(void)child;
	(void)number;
	(void)value;
}
#endif

/* The signal that it is about to get, other than the tracer's own stops. */
static int steps_signal(int status)
{
	return WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
}

/* To the mark; from there to the first sample if the work is that. */
static int steps_go_to_mark(pid_t child, const struct step_way *way)
{
	int status = steps_wait(child), wanted = way->from_sample ? SAMPLE_SIGNAL : 0;

	while (WIFSTOPPED(status) && WSTOPSIG(status) != SIGTRAP)
		status = steps_go(PTRACE_CONT, child, steps_signal(status));
	if (WIFSTOPPED(status))
		steps_list.mark = steps_stack(child);
	while (WIFSTOPPED(status) && steps_signal(status) != wanted)
		status = steps_go(PTRACE_CONT, child, steps_signal(status));
	return status;
}

/* How it ended, as wait says it. */
static int steps_go_to_end(pid_t child, int status, int next)
{
	while (WIFSTOPPED(status)) {
		status = steps_go(PTRACE_CONT, child, next);
		next = steps_signal(status);
	}
	return status;
}

/* Where it is now. */
static struct step_place steps_here(pid_t child, const struct step_way *way)
{
	return (struct step_place){
		.code = steps_code(child),
		.depth = way->only_own ? steps_list.mark - steps_stack(child) : 0,
	};
}

static bool steps_are_at(const struct step_place *here, const struct step_place *place)
{
	return here->code == place->code && (!place->depth || here->depth == place->depth);
}

/* ---- step by step ---- */

/* From the first instruction of a routine until it has returned. */
static int steps_finish_routine(pid_t child)
{
	uintptr_t stack = steps_stack(child);
	uintptr_t back = (uintptr_t)ptrace(PTRACE_PEEKDATA, child, (void *)stack, NULL);
	int status, next = 0;

	steps_set_register(child, 0, back);
	steps_set_register(child, 7, BREAK_ON_CODE);
	do {
		status = steps_go(PTRACE_CONT, child, next);
		next = WIFSTOPPED(status) ? steps_signal(status) : 0;
		if (next == SAMPLE_SIGNAL)
			next = 0;
	} while (WIFSTOPPED(status) && (steps_code(child) != back || steps_stack(child) <= stack));
	if (WIFSTOPPED(status))
		steps_set_register(child, 7, 0);
	return status;
}

/* One instruction; or one and all of the routine of others to which it leads. */
static int steps_go_on(pid_t child, const struct step_way *way, int next)
{
	uintptr_t stack = steps_stack(child);
	bool was_own = is_own_code(steps_code(child));
	int status = steps_go(PTRACE_SINGLESTEP, child, next);

	if (way->only_own && was_own && WIFSTOPPED(status) && !steps_signal(status) &&
	    !is_own_code(steps_code(child)) && steps_stack(child) <= stack)
		return steps_finish_routine(child);
	return status;
}

/* How often it was there, now included. */
static unsigned steps_times(const struct step_place *place)
{
	uintptr_t code = place->code + (place->depth << 48);
	uint32_t at = (uint32_t)(code * 0x9e3779b97f4a7c15u >> 32) % STEPS_PLACES;

	while (steps_list.codes[at] && steps_list.codes[at] != code)
		at = (at + 1) % STEPS_PLACES;
	steps_list.codes[at] = code;
	return ++steps_list.times[at];
}

static void steps_add(struct step_place place)
{
	place.time = steps_list.count < STEPS_PLACES / 2 ? steps_times(&place) : STEPS_TIMES + 1;
	steps_list.made++;
	if (place.time <= STEPS_TIMES)
		steps_list.places[steps_list.count++] = place;
}

/* Makes the list. A step takes so much CPU time that samples would come one after the other: none
 * is taken meanwhile. */
static int steps_record(pid_t child, const struct step_way *way, const struct steps *steps)
{
	int status = steps_go_to_mark(child, way), next = way->from_sample ? SAMPLE_SIGNAL : 0;
	uintptr_t end = way->from_sample && WIFSTOPPED(status) ? steps_code(child) : 1, code = 0;

	while (WIFSTOPPED(status) && !steps->is_over && code != end &&
	       steps_list.made < STEPS_MOST) {
		struct step_place here = steps_here(child, way);
		if (way->only_own ? is_own_code(here.code) : !way->from_sample || code)
			steps_add(here);
		status = steps_go_on(child, way, next);
		next = steps_signal(status) == SAMPLE_SIGNAL ? 0 : steps_signal(status);
		code = steps_code(child);
	}
	return steps_go_to_end(child, status, next);
}

/* ---- a signal at one of the places ---- */

/* The work comes to the place, or to its end. is_slow: by single steps, as it was recorded; what is
 * only done after a long time may not come otherwise. */
static int steps_go_to_place(pid_t child, int status, int next, const struct step_way *way,
			     bool is_slow, const struct step_place *place, struct steps *steps)
{
	struct step_place here = steps_here(child, way);
	/* at the mark it may be in front of the place already; not in front of a signal's handler
	 */
	unsigned times = !next && steps_are_at(&here, place);

	while (WIFSTOPPED(status) && !steps->is_over && times < place->time) {
		status = is_slow ? steps_go_on(child, way, next)
				 : steps_go(PTRACE_CONT, child, next);
		next = WIFSTOPPED(status) ? steps_signal(status) : 0;
		here = steps_here(child, way);
		times += WIFSTOPPED(status) && !next && steps_are_at(&here, place);
		if (is_slow && next == SAMPLE_SIGNAL)
			next = 0;
	}
	steps->was_sent = WIFSTOPPED(status) && !steps->is_over && times == place->time;
	steps->next = steps->was_sent ? SIGUSR1 : next;
	return status;
}

/* The signal comes at the place, unless the work goes another way this time. */
static int steps_disturb(pid_t child, const struct step_way *way, bool is_slow,
			 const struct step_place *place, struct steps *steps)
{
	int status = steps_go_to_mark(child, way), next = way->from_sample ? SAMPLE_SIGNAL : 0;

	if (!WIFSTOPPED(status))
		return status;
	steps_set_register(child, 0, place->code);
	steps_set_register(child, 7, is_slow ? 0 : BREAK_ON_CODE);
	status = steps_go_to_place(child, status, next, way, is_slow, place, steps);
	if (!WIFSTOPPED(status))
		return status;
	steps_set_register(child, 7, 0);
	return steps_go_to_end(child, status, steps->next);
}

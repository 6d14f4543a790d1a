/* SPDX-License-Identifier: MIT */
#include "steps.h"

#include "tests/unit/unit.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* The original under another name: here it is called by the one below. */
#define kernel_call steps_kernel_call
#include "preload/base/kernel_call.c"
#undef kernel_call

long kernel_call(long number, ...) __attribute__((visibility("hidden")));

extern char __executable_start[], etext[]; /* of the linker */

enum {
	TRAP_FLAG = 0x100,
	BREAKPOINT = 0xcc,
	PLACES = 20000,
	TIMES = 3,
};

/* An instruction, and the how many-th time it is executed. */
struct place {
	uint8_t *code;
	unsigned time;
};

static struct {
	const struct steps_case *what;
	struct place places[PLACES];
	unsigned count;
	struct place at; /* where the handler is called; code NULL: places are collected */
	unsigned hits;
	uint8_t replaced; /* what the breakpoint took the place of */
	bool is_working, was_called;
	sigjmp_buf outside;
} steps;

static uint64_t mask; /* of signals, as the work believes */

static long change_mask(const uint64_t *set, uint64_t *before)
{
	if (before)
		*before = mask;
	if (set)
		mask = *set;
	return 0;
}

long kernel_call(long number, ...)
{
	va_list rest;
	long words[6];

	va_start(rest, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(rest, long);
	va_end(rest);
	if (number == SYS_rt_sigprocmask)
		return change_mask((const uint64_t *)words[1], (uint64_t *)words[2]);
	return steps_kernel_call(number, words[0], words[1], words[2], words[3], words[4],
				 words[5]);
}

/* ---- collecting ---- */

static void collect(uint8_t *code)
{
	unsigned time = 1;

	if (mask || code < (uint8_t *)__executable_start || code >= (uint8_t *)etext)
		return;
	for (unsigned i = 0; i < steps.count; i++)
		time += steps.places[i].code == code;
	if (time <= TIMES && steps.count < PLACES)
		steps.places[steps.count++] = (struct place){code, time};
}

/* ---- the handler ---- */

static void call_handler(void)
{
	steps.was_called = true;
	steps.what->handler();
	if (steps.what->leaves)
		siglongjmp(steps.outside, 1);
}

/* At the breakpoint. If it is too early, the instruction is executed, and the breakpoint set
 * anew. */
static void on_breakpoint(greg_t *registers)
{
	*steps.at.code = steps.replaced;
	registers[REG_RIP]--;
	if (++steps.hits < steps.at.time)
		registers[REG_EFL] |= TRAP_FLAG;
	else if (!mask) /* the file may grow at another place than when steps were taken */
		call_handler();
}

static void on_trap(int number, siginfo_t *info, void *opaque)
{
	greg_t *registers = ((ucontext_t *)opaque)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	if (steps.at.code && registers[REG_RIP] == (greg_t)steps.at.code + 1 &&
	    *steps.at.code == BREAKPOINT) {
		on_breakpoint(registers);
	} else if (steps.at.code) {
		*steps.at.code = BREAKPOINT;
		registers[REG_EFL] &= ~TRAP_FLAG;
	} else if (steps.is_working) {
		collect((uint8_t *)registers[REG_RIP]);
	} else {
		registers[REG_EFL] &= ~TRAP_FLAG;
	}
}

__attribute__((noinline)) static void nothing(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static void work_by_steps(void)
{
	steps.is_working = true;
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | TRAP_FLAG);
	steps.what->work();
	steps.is_working = false; /* the next step is the last */
	nothing();
}

static void run_once(unsigned i)
{
	steps.what->prepare();
	steps.at = steps.places[i];
	steps.hits = 0;
	steps.was_called = false;
	steps.replaced = *steps.at.code;
	*steps.at.code = BREAKPOINT;
	if (!sigsetjmp(steps.outside, 1))
		steps.what->work();
	*steps.at.code = steps.replaced;
	if (mask)
		ck_abort_msg("signals have remained blocked");
}

static void make_writable(void)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)__executable_start & -page;

	ck_assert_int_eq(mprotect((void *)start, (uintptr_t)etext - start,
				  PROT_READ | PROT_WRITE | PROT_EXEC),
			 0);
}

unsigned steps_run(const struct steps_case *what)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	unsigned calls = 0;

	ck_assert_int_eq(sigaction(SIGTRAP, &action, NULL), 0);
	make_writable();
	steps.what = what;
	steps.at.code = NULL;
	steps.count = 0;
	what->prepare();
	work_by_steps();
	for (unsigned i = 0; i < steps.count; i++) {
		run_once(i);
		calls += steps.was_called;
		what->judge(i);
	}
	return calls;
}

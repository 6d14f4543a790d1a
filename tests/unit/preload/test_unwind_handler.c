/* SPDX-License-Identifier: MIT */
/* Walks from signal handlers: of what was interrupted, as samples do, and through the handler, as
 * waits in a handler do. The interrupted routine calls nothing: on AArch64 its return address is
 * only in a register. */
#include "arch.h"
#include "preload/process/module_map.h"
#include "preload/process/real.h"
#include "preload/stacks/cfi.h"
#include "preload/stacks/unwind.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#define NOINLINE __attribute__((noinline, noclone))
#define KEEP     __asm__ volatile("" ::: "memory")

enum { WALKS = 50, PLACES = 3, STACK_BYTES = 1 << 16 };

static volatile sig_atomic_t walks;
static unsigned long wrong, missing;
static struct unwind_stack stack;
static void (*look)(const ucontext_t *context);
static void leaf(void), middle(void), outer(void);

static void prepare(void)
{
	real_need();
	module_map_start();
	stack = scratch_stack();
}

static uint64_t routine_of(uint64_t place)
{
	uint64_t pc = (place & ~UNWIND_EXACT) - !(place & UNWIND_EXACT);
	struct code_object object;

	return module_map_find(pc, &object) ? cfi_routine(object.eh_frame_header, pc) : 0;
}

/* The routines that were interrupted follow each other, from the exact place in the first one, and
 * the path ends at the outermost frame. */
static void judge(const struct unwind_path *path)
{
	const uint64_t wanted[PLACES] = {(uint64_t)leaf, (uint64_t)middle, (uint64_t)outer};
	uint32_t at = 0;

	while (at < path->count && routine_of(path->place[at]) != wanted[0])
		at++;
	missing += at == path->count;
	for (uint32_t i = 0; i < PLACES && at < path->count; i++)
		wrong += at + i >= path->count || routine_of(path->place[at + i]) != wanted[i] ||
			 !(path->place[at + i] & UNWIND_EXACT) != (i > 0);
	wrong += path->is_truncated;
}

static void look_at_interrupted(const ucontext_t *context)
{
	uint64_t registers[ARCH_REGISTERS];
	struct unwind_path path;

	arch_registers_of(context, registers);
	struct unwind_frame frame = {
		.pc = registers[ARCH_PC],
		.sp = registers[ARCH_SP],
		.fp = registers[ARCH_FP],
		.registers = registers,
		.is_exact = true,
	};
	unwind_walk(&frame, &stack, &path, NULL);
	judge(&path);
}

static NOINLINE void look_through(const ucontext_t *context)
{
	struct unwind_frame handler = {
		.pc = (uint64_t)__builtin_return_address(0),
		.sp = (uint64_t)__builtin_dwarf_cfa(),
		.fp = *(uint64_t *)__builtin_frame_address(0),
	};
	struct unwind_path path;

	(void)context;
	unwind_walk(&handler, &stack, &path, NULL);
	judge(&path);
	KEEP;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	/* the first instructions before the loop and those behind it are other routines' */
	if (routine_of((uint64_t)arch_ip_of(context) | UNWIND_EXACT) == (uint64_t)leaf) {
		look(context);
		walks++;
	}
	KEEP;
}

static NOINLINE void leaf(void)
{
	while (walks < WALKS)
		KEEP;
}

static NOINLINE void middle(void)
{
	leaf();
	KEEP;
}

static NOINLINE void outer(void)
{
	middle();
	KEEP;
}

static void interrupt(void (*how)(const ucontext_t *), int flags)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | flags};
	struct itimerval often = {{0, 1000}, {0, 1000}};

	prepare();
	look = how;
	ck_assert(!sigaction(SIGALRM, &action, NULL));
	setitimer(ITIMER_REAL, &often, NULL);
	outer();
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	ck_assert_uint_eq(missing, 0);
	ck_assert_uint_eq(wrong, 0);
}

START_TEST(what_was_interrupted_is_walked)
{
	interrupt(look_at_interrupted, 0);
}
END_TEST

START_TEST(a_walk_goes_through_the_handler)
{
	interrupt(look_through, 0);
}
END_TEST

START_TEST(a_walk_leaves_an_alternate_stack)
{
	stack_t alternate = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};

	ck_assert(!sigaltstack(&alternate, NULL));
	interrupt(look_through, SA_ONSTACK);
	alternate.ss_flags = SS_DISABLE;
	sigaltstack(&alternate, NULL);
	free(alternate.ss_sp);
}
END_TEST

UNIT_MAIN("unwind_handler", what_was_interrupted_is_walked, a_walk_goes_through_the_handler,
	  a_walk_leaves_an_alternate_stack)

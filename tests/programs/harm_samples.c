/* SPDX-License-Identifier: MIT */
/* Code and stacks at which a sample may find its thread:
 *
 *   harm_samples unmapped    an address is called where nothing is mapped, and a handler repairs
 * that harm_samples lazy        a page of code may be neither read nor executed until it is called
 *   harm_samples edge        the stack pointer is at the end of a mapping
 *   harm_samples aligned     accesses that are not aligned are forbidden
 *   harm_samples coroutines  threads of execution that handlers on alternate stacks have made, and
 *                            whose frames jumps lead back into after the handler has returned
 *
 * Status 77: not on this architecture. */
#include "truth.h"

#include <setjmp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, CALLS = 100000, PUSHES = 2000000, ROUTINES = 20, TURNS = 200, STACK = 1 << 16 };

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

	sigaction(number, &action, NULL);
}

static volatile long repaired;

#ifdef __x86_64__
static unsigned char *code;

/* As if the call had returned. */
static void leave_call(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number, (void)info;
	repaired++;
	registers[REG_RIP] = *(greg_t *)registers[REG_RSP];
	registers[REG_RSP] += 8;
}

static void run_unmapped(void)
{
	void (*volatile nowhere)(void) = (void (*)(void))0x10;

	handle(SIGSEGV, leave_call, 0);
	for (int i = 0; i < CALLS; i++)
		nowhere();
	printf("%ld\n", repaired);
}

static void open_code(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	repaired++;
	mprotect(code, PAGE, PROT_READ | PROT_EXEC);
}

static void run_lazy(void)
{
	static const unsigned char return_42[] = {0xb8, 42, 0, 0, 0, 0xc3};
	long sum = 0;

	code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, return_42, sizeof return_42);
	handle(SIGSEGV, open_code, 0);
	for (int i = 0; i < CALLS; i++) {
		mprotect(code, PAGE, PROT_NONE);
		sum += ((int (*)(void))code)();
	}
	printf("%ld %ld\n", sum, repaired);
}

/* What looks like the begin of a routine, with nothing above the stack pointer. */
static void run_edge(void)
{
	char *area = mmap(NULL, 2 * STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = area + STACK;
	long left = PUSHES;

	mprotect(area, STACK, PROT_READ | PROT_WRITE);
	__asm__ volatile(
		"mov %%rsp, %%r12\n\tmov %1, %%rsp\n"
		"1:\tmov $110, %%eax\n\tsyscall\n\tpush %%rbp\n\tmov %%rsp, %%rbp\n\tpop %%rbp\n\t"
		"dec %0\n\tjnz 1b\n\tmov %%r12, %%rsp"
		: "+r"(left)
		: "r"(end)
		: "rax", "rcx", "r11", "r12", "memory");
	puts("done");
}

static void run_aligned(void)
{
	const unsigned long long alignment_check = 1 << 18;
	double end = cpu() + 0.5;
	long kept = 0, rounds = 0;

	for (; cpu() < end; rounds++) {
		__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | alignment_check);
		for (volatile int i = 0; i < 300000; i++)
			;
		kept += (__builtin_ia32_readeflags_u64() & alignment_check) != 0;
		__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~alignment_check);
	}
	puts(kept == rounds ? "kept" : "lost");
}
#else
#define NOT_HERE(name)                                                                             \
	static void name(void)                                                                     \
	{                                                                                          \
		exit(77);                                                                          \
	}
NOT_HERE(run_unmapped)
NOT_HERE(run_lazy)
NOT_HERE(run_edge)
NOT_HERE(run_aligned)
#endif

/* ---- coroutines, as libraries of C make them that have no other means */

struct routine {
	sigjmp_buf inside, outside;
	long turns;
};

static struct routine routines[ROUTINES];
static struct routine *volatile begun;
static volatile sig_atomic_t was_made;

static void work(struct routine *routine)
{
	while (true) {
		for (volatile int i = 0; i < 30000; i++)
			;
		routine->turns++;
		if (!sigsetjmp(routine->inside, 0))
			siglongjmp(routine->outside, 1);
	}
}

/* Returns the first time; a jump leads back, when its frame is not in use by anybody's rules. */
static void make(int number, siginfo_t *info, void *context)
{
	struct routine *routine = begun;

	(void)number, (void)info, (void)context;
	was_made = 1;
	if (sigsetjmp(routine->inside, 0))
		work(routine);
}

static void begin(struct routine *routine)
{
	char *memory =
		mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = {.ss_sp = memory, .ss_size = STACK}, off = {.ss_flags = SS_DISABLE};

	begun = routine;
	was_made = 0;
	sigaltstack(&stack, NULL);
	raise(SIGUSR2);
	while (!was_made)
		sched_yield();
	sigaltstack(&off, NULL);
}

static NOINLINE void enter(struct routine *routine)
{
	if (!sigsetjmp(routine->outside, 0))
		siglongjmp(routine->inside, 1);
}

static void run_coroutines(void)
{
	long turns = 0;

	handle(SIGUSR2, make, SA_ONSTACK);
	for (int i = 0; i < ROUTINES; i++)
		begin(&routines[i]);
	for (int turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < ROUTINES; i++)
			enter(&routines[i]);
	for (int i = 0; i < ROUTINES; i++)
		turns += routines[i].turns;
	printf("%ld\n", turns);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {{"unmapped", run_unmapped},
		     {"lazy", run_lazy},
		     {"edge", run_edge},
		     {"aligned", run_aligned},
		     {"coroutines", run_coroutines}};

	alarm(100);
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
			modes[i].run();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* poked [call]: one thread computes, another sends it a signal a thousand times a second, as
 * runtimes do to preempt; call: the handler makes it call a routine, as Go's does. Truth: CPU time
 * of the computing, how often the handler ran, and whether it can do that here. */
#include "truth.h"
#include <signal.h>
#include <ucontext.h>

static pthread_t worker;
static volatile int is_over, has_begun;
static volatile long ticks;

static NOINLINE void tick(int number)
{
	(void)number;
	ticks++;
}

#ifdef __x86_64__
/* Returns to where the handler's signal came, and passes by what lies below the stack pointer
 * there. */
__asm__(".text\n.type made_up, @function\nmade_up: push %rbp\n mov %rsp, %rbp\n pop %rbp\n ret $128\n"
	".size made_up, . - made_up\n");
extern char made_up[];
enum { CAN_CALL = 1, RED_ZONE = 128 };

static void call(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	(void)number;
	(void)info;
	ticks++;
	registers[REG_RSP] -= RED_ZONE + 8;
	*(greg_t *)registers[REG_RSP] = registers[REG_RIP];
	registers[REG_RIP] = (greg_t)made_up;
}
#else
enum { CAN_CALL = 0 };

static void call(int number, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	tick(number);
}
#endif

static void use_call(struct sigaction *action)
{
	action->sa_sigaction = call;
	action->sa_flags = SA_RESTART | SA_ONSTACK | SA_SIGINFO;
}

static void *compute(void *unused)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	if (sigaltstack(&stack, NULL))
		abort();
	has_begun = 1;
	double before = cpu();
	BURN(1);
	truth("computed", cpu() - before);
	is_over = 1;
	return unused;
}

int main(int count, char **arguments)
{
	struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
	if (count > 1 && !strcmp(arguments[1], "call"))
		use_call(&action);
	sigaction(SIGURG, &action, NULL);
	pthread_create(&worker, NULL, compute, NULL);
	await_raw(&has_begun, 1);
	while (!is_over) {
		nap_raw(0.001);
		if (!is_over)
			pthread_kill(worker, SIGURG);
	}
	pthread_join(worker, NULL);
	truth("can_call", CAN_CALL);
	truth("ticks", (double)ticks);
	truth_end();
	return 0;
}

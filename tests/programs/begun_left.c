/* SPDX-License-Identifier: MIT */
/* A signal handler interrupts told routines, and leaves them otherwise than by a jump whose buffer
 * tells where the thread's stack will be: by setcontext (context), __builtin_longjmp (builtin), a
 * jump on a coroutine's stack (coroutine), or for another coroutine, which is left the same way
 * (turns). Or there is no memory (memory). Counts its own calls of two routines; `jumps` of them
 * may be off by one, as they were left in the middle. */
#include "truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>

#define NOT_TOLD __attribute__((no_instrument_function))

enum { JUMPS = 200, LAST = 1000, STACK_BYTES = 1 << 17 };

static uint64_t often, last;
static volatile int jumps;
static const char *mode;
static ucontext_t landing, sides[2], origin;
static sigjmp_buf buffer;
static void *builtin_buffer[5];

NOINLINE static void call_often(void)
{
	__atomic_fetch_add(&often, 1, __ATOMIC_RELAXED);
}

NOINLINE static void call_last(void)
{
	__atomic_fetch_add(&last, 1, __ATOMIC_RELAXED);
}

NOT_TOLD static void alarm_us(long us)
{
	struct itimerval once = {.it_value.tv_usec = us};

	setitimer(ITIMER_REAL, &once, NULL);
}

NOT_TOLD static bool is(const char *wanted)
{
	return !strcmp(mode, wanted);
}

NOT_TOLD static void on_alarm(int unused)
{
	int number = jumps++;

	(void)unused;
	if (is("turns")) {
		alarm_us(jumps < JUMPS ? 1000 : 0);
		swapcontext(&sides[number % 2], &sides[(number + 1) % 2]);
		return;
	}
	if (is("context"))
		setcontext(&landing);
	if (is("builtin")) {
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, SIGALRM);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		__builtin_longjmp(builtin_buffer, 1);
	}
	siglongjmp(buffer, 1);
}

/* Deeper each time, so that nothing lies where what was left did. */
NOT_TOLD NOINLINE static void call_until_alarm(void)
{
	char *room = __builtin_alloca(64 + (size_t)jumps * 32);

	__asm__ volatile("" : : "r"(room) : "memory");
	for (;;)
		call_often();
}

NOT_TOLD static void tell(void)
{
	for (int i = 0; i < LAST; i++)
		call_last();
	truth("call_often", (double)often);
	truth("call_last", (double)last);
	truth("jumps", jumps);
	truth_end();
	exit(0);
}

NOT_TOLD static void body(void)
{
	if (is("context"))
		getcontext(&landing);
	else if (is("builtin"))
		(void)!__builtin_setjmp(builtin_buffer);
	else
		sigsetjmp(buffer, 1);
	if (jumps == JUMPS)
		tell();
	alarm_us(300 + jumps * 7);
	call_until_alarm();
}

NOT_TOLD static void take_turns(void)
{
	while (jumps < JUMPS)
		call_often();
	setcontext(&origin);
}

NOT_TOLD static void prepare(ucontext_t *context, void (*function)(void))
{
	getcontext(context);
	context->uc_stack.ss_sp = malloc(STACK_BYTES);
	context->uc_stack.ss_size = STACK_BYTES;
	makecontext(context, function, 0);
}

NOT_TOLD static void run_turns(void)
{
	volatile bool is_over = false;

	prepare(&sides[0], take_turns);
	prepare(&sides[1], take_turns);
	getcontext(&origin);
	if (is_over)
		tell();
	is_over = true;
	alarm_us(1000);
	setcontext(&sides[0]);
}

NOT_TOLD static void run_without_memory(void)
{
	struct rlimit limit = {1 << 20, 1 << 20};

	setrlimit(RLIMIT_AS, &limit);
	tell();
}

NOT_TOLD int main(int count, char **arguments)
{
	mode = count > 1 ? arguments[1] : "context";
	signal(SIGALRM, on_alarm);
	if (is("turns"))
		run_turns();
	if (is("memory"))
		run_without_memory();
	if (is("coroutine")) {
		prepare(&sides[0], body);
		setcontext(&sides[0]);
	}
	body();
}

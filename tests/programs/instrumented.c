/* SPDX-License-Identifier: MIT */
/* A program that the compiler instruments (-finstrument-functions), and that counts its own calls:
 * each routine adds 1 to a counter of its own, and the truth is these.
 *
 *   instrumented plain | threads | jump | fork | exec | signals | deep | coroutine | exit | kill
 *   instrumented speed [CALLS] */
#include "truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>

#define NOT_INSTRUMENTED __attribute__((no_instrument_function))
#define ROUTINE          __attribute__((noinline))

#define ROUTINES(X)                                                                                \
	X(leaf)                                                                                    \
	X(inner)                                                                                   \
	X(outer) X(fibonacci) X(thrower) X(catcher) X(worker) X(starter) X(on_alarm) X(descend)    \
		X(turn) X(last)

enum number {
#define NUMBER(name) N_##name,
	ROUTINES(NUMBER)
#undef NUMBER
		COUNT
};
static uint64_t counts[COUNT];

#define COUNT_CALL(name) __atomic_fetch_add(&counts[N_##name], 1, __ATOMIC_RELAXED)

NOT_INSTRUMENTED static void tell(void)
{
	static const char *const names[] = {
#define NAME(name) #name,
		ROUTINES(NAME)
#undef NAME
	};

	for (int i = 0; i < COUNT; i++)
		truth(names[i], (double)counts[i]);
	truth_end();
}

NOT_INSTRUMENTED static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

NOT_INSTRUMENTED static void spin_us(uint64_t us)
{
	uint64_t end = now_ns() + us * 1000;

	while (now_ns() < end)
		;
}

ROUTINE static void leaf(void)
{
	COUNT_CALL(leaf);
}

ROUTINE static void inner(int calls)
{
	COUNT_CALL(inner);
	spin_us(200);
	for (int i = 0; i < calls; i++)
		leaf();
}

ROUTINE static void outer(int calls)
{
	COUNT_CALL(outer);
	spin_us(100);
	for (int i = 0; i < calls; i++)
		inner(10);
}

ROUTINE static int fibonacci(int n)
{
	COUNT_CALL(fibonacci);
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void plain(void)
{
	for (int i = 0; i < 50; i++)
		outer(3);
	fibonacci(18);
}

/* ---- threads ---- */

static void *worker(void *unused)
{
	COUNT_CALL(worker);
	for (int i = 0; i < 20; i++)
		outer(2);
	return unused;
}

ROUTINE static void starter(int threads)
{
	pthread_t handles[8];

	COUNT_CALL(starter);
	for (int i = 0; i < threads; i++)
		pthread_create(&handles[i], NULL, worker, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(handles[i], NULL);
}

static void threads(void)
{
	for (int i = 0; i < 3; i++)
		starter(4);
}

/* ---- jumps ---- */

static jmp_buf landing;

ROUTINE static void thrower(int depth)
{
	COUNT_CALL(thrower);
	spin_us(20);
	if (depth)
		thrower(depth - 1);
	longjmp(landing, 1);
}

ROUTINE static void catcher(int depth)
{
	COUNT_CALL(catcher);
	if (!setjmp(landing))
		thrower(depth);
	spin_us(500);
	leaf();
}

static void jump(void)
{
	for (int i = 0; i < 100; i++)
		catcher(i % 7);
}

/* ---- processes ---- */

static void fork_and_call(void)
{
	outer(2);
	fflush(NULL);
	int status, child = fork();
	if (!child) {
		memset(counts, 0, sizeof counts);
		outer(5);
		exit((int)counts[N_outer]);
	}
	waitpid(child, &status, 0);
	truth("of the child", WEXITSTATUS(status));
	outer(2);
}

/* The timer of -pg outlives the exec, and its handler does not: until the next image has one of its
 * own, SIGPROF would end it. */
static void exec_again(const char *program)
{
	static const struct itimerval never;

	outer(4);
	setitimer(ITIMER_PROF, &never, NULL);
	execl(program, program, "plain", (char *)NULL);
}

/* ---- signals ---- */

static sigjmp_buf alarm_landing;
static volatile sig_atomic_t alarms, jumps;

static void on_alarm(int unused)
{
	(void)unused;
	COUNT_CALL(on_alarm);
	leaf();
	alarms++;
	if (alarms % 5 == 0 && jumps) {
		jumps++;
		siglongjmp(alarm_landing, 1);
	}
}

/* A handler interrupts hooks as well, and now and then it never returns to what it has interrupted.
 */
static void signals(void)
{
	struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};

	sigaction(SIGALRM, &action, NULL);
	jumps = 1;
	setitimer(ITIMER_REAL, &often, NULL);
	sigsetjmp(alarm_landing, 1);
	while (alarms < 500)
		leaf();
	jumps = 0;
	setitimer(ITIMER_REAL, &never, NULL);
	outer(1);
}

/* ---- deep, coroutines ---- */

ROUTINE static void descend(int depth)
{
	COUNT_CALL(descend);
	if (depth)
		descend(depth - 1);
	__asm__ volatile("" : : : "memory"); /* no tail call */
}

static void deep(void)
{
	descend(20000);
	descend(100);
	outer(3);
}

static ucontext_t first_context, turn_context;
static char turn_stack[1 << 18];

static void turn(void)
{
	COUNT_CALL(turn);
	for (int i = 0; i < 50; i++) {
		leaf();
		swapcontext(&turn_context, &first_context);
	}
}

static void coroutine(void)
{
	getcontext(&turn_context);
	turn_context.uc_stack.ss_sp = turn_stack;
	turn_context.uc_stack.ss_size = sizeof turn_stack;
	turn_context.uc_link = &first_context;
	makecontext(&turn_context, turn, 0);
	for (int i = 0; i < 50; i++) {
		swapcontext(&first_context, &turn_context);
		outer(1);
	}
}

/* ---- the end ---- */

ROUTINE static void last(int signal)
{
	COUNT_CALL(last);
	BURN(signal ? 0.4 : 0.02);
	outer(2);
	tell();
	if (signal)
		kill(getpid(), signal);
	exit(3);
}

ROUTINE static void empty(void)
{
	__asm__ volatile("");
}

NOT_INSTRUMENTED static void speed(uint64_t calls)
{
	uint64_t best = UINT64_MAX;

	for (int run = 0; run < 10; run++) {
		uint64_t start = now_ns();
		for (uint64_t i = 0; i < calls / 10; i++)
			empty();
		uint64_t took = now_ns() - start;
		best = took < best ? took : best;
	}
	printf("%.1f ns a call\n", (double)best / (double)(calls / 10));
}

NOT_INSTRUMENTED int main(int argc, char *argv[])
{
	const char *what = argc > 1 ? argv[1] : "plain";

	if (!strcmp(what, "speed")) {
		speed(argc > 2 ? strtoull(argv[2], NULL, 10) : 10000000);
		return 0;
	}
	if (!strcmp(what, "plain"))
		plain();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "jump"))
		jump();
	else if (!strcmp(what, "fork"))
		fork_and_call();
	else if (!strcmp(what, "exec"))
		exec_again(argv[0]);
	else if (!strcmp(what, "signals"))
		signals();
	else if (!strcmp(what, "deep"))
		deep();
	else if (!strcmp(what, "coroutine"))
		coroutine();
	else if (!strcmp(what, "exit"))
		last(0);
	else if (!strcmp(what, "kill"))
		last(SIGKILL);
	else
		return 2;
	tell();
	return 0;
}

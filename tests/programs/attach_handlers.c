// SPDX-License-Identifier: MIT
// Handlers for alternate stacks (SA_ONSTACK) that were set before the program is attached to: says its
// number ("target N"), and at the end "rounds N wrong M".
//   attach_handlers small    a thread's alternate stack has 300 bytes more than the kernel needs; what lies
//                            below it stays as it was
//   attach_handlers jumps    each handler is left by siglongjmp; the next signal waits for the end of
//                            many of them, as if they had lost their processor
//   attach_handlers plain    each one returns
//   attach_handlers told     sigaction tells what was set, also of one that is reset when it is called
#include "truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { AREA = 1 << 17, PAINT = 0x5a, EVERY_NS = 300000, LATE = 64, OF = 512, ROOM = 4096 };
static const double work_seconds = 2; // of CPU time, so that there is time to attach beside any load

static volatile long rounds, wrong;
static sigjmp_buf back;
static const char *stack_top;

static bool has_work(void)
{
	return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) < work_seconds;
}

static void count(int number)
{
	(void)number;
	rounds++;
	for (volatile int i = 0; i < 10000; i++)
		;
}

static void await_next(int number)
{
	sigset_t pending;

	do
		sigpending(&pending);
	while (!sigismember(&pending, number));
}

static bool is_outermost(const char *frame)
{
	return (size_t)(stack_top - frame) < getauxval(AT_MINSIGSTKSZ) + ROOM;
}

static void jump(int number)
{
	count(number);
	wrong += !is_outermost(__builtin_frame_address(0));
	if (rounds % OF < LATE)
		await_next(number);
	siglongjmp(back, 1);
}

static void set(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(number, &action, NULL);
}

// The calling thread gets SIGUSR1 all the time.
static timer_t poke(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	struct itimerspec often = {{0, EVERY_NS}, {0, EVERY_NS}};
	timer_t timer = NULL;

	event.sigev_notify_thread_id = gettid();
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &often, NULL);
	return timer;
}

static char *set_stack(size_t bytes)
{
	char *area = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const stack_t stack = {.ss_sp = area + AREA / 2, .ss_size = bytes};

	stack_top = area + AREA / 2 + bytes;
	memset(area, PAINT, AREA);
	if (sigaltstack(&stack, NULL))
		abort();
	return area;
}

static void check_paint(const char *area)
{
	for (size_t i = 0; i < AREA / 2; i++)
		if (area[i] != PAINT) {
			wrong++;
			return;
		}
}

static void change_mask(int how)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(how, &signals, NULL);
}

// A jump leads to where SIGUSR1 is blocked. If the jump opened it, the next signal would begin below
// the frame of a handler that is just being left, the one after that below both, and so to the end of
// the stack: natively as well, in a thread that has no processor for EVERY_NS in each handler.
static void *compute(void *bytes)
{
	const char *area = set_stack((size_t)bytes);
	static timer_t timer;

	change_mask(SIG_BLOCK);
	if (!sigsetjmp(back, 1))
		timer = poke();
	change_mask(SIG_UNBLOCK);
	while (has_work())
		SPIN(0.01);
	timer_delete(timer);
	check_paint(area);
	return NULL;
}

static void compute_in_thread(size_t bytes, void (*handler)(int))
{
	pthread_t thread;

	set(SIGUSR1, handler, SA_ONSTACK | SA_RESTART);
	pthread_create(&thread, NULL, compute, (void *)bytes);
	pthread_join(thread, NULL);
}

static void run_small(void)
{
	compute_in_thread((getauxval(AT_MINSIGSTKSZ) + 300 + 63) / 64 * 64, count);
}

static void run_jumps(void)
{
	compute_in_thread(AREA / 2, jump);
}

static void expect_set(int number, void (*handler)(int), int flags)
{
	struct sigaction now_set;
	const int all = SA_ONSTACK | SA_RESTART | SA_SIGINFO | SA_NODEFER | (int)SA_RESETHAND;

	sigaction(number, NULL, &now_set);
	bool is_right = now_set.sa_handler == handler && (now_set.sa_flags & all) == flags;
	for (int i = 1; i < NSIG; i++)
		is_right = is_right && (sigismember(&now_set.sa_mask, i) == 1) == (handler && i == SIGUSR2);
	wrong += !is_right;
}

static void run_told(void)
{
	enum { ALWAYS = SA_ONSTACK | SA_NODEFER, ONCE = (int)(SA_ONSTACK | SA_RESETHAND) };

	set_stack(AREA / 2);
	set(SIGUSR1, count, ALWAYS);
	set(SIGUSR2, count, ONCE);
	while (has_work()) {
		expect_set(SIGUSR1, count, ALWAYS);
		expect_set(SIGUSR2, count, ONCE);
		long before = rounds;
		raise(SIGUSR1);
		raise(SIGUSR2);
		wrong += rounds != before + 2;
		struct sigaction after;
		sigaction(SIGUSR2, NULL, &after);
		wrong += after.sa_handler != SIG_DFL;
		set(SIGUSR2, count, ONCE);
		SPIN(0.001);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	alarm(600);
	printf("target %ld\n", (long)getpid());
	fflush(stdout);
	if (strcmp(mode, "small") == 0)
		run_small();
	else if (strcmp(mode, "jumps") == 0)
		run_jumps();
	else if (strcmp(mode, "plain") == 0)
		compute_in_thread(AREA / 2, count);
	else if (strcmp(mode, "told") == 0)
		run_told();
	printf("rounds %ld wrong %ld\n", rounds, wrong);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* harm_stacks KIND: code on stacks of all kinds, with samples and waits on each. coroutine (stacks
 * that the program mapped, with nothing readable around), local (a thread with 2 MiB of
 * thread-local memory), given (a stack of the program's), default (a smaller default size), small
 * [BYTES] (an alternate stack of that size, with something else right below it), fork [BYTES] (in a
 * child), left (a handler on the alternate stack switches to another context and back). */
#include "truth.h"
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

enum { PAGE = 4096, STACK = 256 << 10 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static __thread volatile char large[2 << 20];

static NOINLINE void work(void)
{
	sem_t s;
	struct timespec past = {1, 0};
	sem_init(&s, 0, 0);
	for (int i = 0; i < 20; i++) {
		BURN(0.004);
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
		sem_timedwait(&s, &past);
	}
}

/* ---- coroutines ---- */

static ucontext_t outside, inside;

/* A stack between two mappings that nobody may read. */
static char *guarded(size_t bytes)
{
	char *whole = mmap(NULL, bytes + 64 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(whole + 32 * PAGE, bytes, PROT_READ | PROT_WRITE);
	return whole + 32 * PAGE;
}

static void *switcher(void *argument)
{
	static __thread ucontext_t here, there;
	for (int i = 0; i < 3; i++) {
		getcontext(&there);
		there.uc_stack.ss_sp = guarded(STACK);
		there.uc_stack.ss_size = STACK;
		there.uc_link = &here;
		makecontext(&there, work, 0);
		swapcontext(&here, &there);
	}
	return argument;
}

/* ---- threads ---- */

static void *compute(void *argument)
{
	work();
	return argument;
}

static void *with_local(void *argument)
{
	large[0] = large[sizeof large - 1] = 1;
	switcher(NULL);
	work();
	return argument;
}

static void run(void *(*routine)(void *), const pthread_attr_t *attributes)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], attributes, routine, NULL))
			abort();
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void given(void)
{
	pthread_t t;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, guarded(4 * STACK) + 3 * PAGE, 4 * STACK - 3 * PAGE);
	if (pthread_create(&t, &attributes, switcher, NULL))
		abort();
	pthread_join(t, NULL);
}

static void with_default(void)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 4 << 20);
	pthread_setattr_default_np(&attributes);
	run(switcher, NULL);
	run(compute, NULL);
}

/* ---- alternate stacks ---- */

static unsigned char *below;
static size_t below_bytes;

static void set_alternate(size_t bytes)
{
	size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
	char *area = guarded(pages);
	stack_t stack = {.ss_sp = area + pages - bytes, .ss_size = bytes};
	below = (unsigned char *)area;
	below_bytes = pages - bytes;
	memset(below, 0x5a, below_bytes);
	if (sigaltstack(&stack, NULL))
		abort();
}

static void look_below(void)
{
	size_t bad = 0;
	for (size_t i = 0; i < below_bytes; i++)
		bad += below[i] != 0x5a;
	printf("%zu bytes overwritten\n", bad);
	fflush(stdout);
}

static void small(size_t bytes)
{
	set_alternate(bytes);
	BURN(0.3);
	look_below();
}

static void fork_small(size_t bytes)
{
	int status;
	set_alternate(bytes);
	pid_t child = fork();
	if (!child) {
		BURN(0.3);
		look_below();
		exit(0);
	}
	waitpid(child, &status, 0);
	printf("status %x\n", status);
}

static volatile int state;

static void leave(int number)
{
	volatile unsigned long canary[64];
	(void)number;
	for (unsigned long i = 0; i < 64; i++)
		canary[i] = 0x1234 + i;
	swapcontext(&inside, &outside);
	for (unsigned long i = 0; i < 64; i++)
		if (canary[i] != 0x1234 + i) {
			puts("the handler's frame was overwritten");
			exit(1);
		}
	state++;
}

static void compute_and_return(void)
{
	BURN(0.3);
	setcontext(&inside);
}

static void left(void)
{
	static char other[65536];
	struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK | SA_NODEFER}, old;
	set_alternate(65536);
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR1, NULL, &old);
	printf("mask is mine: %d\n", !memcmp(&old.sa_mask, &action.sa_mask, 8));
	getcontext(&outside);
	outside.uc_stack.ss_sp = other;
	outside.uc_stack.ss_size = sizeof other;
	makecontext(&outside, compute_and_return, 0);
	raise(SIGUSR1);
	printf("state %d\n", state);
}

int main(int argc, char **argv)
{
	size_t bytes = argc > 2 ? (size_t)atol(argv[2]) : 8192;
	const char *kind = argc > 1 ? argv[1] : "";
	if (!strcmp(kind, "coroutine"))
		run(switcher, NULL), switcher(NULL);
	else if (!strcmp(kind, "local"))
		run(with_local, NULL);
	else if (!strcmp(kind, "given"))
		given();
	else if (!strcmp(kind, "default"))
		with_default();
	else if (!strcmp(kind, "small"))
		small(bytes);
	else if (!strcmp(kind, "fork"))
		fork_small(bytes);
	else if (!strcmp(kind, "left"))
		left();
	else
		return 2;
	puts("ok");
	return 0;
}

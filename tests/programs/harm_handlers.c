/* SPDX-License-Identifier: MIT */
/* harm_handlers KIND: handlers on alternate stacks. actions (what calls say of them), masks (what
 * is blocked in them, after them, and in what they make), deep (they use all of a small stack),
 * jumps (left by jumps; then the thread computes). */
#include "truth.h"
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

static void set_stack(void *memory, size_t bytes)
{
	stack_t stack = {.ss_sp = memory, .ss_size = bytes};
	if (sigaltstack(&stack, NULL))
		abort();
}

static char roomy[65536];

/* ---- actions */

static volatile int seen;

static void first(int number)
{
	seen += number;
}

static void second(int number, siginfo_t *info, void *context)
{
	seen += number + info->si_signo + (((ucontext_t *)context)->uc_link != NULL);
}

static const char *name_of(void *handler)
{
	if (handler == (void *)SIG_DFL)
		return "default";
	if (handler == (void *)SIG_IGN)
		return "ignored";
	return handler == (void *)first    ? "first"
	       : handler == (void *)second ? "second"
					   : "another";
}

static void tell(const char *what, int number)
{
	struct sigaction now;
	uint64_t mask;
	sigaction(number, NULL, &now);
	memcpy(&mask, &now.sa_mask, sizeof mask);
	printf("%s: %s, mask %lx, flags %lx\n", what, name_of((void *)now.sa_handler), mask,
	       (unsigned long)(unsigned)now.sa_flags);
}

/* A mask may also be filled by memset: then it has libc's own signals. */
static void set(int number, void *handler, int flags, int bytes)
{
	struct sigaction action = {.sa_flags = flags}, old;
	action.sa_handler = (void (*)(int))handler;
	memset(&action.sa_mask, bytes, sizeof action.sa_mask);
	sigaction(number, &action, &old);
	printf("before %s: %s, flags %lx\n", name_of(handler), name_of((void *)old.sa_handler),
	       (unsigned long)(unsigned)old.sa_flags);
	tell("now", number);
}

static void actions(void)
{
	set_stack(roomy, sizeof roomy);
	set(SIGUSR1, first, SA_ONSTACK, 0);
	raise(SIGUSR1);
	set(SIGUSR1, second, SA_ONSTACK | SA_SIGINFO | SA_RESTART, 0xff);
	raise(SIGUSR1);
	set(SIGUSR1, first, 0, 0);
	raise(SIGUSR1);
	set(SIGUSR1, first, SA_ONSTACK, 0);
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	siginterrupt(SIGUSR1, 1);
	tell("interrupting", SIGUSR1);
	void *old = (void *)signal(SIGUSR1, SIG_IGN);
	printf("signal: %s\n", name_of(old));
	signal(SIGUSR1, (void (*)(int))old);
	tell("back", SIGUSR1);
	raise(SIGUSR1);
	set(SIGUSR2, second, SA_ONSTACK | SA_SIGINFO | SA_RESETHAND, 0);
	raise(SIGUSR2);
	tell("reset", SIGUSR2);
	set(SIGUSR2, first, SA_ONSTACK, 0);
	set(SIGUSR2, second, SA_SIGINFO | SA_RESETHAND, 0);
	raise(SIGUSR2);
	tell("reset, on the stack of the thread", SIGUSR2);
	tell("never set", SIGSEGV);
	set(SIGUSR2, SIG_IGN, SA_ONSTACK, 0);
	raise(SIGUSR2);
	struct sigaction bad = {.sa_handler = first, .sa_flags = SA_ONSTACK};
	printf("bad numbers: %d %d %d %d\n", sigaction(0, &bad, NULL), sigaction(65, &bad, NULL),
	       sigaction(SIGKILL, &bad, NULL), sigaction(33, &bad, NULL));
	printf("seen %d\n", seen);
}

/* ---- masks */

static void print_mask(const char *where)
{
	uint64_t mask = 0;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask);
	printf("%s: blocked %lx\n", where, mask);
	fflush(stdout);
}

static void *print_in_thread(void *argument)
{
	print_mask("in a thread");
	return argument;
}

static sigjmp_buf back;
static int how;

static void look(int number)
{
	pthread_t thread;
	print_mask("in the handler");
	pthread_create(&thread, NULL, print_in_thread, NULL);
	pthread_join(thread, NULL);
	pid_t child = fork();
	if (!child) {
		print_mask("in a child");
		execlp("grep", "grep", "SigBlk", "/proc/self/status", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	if (how == 1)
		_longjmp(back, number);
	if (how == 2)
		siglongjmp(back, number);
}

static void masks(void)
{
	struct sigaction action = {.sa_handler = look, .sa_flags = SA_ONSTACK};
	set_stack(roomy, sizeof roomy);
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	for (how = 0; how < 3; how++) {
		if (!sigsetjmp(back, how == 2))
			raise(how == 0 ? SIGUSR1 : how == 1 ? SIGHUP : SIGTERM);
		print_mask("afterwards");
	}
}

/* ---- deep */

enum { DEEP = 8192, SPARE = 1024, PAGE = 4096 };

static volatile uintptr_t lowest; /* that the handler uses */

static NOINLINE void fill(void)
{
	char *here = __builtin_frame_address(0);
	size_t bytes = (uintptr_t)here - lowest - SPARE;
	volatile char *block = __builtin_alloca(bytes);
	for (size_t i = 0; i < bytes; i++)
		block[i] = (char)i;
	BURN(0.1);
	for (size_t i = 0; i < bytes; i++)
		seen += block[i] != (char)i;
}

static void go_deep(int number)
{
	(void)number;
	fill();
}

/* Just room for the frame of one signal, and for the handler. */
static void deep(void)
{
	size_t bytes = (size_t)sysconf(_SC_MINSIGSTKSZ) + DEEP;
	bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	char *memory = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	mprotect(memory, PAGE, PROT_NONE);
	lowest = (uintptr_t)memory + PAGE;
	set_stack(memory + PAGE, bytes);
	struct sigaction action = {.sa_handler = go_deep, .sa_flags = SA_ONSTACK};
	sigaction(SIGUSR1, &action, NULL);
	BURN(0.001); /* the lazy binding of its call needs much stack */
	for (int i = 0; i < 5; i++) {
		raise(SIGUSR1);
		BURN(0.02);
	}
	printf("%d bytes were changed\n", seen);
}

/* ---- jumps */

static volatile int *volatile nowhere;

static void leave(int number)
{
	siglongjmp(back, number);
}

static NOINLINE void compute(void)
{
	BURN(0.5);
	KEEP;
}

static void jumps(void)
{
	struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
	static volatile int jumped;
	set_stack(roomy, sizeof roomy);
	sigaction(SIGSEGV, &action, NULL);
	while (jumped < 1000) {
		if (!sigsetjmp(back, 1))
			*nowhere = 1;
		jumped++;
	}
	compute();
	printf("jumped %d\n", jumped);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	if (!strcmp(kind, "actions"))
		actions();
	else if (!strcmp(kind, "masks"))
		masks();
	else if (!strcmp(kind, "deep"))
		deep();
	else if (!strcmp(kind, "jumps"))
		jumps();
	else
		return 2;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* harm_signals KIND: real-time (every real-time signal in turn: blocked and pending, waited for,
 * interrupting a read, with its default action), jump (a handler jumps out of SIGSEGV, again and
 * again, for 0.5 s of CPU time), user (threads change their user, which libc does by a signal of
 * its own, while they are sampled). */
#include "truth.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

static volatile int seen;

static void count(int number)
{
	(void)number;
	seen++;
}

/* ---- real-time ---- */

static pthread_t first;
static volatile int is_back;

/* Again and again: the first may come before the read. */
static void *poke(void *number)
{
	while (!is_back) {
		nap_raw(0.02);
		pthread_kill(first, (int)(long)number);
	}
	return NULL;
}

static void interrupt_read(int number)
{
	int pipes[2];
	char byte;
	pthread_t t;
	if (pipe(pipes))
		abort();
	seen = is_back = 0;
	first = pthread_self();
	pthread_create(&t, NULL, poke, (void *)(long)number);
	long got = read(pipes[0], &byte, 1);
	is_back = 1;
	printf("%d: read %ld %s, seen %d\n", number, got, got < 0 ? strerror(errno) : "", seen > 0);
	pthread_join(t, NULL);
	close(pipes[0]);
	close(pipes[1]);
}

static void die_by(int number)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		signal(number, SIG_DFL);
		raise(number);
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("%d: status %x\n", number, status);
}

static void one_signal(int number)
{
	struct sigaction action = {.sa_handler = count};
	struct timespec soon = {0, 20000000};
	sigset_t set, pending;
	siginfo_t info;
	sigaction(number, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_BLOCK, &set, NULL);
	seen = 0;
	raise(number);
	sigpending(&pending);
	printf("%d: seen %d, pending %d, ", number, seen, sigismember(&pending, number));
	printf("waited for %d, ", sigtimedwait(&set, &info, &soon));
	printf("again %d\n", sigtimedwait(&set, &info, &soon));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	interrupt_read(number);
	die_by(number);
}

/* ---- jump ---- */

static sigjmp_buf back;
static volatile int *volatile nowhere;

static void jump(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void jumps(void)
{
	struct sigaction action = {.sa_handler = jump};
	static volatile int jumped;
	sigaction(SIGSEGV, &action, NULL);
	double end = cpu() + 0.5;
	while (cpu() < end) {
		if (!sigsetjmp(back, 1))
			*nowhere = 1;
		jumped++;
	}
	printf("jumped %d\n", jumped > 100);
}

/* ---- user ---- */

static volatile int stop;

static void *burn(void *argument)
{
	while (!stop)
		BURN(0.01);
	return argument;
}

static void change_user(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, burn, NULL);
	for (int i = 0; i < 200; i++) {
		if (setresuid((uid_t)-1, getuid(), (uid_t)-1))
			puts("cannot set the user that it has");
		nap_raw(0.001);
	}
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	puts("ok");
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	if (!strcmp(kind, "real-time"))
		for (int number = SIGRTMIN; number <= SIGRTMAX; number += 3)
			one_signal(number);
	else if (!strcmp(kind, "jump"))
		jumps();
	else if (!strcmp(kind, "user"))
		change_user();
	else
		return 2;
	return 0;
}

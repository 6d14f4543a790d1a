/* SPDX-License-Identifier: MIT */
/* harm_sandbox KIND: a process forbids itself what it does not need, and works on. strict
 * (seccomp's strict mode, in a child), filter, filter_by_syscall (a filter that kills for what
 * libc's calls after it do not need, with threads before), counter (no reading of the processor's
 * counter). */
#include "truth.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sink;

/* A second or so. */
#ifndef LOOPS
#define LOOPS 300000000ul
#endif

/* Without a clock: it may be forbidden. */
static void compute(void)
{
	for (unsigned long i = 0; i < LOOPS; i++)
		sink += i;
}

static void *lock(void *argument)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return argument;
}

static void strict(bool by_syscall)
{
	int pipes[2], status;
	char text[16] = "";
	if (pipe(pipes))
		abort();
	pid_t child = fork();
	if (!child) {
		lock(NULL);
		if (by_syscall)
			syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
		else
			prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
		compute();
		lock(NULL);
		if (write(pipes[1], "result", 6) != 6)
			abort();
		syscall(SYS_exit, 0);
	}
	close(pipes[1]);
	long length = read(pipes[0], text, sizeof text - 1);
	waitpid(child, &status, 0);
	printf("child wrote '%s' (%ld), status %x\n", text, length, status);
}

#define ALLOW(number)                                                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),                                         \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void filter(bool by_syscall)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_write),
		ALLOW(SYS_exit_group),
		ALLOW(SYS_futex),
		ALLOW(SYS_rt_sigreturn),
		ALLOW(SYS_newfstatat),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
	pthread_t t;
	pthread_create(&t, NULL, lock, NULL);
	pthread_join(t, NULL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (by_syscall ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
		       : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		puts("no filter");
	compute();
	lock(NULL);
	puts("filtered");
	exit(5);
}

static void complain(int number)
{
	(void)number;
	_exit(7);
}

static void dispatch(void)
{
	static volatile char selector = SYSCALL_DISPATCH_FILTER_ALLOW;
	signal(SIGSYS, complain);
	prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector);
	selector = SYSCALL_DISPATCH_FILTER_BLOCK;
	compute();
	lock(NULL);
	selector = SYSCALL_DISPATCH_FILTER_ALLOW;
	puts("dispatched");
	exit(8);
}

static void counter(void)
{
	pthread_t t;
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
	pthread_create(&t, NULL, lock, NULL);
	compute();
	pthread_join(t, NULL);
	puts("uncounted");
	exit(6);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	if (!strcmp(kind, "strict"))
		strict(false);
	else if (!strcmp(kind, "strict_by_syscall"))
		strict(true);
	else if (!strcmp(kind, "filter"))
		filter(false);
	else if (!strcmp(kind, "filter_by_syscall"))
		filter(true);
	else if (!strcmp(kind, "dispatch"))
		dispatch();
	else if (!strcmp(kind, "counter"))
		counter();
	else
		return 2;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* harm_sandbox KIND: a process forbids itself what it does not need, and works on. strict
 * (seccomp's strict mode, in a child), filter, filter_by_syscall (a filter that kills for what
 * libc's calls after it do not need, with threads before), counter (no reading of the processor's
 * counter), child, vfork_child, thread, threads (sealed: that process, that thread, all threads;
 * then all kinds of calls). */
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
	if (by_syscall ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
		       : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		puts("no filter");
	compute();
	lock(NULL);
	puts("filtered");
	exit(5);
}

/* ---- all kinds of calls ---- */

/* What libc's own calls in `act` need, and what it needs to make a thread. None of them tells the
 * time, the thread, the process or its use of anything, or opens a file. */
static void seal(bool by_syscall, unsigned flags)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_read),
		ALLOW(SYS_write),
		ALLOW(SYS_exit),
		ALLOW(SYS_exit_group),
		ALLOW(SYS_execve),
		ALLOW(SYS_futex),
		ALLOW(SYS_clock_nanosleep),
		ALLOW(SYS_rt_sigreturn),
		ALLOW(SYS_mmap),
		ALLOW(SYS_munmap),
		ALLOW(SYS_mprotect),
		ALLOW(SYS_madvise),
		ALLOW(SYS_clone3),
		ALLOW(SYS_clone),
		ALLOW(SYS_set_robust_list),
		ALLOW(SYS_rseq),
		ALLOW(SYS_rt_sigprocmask),
		ALLOW(SYS_brk),
		ALLOW(SYS_getrandom),
		ALLOW(SYS_kill),
		ALLOW(SYS_rt_sigaction),
		ALLOW(SYS_seccomp),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
	if (by_syscall || flags)
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	else
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void fail_to_exec(void)
{
	char *arguments[] = {"x", NULL};
	execv("/nonexistent/x", arguments);
	execvp("a-program-of-no-such-name", arguments);
	execl("/nonexistent2/x", "x", NULL);
}

/* For the other thread to take a while with the lock. */
static void *keep_lock(void *started)
{
	struct timespec while_ = {0, 20000000};
	pthread_mutex_lock(&m);
	__atomic_store_n((int *)started, 1, __ATOMIC_SEQ_CST);
	nanosleep(&while_, NULL);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void wait_for_lock(void)
{
	int started = 0;
	pthread_t thread;
	if (pthread_create(&thread, NULL, keep_lock, &started))
		_exit(20);
	while (!__atomic_load_n(&started, __ATOMIC_SEQ_CST))
		;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(thread, NULL);
}

static int pipes[2];

static void act(void)
{
	char byte = 1;
	struct timespec soon = {0, 1000000};
	lock(NULL);
	wait_for_lock();
	nanosleep(&soon, NULL);
	for (int i = 0; i < 100; i++)
		if (write(pipes[1], &byte, 1) != 1 || read(pipes[0], &byte, 1) != 1)
			_exit(21);
	fail_to_exec();
	for (volatile unsigned long i = 0; i < LOOPS / 10; i++)
		;
}

static void child(void)
{
	for (int kind = 0; kind < 8; kind++) {
		int status;
		pid_t child = fork();
		if (!child) {
			if (kind & 4)
				lock(NULL); /* it has a profile */
			seal(kind & 1, 0);
			seal(true, 0); /* as programs with several filters do */
			act();
			if (kind & 2)
				_exit(9);
			exit(9);
		}
		waitpid(child, &status, 0);
		printf("child %d: status %x\n", kind, status);
	}
}

/* What a vfork child may do. */
static void vfork_child(void)
{
	for (volatile int kind = 0; kind < 4; kind++) {
		int status;
		char byte = 1;
		pid_t child = vfork();
		if (!child) {
			pid_t own = getpid();
			seal(kind & 1, 0);
			fail_to_exec();
			if (write(pipes[1], &byte, 1) != 1 || read(pipes[0], &byte, 1) != 1)
				_exit(21);
			if (kind & 2)
				kill(own, SIGKILL);
			_exit(9);
		}
		waitpid(child, &status, 0);
		lock(NULL);
		printf("child %d: status %x\n", kind, status);
	}
	wait_for_lock();
}

static volatile int is_sealed;

static void *act_when_sealed(void *argument)
{
	while (!is_sealed)
		;
	act();
	return argument;
}

static void *seal_and_act(void *flags)
{
	seal(true, (unsigned)(long)flags);
	is_sealed = 1;
	act();
	return NULL;
}

static void threads(unsigned flags)
{
	pthread_t sealing, others[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&others[i], NULL, act_when_sealed, NULL);
	pthread_create(&sealing, NULL, seal_and_act, (void *)(long)flags);
	pthread_join(sealing, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(others[i], NULL);
	act();
	exit(4);
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
	/* no buffer, for which a file would be asked about later */
	setvbuf(stdout, NULL, _IONBF, 0);
	if (pipe(pipes))
		abort();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
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
	else if (!strcmp(kind, "child"))
		child();
	else if (!strcmp(kind, "vfork_child"))
		vfork_child();
	else if (!strcmp(kind, "thread"))
		threads(0);
	else if (!strcmp(kind, "threads"))
		threads(SECCOMP_FILTER_FLAG_TSYNC);
	else
		return 2;
	return 0;
}

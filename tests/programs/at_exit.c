/* SPDX-License-Identifier: MIT */
/* Threads that live when their process ends.
 *
 * at_exit slow: the last system call takes 0.3 s while other threads run on, as where a machine has
 * more to do than processors: a child computes with two threads and calls exit, and its parent, as
 * a debugger would, holds its first thread before exit_group. Exits with 77 where the kernel does
 * not allow that. Truth: the seconds for which it was held.
 *
 * at_exit counts: a thread sleeps and touches memory in ways that no wrapper sees, until right
 * before the end. Truth: its switches and page faults, as it knows them. */
#include "truth.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#define HELD_SECONDS 0.3

static void *compute(void *unused)
{
	for (;;)
		BURN(0.01);
	return unused;
}

static int child(void)
{
	pthread_t thread;

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	raise(SIGSTOP);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread, NULL, compute, NULL);
	BURN(0.1);
	exit(0);
}

static long call_of(pid_t pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof info, &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return -1;
	return (long)info.entry.nr;
}

/* Returns the child's exit status. */
static int hold_at_exit(pid_t pid)
{
	int status, signal_number = 0;

	waitpid(pid, &status, 0);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)PTRACE_O_TRACESYSGOOD);
	for (;;) {
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)signal_number);
		waitpid(pid, &status, 0);
		if (WIFEXITED(status))
			return WEXITSTATUS(status);
		if (WIFSIGNALED(status))
			return 128 + WTERMSIG(status);
		signal_number = WSTOPSIG(status);
		if (signal_number != (SIGTRAP | 0x80))
			continue;
		signal_number = 0;
		if (call_of(pid) == SYS_exit_group) {
			double begin = now();
			nap_raw(HELD_SECONDS);
			truth("held", now() - begin);
		}
	}
}

static int is_done;

/* Then it waits for nothing that a wrapper knows, and does not come back. */
static void *sleep_and_touch(void *unused)
{
	struct rusage usage;
	char *memory =
		mmap(NULL, 300 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(memory, 300 * 4096, MADV_NOHUGEPAGE);
	for (int i = 0; i < 300; i++) {
		nap_raw(0.0001);
		memory[i * 4096] = 1;
	}
	getrusage(RUSAGE_THREAD, &usage);
	truth("voluntary", (double)usage.ru_nvcsw);
	truth("minor", (double)usage.ru_minflt);
	__atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
	nap_raw(1000);
	return unused;
}

static int counts(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_and_touch, NULL);
	while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
		nap_raw(0.001);
	truth_end();
	return 0;
}

static int slow(void)
{
	pid_t pid = fork();

	if (!pid)
		return child();
	int status = hold_at_exit(pid);
	truth_end();
	return status;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "slow"))
		return slow();
	if (argc == 2 && !strcmp(argv[1], "counts"))
		return counts();
	return 2;
}

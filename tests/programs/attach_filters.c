// SPDX-License-Identifier: MIT
// Programs that let a foreign system call end them.
//   attach_filters sandbox|thread   says "ready"; at a line on stdin it allows itself little more
//                                   than to read, write, sleep and end (seccomp, the rest kills),
//                                   and says "closed"; at the end of stdin it ends with status 6.
//                                   thread: another thread does so, and the first one waits for it
//   attach_filters dispatch         a program of another system in an emulator: computes, and each
//                                   of its system calls is a signal (syscall user dispatch), until
//                                   stdin ends
#include "truth.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>

static void close_sandbox(void)
{
	static const int allowed[] = {SYS_read,           SYS_write, SYS_exit_group,
				      SYS_rt_sigreturn,   SYS_futex, SYS_clock_nanosleep,
				      SYS_restart_syscall};
	enum { COUNT = sizeof allowed / sizeof allowed[0] };
	struct sock_filter filter[2 * COUNT + 2] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)};
	struct sock_fprog program = {2 * COUNT + 2, filter};

	for (int i = 0; i < COUNT; i++) {
		filter[2 * i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								 (unsigned)allowed[i], 0, 1);
		filter[2 * i + 2] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	filter[2 * COUNT + 1] =
		(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &program))
		_exit(77);
}

static void *run_sandbox(void *unused)
{
	char byte;

	if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) != 1)
		_exit(3);
	close_sandbox();
	if (write(1, "closed\n", 7) != 7)
		_exit(3);
	while (read(0, &byte, 1) == 1)
		;
	syscall(SYS_exit_group, 6);
	return unused;
}

static int run_beside(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run_sandbox, NULL);
	pthread_join(thread, NULL);
	return 1;
}

#ifdef __x86_64__
enum { FOREIGN_CALL = 5000, ANSWER = 42, DISPATCH = 59 /* PR_SET_SYSCALL_USER_DISPATCH */ };

static volatile char is_foreign; // 1: calls are signals
static volatile long answered;

__attribute__((naked)) static void restore(void)
{
	__asm__("mov $15, %eax\n\tsyscall\n");
}

static void on_call(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	is_foreign = 0;
	answered += registers[REG_RAX] == FOREIGN_CALL;
	registers[REG_RAX] = registers[REG_RAX] == FOREIGN_CALL ? ANSWER : -ENOSYS;
	is_foreign = 1;
}

static long foreign_call(void)
{
	long result;

	for (volatile int i = 0; i < 1000000; i++)
		;
	__asm__ volatile("syscall" : "=a"(result) : "a"(FOREIGN_CALL) : "rcx", "r11", "memory");
	return result;
}

static int run_dispatch(void)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		unsigned long mask;
	} action = {(void *)on_call, 0x04000000 | SA_SIGINFO | SA_NODEFER, (void *)restore, 0};
	long calls = 0, right = 0;
	int is_waiting = 1;

	syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, 8);
	if (prctl(DISPATCH, 1, (unsigned long)restore, 16, &is_foreign))
		return 77;
	if (write(1, "ready\n", 6) != 6)
		return 3;
	while (is_waiting) {
		is_foreign = 1;
		for (int i = 0; i < 100; i++, calls++)
			right += foreign_call() == ANSWER;
		is_foreign = 0;
		is_waiting = poll(&(struct pollfd){0, POLLIN, 0}, 1, 0) == 0;
	}
	return right == calls && answered == calls ? 6 : 4;
}
#else
static int run_dispatch(void)
{
	return 77;
}
#endif

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	alarm(100);
	if (strcmp(name, "sandbox") == 0)
		run_sandbox(NULL);
	if (strcmp(name, "thread") == 0)
		return run_beside();
	return strcmp(name, "dispatch") == 0 ? run_dispatch() : 2;
}

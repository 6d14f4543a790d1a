/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "supervise.h"

#include "caller_state.h"
#include "child_state.h"
#include "hang_watch.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	sigset_t mask; /* as the caller of ptrace-run set it, once has_mask */
	bool has_mask;
	volatile int start_error; /* written by the vfork child, which shares our memory */
	bool has_terminal_stop;   /* SIGTSTP came, and the child has not continued since */
	bool is_stopped;          /* the child is stopped */
} supervisor;

/* Also in a vfork child, in the parent's memory: system calls only, and nothing of the parent's is
 * changed that it needs. Returns the errno of execve. */
static int become_program(const char *path, char **arguments, char **shell_arguments)
{
	caller_state_give_back();
	sigprocmask(SIG_SETMASK, &supervisor.mask, NULL);
	execve(path, arguments, environ);
	if (errno == ENOEXEC)
		execve("/bin/sh", shell_arguments, environ);
	return errno;
}

/* A SIGKILL for ptrace-run is meant for the program. */
static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
}

/* vfork: when it returns it is known whether the start succeeded, and no page table was copied. */
static __attribute__((noinline)) pid_t spawn(const char *path, char **arguments,
					     char **shell_arguments)
{
	pid_t parent = getpid();
	pid_t child = vfork();

	if (child == 0) {
		die_with(parent);
		child_state_take();
		supervisor.start_error = become_program(path, arguments, shell_arguments);
		_exit(127);
	}
	return child;
}

/* `sh PATH ARGUMENT...`, for a script without a `#!` line */
static char **make_shell_arguments(const char *path, char **arguments)
{
	size_t count = 0;

	while (arguments[count])
		count++;
	char **list = calloc(count + 2, sizeof *list);
	if (!list)
		return arguments;
	list[0] = "sh";
	list[1] = (char *)path;
	for (size_t i = 1; i < count; i++)
		list[i + 1] = arguments[i];
	return list;
}

static void block_signals(void)
{
	sigset_t all;

	if (supervisor.has_mask)
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &supervisor.mask);
	supervisor.has_mask = true;
}

int supervise_start(const char *path, char **arguments, pid_t *child)
{
	block_signals();
	child_state_prepare();
	*child = spawn(path, arguments, make_shell_arguments(path, arguments));
	if (*child < 0)
		return errno;
	if (!supervisor.start_error) {
		child_state_leave();
		return 0;
	}
	while (waitpid(*child, NULL, 0) < 0 && errno == EINTR)
		continue;
	return supervisor.start_error;
}

int supervise_take_place(const char *path, char **arguments)
{
	block_signals();
	return become_program(path, arguments, make_shell_arguments(path, arguments));
}

const sigset_t *supervise_caller_mask(void)
{
	return &supervisor.mask;
}

/* Takes the signal's default action now: it stops or ends this process. */
static void suffer(int number)
{
	struct sigaction standard = {.sa_handler = SIG_DFL}, old;
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, number);
	sigaction(number, &standard, &old);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigprocmask(SIG_BLOCK, &only, NULL);
	sigaction(number, &old, NULL);
}

/* A shell that waits for its job must see it stop. Only stops by a terminal count: whoever stops
 * and continues the program by kill(2) does not know that there are two processes. */
static void note_stop(int number)
{
	bool is_from_terminal = number == SIGTSTP || number == SIGTTIN || number == SIGTTOU ||
				(number == SIGSTOP && supervisor.has_terminal_stop);

	supervisor.is_stopped = true;
	if (is_from_terminal)
		suffer(number);
}

/* True: the child has ended with *status. */
static bool collect(pid_t child, int *status)
{
	while (waitpid(child, status, WNOHANG | WUNTRACED | WCONTINUED) == child) {
		if (WIFEXITED(*status) || WIFSIGNALED(*status))
			return true;
		if (WIFSTOPPED(*status))
			note_stop(WSTOPSIG(*status));
		if (WIFCONTINUED(*status))
			supervisor.is_stopped = supervisor.has_terminal_stop = false;
	}
	return false;
}

static void pass_on(pid_t child, const siginfo_t *signal)
{
	if (signal->si_signo == SIGTSTP)
		supervisor.has_terminal_stop = true;
	if (signal->si_code > 0)
		return; /* from the kernel: the terminal has sent it to the program as well */
	if (signal->si_signo == SIGCONT && !supervisor.is_stopped)
		return; /* the shell continued the whole job */
	if (signal->si_code == SI_QUEUE)
		sigqueue(child, signal->si_signo, signal->si_value);
	else
		kill(child, signal->si_signo);
}

/* For the program a signal that came twice would be another event. Members of a process group
 * cannot tell whether a signal was sent to the group, so it is recognised by its sender. */
static bool has_heard(pid_t child, pid_t herald, const siginfo_t *signal)
{
	return herald > 0 && signal->si_code <= 0 && signal->si_pid == herald &&
	       getpgid(child) == getpgrp();
}

int supervise_wait(pid_t child, pid_t herald, void (*once_running)(void))
{
	const struct timespec soon = {.tv_nsec = 2000000};
	sigset_t all;
	siginfo_t signal;
	int status = 0;

	sigfillset(&all);
	while (!collect(child, &status)) {
		int number = sigtimedwait(&all, &signal, once_running ? &soon : hang_watch_pause());

		if (number < 0 && errno == EAGAIN && once_running) {
			once_running();
			once_running = NULL;
		} else if (number < 0 && errno == EAGAIN) {
			hang_watch_look();
		}
		if (number <= 0 || number == SIGCHLD || signal.si_pid == child)
			continue;
		if (!has_heard(child, herald, &signal))
			pass_on(child, &signal);
	}
	return status;
}

void supervise_end_as(int status)
{
	const struct rlimit none = {0, 0};

	if (!WIFSIGNALED(status))
		_exit(WEXITSTATUS(status));
	prctl(PR_SET_DUMPABLE, 0); /* a core pattern that is a pipe ignores the limit */
	setrlimit(RLIMIT_CORE, &none);
	suffer(WTERMSIG(status));
	_exit(128 + WTERMSIG(status));
}

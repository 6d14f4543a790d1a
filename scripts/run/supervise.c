/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "supervise.h"

#include "caller_state.h"
#include "child_state.h"
#include "group_witness.h"
#include "hang_watch.h"
#include "own_process.h"
#include "process_stat.h"
#include "stop_times.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GENERATIONS_MOST = 64 };

static struct {
	sigset_t mask; /* as the caller of ptrace-run set it, once has_mask */
	bool has_mask;
	volatile int start_error; /* written by the vfork child, which shares our memory */
	bool has_terminal_stop;   /* SIGTSTP came, and the child has not continued since */
	bool is_stopped;          /* the child is stopped */
	bool has_ended;           /* the child, and its number may be another one's */
	pid_t caller;             /* this process's parent at the start */
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
	pid_t parent = own_process_number();
	pid_t child = vfork();

	if (child == 0) {
		die_with(parent);
		group_witness_begin();
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
	supervisor.caller = getppid();
	child_state_prepare();
	char **shell_arguments = make_shell_arguments(path, arguments);

	group_witness_prepare();
	*child = spawn(path, arguments, shell_arguments);
	if (*child < 0) { /* it needs room for a process more than a witness does */
		group_witness_end();
		*child = spawn(path, arguments, shell_arguments);
	}
	if (*child < 0)
		return errno;
	if (!supervisor.start_error) {
		child_state_leave();
		return 0;
	}
	while (waitpid(*child, NULL, 0) < 0 && errno == EINTR)
		continue;
	group_witness_end();
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
	stop_times_stopped();
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
		if (WIFCONTINUED(*status)) {
			supervisor.is_stopped = supervisor.has_terminal_stop = false;
			stop_times_continued();
		}
	}
	return false;
}

/* Of this process, which is none itself. */
static bool is_descendant(pid_t pid)
{
	struct process_stat process;

	for (int i = 0; i < GENERATIONS_MOST && pid > 0; i++) {
		pid = process_stat_read(pid, &process) ? process.parent : 0;
		if (pid == own_process_number())
			return true;
	}
	return false;
}

/* For the program a signal that came twice would be another event. A herald means the group in
 * which the program is now. */
static bool has_heard(pid_t child, pid_t herald, const siginfo_t *signal, bool is_for_group)
{
	if (signal->si_code > 0)
		return true; /* from the kernel, as the terminal's: the program has it as well */
	if (herald > 0 && signal->si_pid == herald)
		return getpgid(child) == getpgrp();
	if (signal->si_signo == SIGCONT && !group_witness_is_there())
		return !supervisor.is_stopped; /* most likely the shell continued the whole job */
	return is_for_group;
}

/* As the kernel does: of a stop and a SIGCONT the later one counts. */
static bool is_revoked(int number)
{
	static const int stops[] = {SIGTSTP, SIGTTIN, SIGTTOU};
	bool is_stop = false, is_stop_pending = false;
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
		is_stop |= number == stops[i];
		is_stop_pending |= sigismember(&pending, stops[i]) == 1;
	}
	return is_stop ? sigismember(&pending, SIGCONT) == 1 : number == SIGCONT && is_stop_pending;
}

static void send_as(pid_t receiver, const siginfo_t *signal)
{
	if (signal->si_code == SI_QUEUE)
		sigqueue(receiver, signal->si_signo, signal->si_value);
	else
		kill(receiver, signal->si_signo);
}

/* What the program and its children send to their parent is meant for whoever started the program:
 * a shell or a server that waits for the word that it is ready. What this process has sent itself
 * was sent before its exec, by what it was then, to the program. */
static void pass_on(pid_t child, const siginfo_t *signal)
{
	bool is_caller_there = supervisor.caller > 0 && getppid() == supervisor.caller;

	if (signal->si_pid == child || is_descendant(signal->si_pid)) {
		if (group_witness_is_there() && is_caller_there)
			send_as(supervisor.caller, signal);
	} else if (!supervisor.has_ended) {
		send_as(child, signal);
	}
}

static void treat(pid_t child, pid_t herald, const siginfo_t *signal, bool is_for_group)
{
	int number = signal->si_signo;

	if (number == SIGTSTP)
		supervisor.has_terminal_stop = true;
	if (number == SIGCHLD && signal->si_code > 0)
		return;
	if (!has_heard(child, herald, signal, is_for_group) && !is_revoked(number))
		pass_on(child, signal);
}

/* What the program sent just before its end is still to be passed on. */
static void treat_pending(pid_t child, pid_t herald)
{
	const struct timespec now = {0, 0};
	bool is_for_group;
	siginfo_t signal;

	while (group_witness_await(&signal, &now, &is_for_group) > 0)
		treat(child, herald, &signal, is_for_group);
}

int supervise_wait(pid_t child, pid_t herald, void (*once_running)(void))
{
	const struct timespec soon = {.tv_nsec = 2000000};
	bool is_for_group;
	siginfo_t signal;
	int status = 0;

	while (!collect(child, &status)) {
		int number = group_witness_await(&signal, once_running ? &soon : hang_watch_pause(),
						 &is_for_group);

		if (number > 0) {
			treat(child, herald, &signal, is_for_group);
		} else if (number == 0 && once_running) {
			once_running();
			once_running = NULL;
		} else if (number == 0) {
			hang_watch_look();
		}
	}
	supervisor.has_ended = true;
	stop_times_continued();
	treat_pending(child, herald);
	group_witness_end();
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

/* SPDX-License-Identifier: MIT */
/* Starts the program, supervises it while it runs, and ends as it ended.
 *
 * The program must not notice: it keeps standard files, process group, signal mask and
 * dispositions. Signals that a process sends to ptrace-run are passed on; those that are sent to
 * the whole process group, by the terminal or by an MPI launcher, reach the program by
 * themselves. */
#pragma once

#include <signal.h>
#include <sys/types.h>

/* Starts path with the arguments and the present environment. Returns 0 and the child; the errno of
 * execve; or that of fork, with *child -1. From here on all signals are blocked in ptrace-run. */
int supervise_start(const char *path, char **arguments, pid_t *child);

/* The program runs in the process of ptrace-run: instead of supervise_start, or after that found no
 * process for it. Returns only if execve fails, with its errno. */
int supervise_take_place(const char *path, char **arguments);

/* Waits for the child's end, passing signals on, and stopping when the terminal stopped it. Returns
 * the status as of wait(2). herald (0: none) is a process that always signals whole process groups:
 * what it sends reaches the child anyway. once_running (NULL: nothing) is called when the child has
 * run for 2 ms, so that it costs a short program nothing. */
int supervise_wait(pid_t child, pid_t herald, void (*once_running)(void));

/* The signal mask with which ptrace-run was started, for a process that is started after the
 * program. */
const sigset_t *supervise_caller_mask(void);

/* Ends ptrace-run as the wait status says: with the exit code, or by the same signal, without a
 * core file of its own. */
_Noreturn void supervise_end_as(int status);

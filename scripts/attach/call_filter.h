/* SPDX-License-Identifier: MIT */
/* Would a system call that is put upon a thread be answered by somebody else than the kernel? */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Of such a thread or process, with the remedy. */
extern const char call_filter_obstacle[];

/* Seccomp: the thread (0: the process's first one) has more filters than ptrace-attach itself. In a
 * container all processes have its filters, and ptrace-attach has come this far with them. */
bool call_filter_is_closed(pid_t process, pid_t thread);

/* The same of any thread of the process. */
bool call_filter_is_any_closed(pid_t process);

/* Syscall user dispatch: calls are signals for the program, which runs one of another system. The
 * thread is stopped. False as well where the kernel does not tell (before Linux 6.4). */
bool call_filter_dispatches(pid_t thread);

/* SPDX-License-Identifier: MIT */
/* What a process keeps when it executes a program, and its child does not get, but can be given: to
 * adopt orphans (PR_SET_CHILD_SUBREAPER), and variables that hold the number of the process that
 * the program would be without us: LISTEN_PID and WATCHDOG_PID of service managers, or `APP_PID=$$
 * exec ptrace-run ...`. */
#pragma once

/* Before the child is made. */
void child_state_prepare(void);

/* In the child, right before exec; in a vfork child it changes the text of those variables, and
 * nothing else of the parent's. */
void child_state_take(void);

/* In the parent, when the child has the program. */
void child_state_leave(void);

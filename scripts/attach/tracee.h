/* SPDX-License-Identifier: MIT */
/* One thread of another process, stopped by ptrace(2) and let go again. No other thread is touched.
 *
 * Context: all signals are blocked in ptrace-attach, so that nothing ends it while the thread is
 * not as it was; stops are awaited by SIGCHLD. Signals that reach the thread meanwhile and cannot
 * wait in its mask are held, and delivered when it goes on. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum stop {
	STOP_INTERRUPTED, /* as asked for */
	STOP_CALL,        /* at the begin or the end of a system call */
	STOP_TRAP,        /* at the trap */
	STOP_CRASH,       /* the function did what ends a program */
	STOP_LATE,        /* not in time */
	STOP_GONE,        /* the thread has ended, or the process executes another program */
};

struct tracee {
	pid_t process, thread;
	uint64_t trap;  /* where the thread is when it has stopped at the trap */
	uint64_t since; /* CLOCK_MONOTONIC, ns: when it was told to stop */
	int crash;      /* signal of STOP_CRASH */
	int current;    /* signal at whose delivery it stands, and which it is to get; 0: none */
	sigset_t held;  /* signals to be delivered when it goes on */
};

/* Returns 0 when the thread stands, or a negative errno: -EAGAIN if a signal was faster, -ETIMEDOUT
 * if the thread cannot be stopped now; then it is free again when ptrace-attach ends, unchanged. */
int tracee_stop(struct tracee *tracee, pid_t process, pid_t thread);

/* Goes on as `request` says, until the next stop. */
enum stop tracee_resume(struct tracee *tracee, int request, uint64_t limit_ns);
/* After STOP_LATE: the next stop, or the one that this asks for. */
enum stop tracee_wait(struct tracee *tracee, uint64_t limit_ns);
enum stop tracee_interrupt(struct tracee *tracee, uint64_t limit_ns);

/* It goes on until it comes to that address, for so long at most. True: it stands there. False: it
 * may be anywhere, and stands unless it has ended. */
bool tracee_run_to(struct tracee *tracee, uint64_t address, uint64_t limit_ns);

/* The thread goes on by itself. Returns the nanoseconds that it stood. */
uint64_t tracee_let_go(struct tracee *tracee);

/* The signal mask of the thread, as the kernel has it. */
int tracee_get_mask(const struct tracee *tracee, uint64_t *mask);
int tracee_set_mask(const struct tracee *tracee, uint64_t mask);

uint64_t tracee_now(void);

/* SPDX-License-Identifier: MIT */
/* One thread of another process, stopped by ptrace(2) and let go again. No other thread is touched.
 *
 * Context: all signals are blocked in ptrace-attach, so that nothing ends it while the thread is
 * not as it was; stops are awaited by SIGCHLD.
 *
 * Signals of the program are never kept back by us, but left in the kernel's queues, where each has
 * its number, value, code, sender and place: while the thread runs the program's own code they are
 * delivered as they come, and while it works for us they are blocked. One that came all the same
 * (SIGSEGV sent by somebody, say, which is open for the library's sake) is blocked when it is about
 * to be delivered: the kernel then puts it back into the queue that it came from. */
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

/* glibc's own, not in its headers: a thread that calls setuid, setgid or the like sends it to all
 * others and waits until each has handled it. */
enum { TRACEE_SIGSETXID = 33 };

struct tracee {
	pid_t process, thread;
	uint64_t trap;  /* where the thread is when it has stopped at the trap */
	uint64_t since; /* CLOCK_MONOTONIC, ns: when it was told to stop */
	int crash;      /* signal of STOP_CRASH */
	int request;    /* of ptrace(2), with which it goes on when a stop was of no interest */
	bool is_free;   /* it runs the program's own code */
	bool is_told;   /* to stop, and has not yet */
	bool has_trap;  /* SIGTRAP was sent to it, which must be open: it is given back later */
	siginfo_t trap_info;
};

#define SIGNAL_BIT(number) (UINT64_C(1) << ((number)-1))
#define ALL_SIGNALS        (~UINT64_C(0))

/* Returns 0 when the thread stands, or a negative errno: -EAGAIN if a signal was faster, -ETIMEDOUT
 * if the thread cannot be stopped now; then it is free again when ptrace-attach ends, unchanged. */
int tracee_stop(struct tracee *tracee, pid_t process, pid_t thread);

/* To be called now and then: a thread that could not be stopped in time may have stopped since. */
void tracee_free_late(void);

/* Goes on as `request` says, until the next stop. PTRACE_SYSCALL: all its signals are blocked. */
enum stop tracee_resume(struct tracee *tracee, int request, uint64_t limit_ns);
/* After STOP_LATE: the next stop, or the one that this asks for. */
enum stop tracee_wait(struct tracee *tracee, uint64_t limit_ns);
enum stop tracee_interrupt(struct tracee *tracee, uint64_t limit_ns);

/* It goes on in the kernel, and is stopped before it leaves it, and before a signal is delivered.
 */
enum stop tracee_resume_to_stop(struct tracee *tracee, uint64_t limit_ns);

/* Its registers are those before a system call. It stands in the call, with that mask: no handler
 * has run in between. 0 or -ESRCH. */
int tracee_enter_call(struct tracee *tracee, uint64_t mask);

/* It goes on until it comes to that address, for so long at most. True: it stands there. False: it
 * may be anywhere, and stands unless it has ended. */
bool tracee_run_to(struct tracee *tracee, uint64_t address, uint64_t limit_ns);

/* The thread goes on by itself. Returns the nanoseconds that it stood. */
uint64_t tracee_let_go(struct tracee *tracee);

/* The signal mask of the thread; in a call that has a mask of its own (ppoll) the thread's, which
 * comes back at the end of the call. Setting a mask takes the call's away. */
int tracee_get_mask(const struct tracee *tracee, uint64_t *mask);
int tracee_set_mask(const struct tracee *tracee, uint64_t mask);

uint64_t tracee_now(void);

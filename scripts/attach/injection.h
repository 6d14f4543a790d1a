/* SPDX-License-Identifier: MIT */
/* Makes a thread of a running process load libptrace.so and call it.
 *
 * A thread is chosen that holds nothing which a stop would take from it (candidates), and that
 * waits in a system call with which the kernel goes on by itself; if there is none, one whose call
 * ends with EINTR and is made again; if there is none of these either, one that computes. It stands
 * still for the time of a call of dlopen; no other thread is stopped.
 *
 * Context: ptrace-attach, all signals blocked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct injection {
	pid_t process;
	const char *library;  /* to be loaded if the process has none; NULL: it must have one */
	const char *function; /* of the library */
	const char *argument; /* its bytes in memory; NULL: none */
	size_t argument_size;
	uint64_t wait_ns; /* for how long a thread is looked for */
	bool is_forced;   /* also a thread that filters its system calls makes the call */
	/* results */
	int answer;        /* of the function */
	pid_t thread;      /* that was stopped */
	uint64_t stood_ns; /* for how long, at the last attempt */
	bool is_repeated;  /* a call with a time-out began anew */
	unsigned attempts; /* how often a thread was stopped */
	char failure[400]; /* what prevented it */
};

/* True: the function was called, and answer is what it returned. */
bool injection_run(struct injection *injection);

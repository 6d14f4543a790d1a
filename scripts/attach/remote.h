/* SPDX-License-Identifier: MIT */
/* Calls of functions and of the system that a stopped thread makes for us, on a stack of its own,
 * and its memory.
 *
 * Context: between remote_begin and remote_end, in one thread; all its signals are blocked but, in
 * functions, those that an instruction raises and SIGSETXID. Functions return 0 or a negative
 * errno, -ESRCH if the thread is gone, -EFAULT if the function crashed. After an error nothing but
 * remote_end may be called. */
#pragma once

#include "interrupted_call.h"
#include "object.h"
#include "registers.h"
#include "tracee.h"

#include <stddef.h>

struct remote;

/* Asked again and again while a function does not end. It may stop the thread and make calls within
 * that function; it waits for so long, and returns what tracee_wait would. */
typedef enum stop remote_help(struct remote *remote, uint64_t limit_ns);

struct remote {
	struct tracee *tracee;
	remote_help *help; /* NULL: there is none */
	const void *help_context;
	const char *what; /* what it calls, for whom it takes long */
	struct registers saved;
	uint64_t saved_mask;
	uint64_t system_call, trap; /* addresses of instructions in libc */
	uint64_t stack, stack_size; /* 0: none yet */
	bool is_on_signal_stack;    /* the program is */
	uint64_t texts;             /* where the next text is put */
	uint64_t errno_address;     /* 0: not known */
	int saved_errno;
	uint64_t message_address; /* of what dlerror will say to this thread; 0: not known */
	uint64_t saved_message;
	int crash; /* signal */
};

/* Where the instructions lie that remote_begin needs; 0, or -ENOENT. To be called before the thread
 * is stopped. */
int remote_prepare(struct remote *remote, pid_t process, const struct object *libc);

/* What libc keeps for each thread, and a call of dlopen changes. */
struct remote_locals {
	uint64_t errno_location; /* address of libc's function */
	int64_t message_offset;  /* from errno to the pointer of dlerror; 0: not known */
};

/* The registers are those that the thread goes on with. */
int remote_begin(struct remote *remote, struct tracee *tracee, const struct registers *registers,
		 const struct remote_locals *locals);
/* Everything as it was, but for what the functions have done. The thread is still stopped, perhaps
 * at the begin of the call that it was in. */
int remote_end(struct remote *remote, const struct interrupted_call *call);

/* Puts bytes where the functions find them; *address says where. */
int remote_put(struct remote *remote, const void *bytes, size_t size, uint64_t *address);

int remote_call(struct remote *remote, const char *what, uint64_t function, uint64_t first,
		uint64_t second, uint64_t *result);

/* For a remote_help that has stopped the thread in a system call that may be interrupted: another
 * function, after which the thread is where it was. */
int remote_call_within(struct remote *remote, uint64_t function, uint64_t argument,
		       uint64_t *result);

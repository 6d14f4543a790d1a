/* SPDX-License-Identifier: MIT */
/* The calls in which threads were when their process ended, or when the profile was read. Context:
 * pure. */
#pragma once

#include "analyze/model/threads/thread_time.h"
#include "analyze/read/profile.h"

#include <stdbool.h>

struct names;
struct process;

struct open_wait {
	const struct thread_time *time;
	enum operation operation;
	uint64_t charged_ns; /* the part of a join that the joined thread has charged */
};

struct open_waits {
	struct open_wait *rows;
	size_t count;
};

/* thread: in a wait (waiting_cause is set). */
enum operation open_wait_operation(const struct profile *profile,
				   const struct profile_thread *thread);

/* Those for objects, children, signals, input and output, and sleeps: calls of MPI, and barriers of
 * OpenMP, are counted elsewhere. They refer to the process, and are released by the caller. */
struct open_waits open_waits_of(const struct profile *profile, const struct process *process);
void open_waits_clear(struct open_waits *waits);

/* Did another thread keep it waiting? */
bool open_wait_is_caused(const struct open_wait *wait);
/* What stands for that one, which is not known: "[still held]" or "[unknown]". */
const char *open_wait_holder(const struct open_wait *wait, const struct profile *profile,
			     struct names *names);

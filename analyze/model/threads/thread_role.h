/* SPDX-License-Identifier: MIT */
/* What threads are there for: the first routine of the user's that each runs.
 *
 * That is the start routine, if it is the user's. Where libraries start all threads through one of
 * their own (std::thread, GThread, Rust), it is the callable that was handed to them, if the name
 * of what C++ makes for it tells (`main::{lambda()#1}`), and otherwise the outermost routine of the
 * user's in the call paths of the thread's samples and waits, of several the one with the most CPU
 * and waiting time. A thread without any has the role that all other threads with its start routine
 * have. OpenMP's threads run whatever region comes and have none. Context: pure but for names;
 * profile by profile, as questions to names. */
#pragma once

#include "analyze/model/common/names.h"

struct thread_role {
	struct frame frame; /* line: where the routine is declared, or begins; 0: unknown */
	bool is_known; /* otherwise the start routine, of no user's; none for the first thread */
};

/* thread: index in profile->threads. */
struct thread_role thread_role_of(struct names *names, const struct profile *profile,
				  size_t thread);
/* The role of all threads that start there (a call path); not known if they have several. */
struct thread_role thread_role_of_start(struct names *names, const struct profile *profile,
					size_t start);

/* "parse_file"; NULL: not known. */
const char *thread_role_text(struct names *names, const struct profile *profile, size_t thread);
/* The kernel's name for the thread, or its role where that name is only the program's. Not of the
 * first thread: that is the program. */
const char *thread_shown_name(struct names *names, const struct profile *profile, size_t thread);
/* "4711 (parse_file)", "4711" if name is NULL or empty; released by the caller. */
char *thread_label(uint64_t tid, const char *name);

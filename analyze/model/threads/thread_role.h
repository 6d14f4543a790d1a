/* SPDX-License-Identifier: MIT */
/* What threads are for: the first routine of the user's code that each of them runs.
 *
 * That is the start routine, if it is the user's. Libraries start all threads through a routine of
 * their own (std::thread, GThread, Rust): there it is the callable that was passed, if the name of
 * the function that C++ generates for it tells (`main::{lambda()#1}`), and otherwise the outermost
 * routine of the user's code in the call paths of the thread's samples and waits; if there are
 * several, the one with the most CPU and waiting time. A thread without any such routine has the
 * role that all other threads with its start routine have. OpenMP threads execute any region and
 * have no role. Context: pure but for names; used profile by profile, as names are. */
#pragma once

#include "analyze/model/common/names.h"

struct thread_role {
	struct frame frame; /* line: where the routine is declared, or where its code begins; 0:
			       unknown */
	bool is_known; /* false: frame is the start routine, no user's; empty for the first thread
			*/
};

/* thread: index in profile->threads. */
struct thread_role thread_role_of(struct names *names, const struct profile *profile,
				  size_t thread);
/* The role of all threads that start at this call path; unknown if they have several. */
struct thread_role thread_role_of_start(struct names *names, const struct profile *profile,
					size_t start);

/* The routine in which the user's code of a call path begins, as a thread's role does: its number
 * in names + 1; 0: unknown. */
size_t thread_role_of_path(struct names *names, const struct profile *profile, size_t callpath);

/* A helper of the MPI library in a rank: started inside of an MPI call (THREAD_OF_MPI), or its role
 * is a routine of the library's or of one below it: of threads that were there before the profiler
 * was attached, their stacks tell. */
bool thread_role_is_of_mpi(struct names *names, const struct profile *profile, size_t thread);

/* "parse_file"; NULL: unknown. */
const char *thread_role_text(struct names *names, const struct profile *profile, size_t thread);
/* The thread's name as the kernel has it, or its role if that name is merely the program's. Not the
 * role of the first thread, which is the program. */
const char *thread_shown_name(struct names *names, const struct profile *profile, size_t thread);
/* "4711 (parse_file)", "4711" if name is NULL or empty; released by the caller. */
char *thread_label(uint64_t tid, const char *name);

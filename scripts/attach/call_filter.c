/* SPDX-License-Identifier: MIT */
#include "call_filter.h"

#include "proc_text.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

enum { SECCOMP_FILTER = 2, GET_DISPATCH = 0x4211 /* PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG */ };

const char call_filter_obstacle[] = "filters its system calls (seccomp), and might end for one of "
				    "the profiler's: --force makes them all the same";

bool call_filter_is_closed(pid_t process, pid_t thread)
{
	if (proc_text_number(process, thread, "Seccomp") != SECCOMP_FILTER)
		return false;
	long own = proc_text_number(getpid(), 0, "Seccomp_filters");

	return own <= 0 || proc_text_number(process, thread, "Seccomp_filters") > own;
}

bool call_filter_is_any_closed(pid_t process)
{
	char path[40];
	const struct dirent *entry;
	bool is_closed = false;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
	DIR *listing = opendir(path);
	while (listing && !is_closed && (entry = readdir(listing))) {
		pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);

		is_closed = thread && call_filter_is_closed(process, thread);
	}
	if (listing)
		closedir(listing);
	return is_closed;
}

bool call_filter_dispatches(pid_t thread)
{
	struct {
		uint64_t mode, selector, offset, length;
	} dispatch = {0};

	return ptrace((enum __ptrace_request)GET_DISPATCH, thread, (void *)sizeof dispatch,
		      &dispatch) == 0 &&
	       dispatch.mode != 0;
}

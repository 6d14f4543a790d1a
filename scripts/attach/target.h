/* SPDX-License-Identifier: MIT */
/* Can a library be loaded into a process that runs? Looks at /proc alone: nothing of the process is
 * touched. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct target {
	pid_t process;
	char name[16]; /* as the kernel calls it */
	uid_t user;    /* effective */
	gid_t group;
	bool is_filtered;   /* by seccomp of its own: a call of the profiler may end it */
	bool is_gone;       /* there is no such process */
	char obstacle[400]; /* why not, and the remedy; "" if it can */
};

/* library: its path here, which the process must reach as well; NULL: it has one already. */
void target_check(struct target *target, pid_t process, const char *library);

/* Is the file of that path the same for the process? */
bool target_sees(pid_t process, const char *path);

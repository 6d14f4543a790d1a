/* SPDX-License-Identifier: MIT */
/* What /proc says about another process of this host: enough to find the launcher among the
 * ancestors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_stat {
	pid_t pid, parent;
	uint64_t start_ns; /* CLOCK_BOOTTIME, in steps of a tick: unique together with pid and boot
			    */
	char name[16];     /* the kernel's: 15 characters at most */
};

/* False: there is no such process, or it is hidden (another pid namespace, hidepid). */
bool process_stat_read(pid_t pid, struct process_stat *process);

/* The argument that follows `option` on the command line of pid; "" if there is none. */
void process_argument(pid_t pid, const char *option, char *value, size_t size);

/* The kernel's id of this boot of this host, "" if it has none. */
void process_boot_id(char *text, size_t size);

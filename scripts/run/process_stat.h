/* SPDX-License-Identifier: MIT */
/* What /proc says about another process of this host: enough to walk up to the launcher. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_stat {
	pid_t pid, parent;
	uint64_t start_ns; /* CLOCK_BOOTTIME, in steps of a tick: with pid and boot it never repeats
			    */
	char name[16];     /* the kernel's: 15 characters at most */
};

/* False: there is none, or it is hidden (another pid namespace, hidepid). */
bool process_stat_read(pid_t pid, struct process_stat *process);

/* The argument behind `option` on the command line of pid; "" if there is none. */
void process_argument(pid_t pid, const char *option, char *value, size_t size);

/* The kernel's name of this boot of this host, "" where it has none. */
void process_boot_id(char *text, size_t size);

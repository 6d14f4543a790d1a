/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-attach, and the PTRACE_* variables that replace its options. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct attach_options {
	pid_t process;
	const char *output;
	const char *sample;
	const char *left_out[4]; /* PTRACE_* variables of parts, to be set to 0 */
	bool is_detaching;
	bool is_job;
	bool is_quiet;
	bool is_forced;
	uint64_t duration_ns; /* of --seconds; 0: not given */
	uint64_t wait_ns;
};

/* Ends the process with a message and status 2 on wrong usage, with 0 after --help and --version.
 */
void attach_options_read(int argc, char **argv, struct attach_options *options);

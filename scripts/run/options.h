/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-run, and the PTRACE_* variables that replace its options; an option
 * takes precedence.
 *
 * What the preloaded library reads itself (sampling rate, parts left out) is only checked here and
 * passed on as a variable: see preload_environment.h. */
#pragma once

#include <stdbool.h>

struct options {
	const char *output;           /* run directory; NULL: choose one */
	const char *hang_timeout;     /* NULL: nobody looks */
	unsigned hang_seconds;        /* the same as a number; 0: nobody looks */
	const char *sample;           /* samples a second; NULL: not given */
	const char *section_routines; /* names, by commas; NULL: none */
	const char *events; /* LIST of events to count, see event_settings.h; NULL: not given */
	bool is_event_list_wanted;
	const char *event_pattern; /* for the list of events; NULL: all */
	bool without_sync;
	bool without_mpi;
	bool without_openmp;
	bool without_switches;
	bool is_report_wanted;
	bool is_quiet;
	bool is_forced;
	bool is_added;    /* to the run that is in the directory */
	bool is_in_place; /* the program takes the place of ptrace-run; never with a report */
	char **command;   /* PROGRAM and its arguments, ended by NULL; not for a list of events */
};

/* Ends the process with a message and status 2 on wrong usage, with 0 after --help and --version.
 */
void options_read(int argc, char **argv, struct options *options);

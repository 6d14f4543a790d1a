/* SPDX-License-Identifier: MIT */
#include "attach_options.h"

#include "scripts/run/message.h"
#include "scripts/run/option_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MAX = 10000, SECONDS_MAX = 1000000, WAIT_MAX = 600 };

#define LETTERS "+:o:s:qhV"

enum long_only {
	OPTION_DETACH = 256,
	OPTION_SECONDS,
	OPTION_JOB,
	OPTION_WAIT,
	OPTION_FORCE,
	OPTION_NO_SYNC, /* the parts, in the order of `parts` */
	OPTION_NO_MPI,
	OPTION_NO_OPENMP,
	OPTION_NO_SWITCHES,
};

static const char *const parts[] = {"PTRACE_SYNC", "PTRACE_MPI", "PTRACE_OPENMP",
				    "PTRACE_SWITCHES"};

/* A key is a letter, or enum long_only. */
static const struct option_row rows[] = {
	{"detach", NULL, OPTION_DETACH, "end the profile of a process that was attached to"},
	{"seconds", "S", OPTION_SECONDS, "attach, detach after S seconds"},
	{"job", NULL, OPTION_JOB, "attach to all processes below a launcher, not to PID itself"},
	{"output", "DIR", 'o', "run directory (default: PROGRAM.ptrace.N)"},
	{"sample", "HZ", 's', "call-stack samples per second of CPU time and thread; 0: none"},
	{"no-sync", NULL, OPTION_NO_SYNC, "leave out locks, conditions, barriers, joins, I/O"},
	{"no-mpi", NULL, OPTION_NO_MPI, "leave out the calls of MPI"},
	{"no-openmp", NULL, OPTION_NO_OPENMP, "leave out the regions of OpenMP"},
	{"no-switches", NULL, OPTION_NO_SWITCHES, "leave out the kernel's context-switch records"},
	{"wait", "S", OPTION_WAIT, "look for a thread that can load it for S seconds (default 2)"},
	{"force", NULL, OPTION_FORCE,
	 "attach although a filter of system calls may end the process"},
	{"quiet", NULL, 'q', "print nothing but what went wrong"},
	{"help", NULL, 'h', "print this text"},
	{"version", NULL, 'V', "print the version"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void print_help(void)
{
	printf("Usage: ptrace-attach [OPTION...] PID\n"
	       "Start profiling a process that runs already.\n\n");
	option_table_print(rows, ROW_COUNT, 23);
	printf("\nExit status: 0 done, 125 the process cannot be profiled, 127 there is none,\n"
	       "2 wrong usage. The process goes on as it was in each case.\n");
}

static uint64_t nanoseconds(const char *what, const char *text, double most)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value) || value <= 0 || value > most)
		message_fail(STATUS_USAGE, "%s must be a number above 0, up to %.0f, not '%s'",
			     what, most, text);
	return (uint64_t)(value * 1e9);
}

static long whole(const char *what, const char *text, long lowest, long highest)
{
	char *end;

	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < lowest || value > highest)
		message_fail(STATUS_USAGE, "%s must be a whole number from %ld to %ld, not '%s'",
			     what, lowest, highest, text);
	return value;
}

static void take_option(struct attach_options *options, int key, const char *argument)
{
	switch (key) {
	case OPTION_DETACH:
		options->is_detaching = true;
		break;
	case OPTION_SECONDS:
		options->duration_ns = nanoseconds("--seconds", argument, SECONDS_MAX);
		break;
	case OPTION_WAIT:
		options->wait_ns = nanoseconds("--wait", argument, WAIT_MAX);
		break;
	case OPTION_FORCE:
		options->is_forced = true;
		break;
	case OPTION_JOB:
		options->is_job = true;
		break;
	case 'o':
		options->output = argument;
		break;
	case 's':
		whole("samples a second", argument, 0, SAMPLE_MAX);
		options->sample = argument;
		break;
	case 'q':
		options->is_quiet = true;
		break;
	case 'h':
		print_help();
		exit(0);
	case 'V':
		puts("ptrace-attach " PTRACE_VERSION);
		exit(0);
	default:
		options->left_out[key - OPTION_NO_SYNC] = parts[key - OPTION_NO_SYNC];
	}
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

void attach_options_read(int argc, char **argv, struct attach_options *options)
{
	struct option table[ROW_COUNT + 1];
	int key;

	*options = (struct attach_options){.output = variable("PTRACE_OUTPUT"),
					   .sample = variable("PTRACE_SAMPLE"),
					   .wait_ns = UINT64_C(2000000000)};
	option_table_print_rows(argc, argv, rows, ROW_COUNT, NULL);
	option_table_make(rows, ROW_COUNT, table);
	argv[0] = (char[]){"ptrace-attach"}; /* --help is told by that name */
	while ((key = option_table_next(argc, argv, LETTERS, table)) != -1)
		take_option(options, key, optarg);
	if (optind + 1 != argc)
		message_fail(STATUS_USAGE, "%s; ptrace-attach --help tells the usage",
			     optind == argc ? "no process given" : "one process at a time");
	options->process = (pid_t)whole("the process", argv[optind], 1, 1 << 30);
	if (options->is_detaching && options->duration_ns)
		message_fail(STATUS_USAGE, "--detach and --seconds exclude each other");
	if (options->output && !*options->output)
		message_fail(STATUS_USAGE, "the run directory has an empty name");
}

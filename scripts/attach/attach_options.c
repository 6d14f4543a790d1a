/* SPDX-License-Identifier: MIT */
#include "attach_options.h"

#include "common/command_line.h"
#include "common/message.h"
#include "common/whole_number.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MAX = 10000, SECONDS_MAX = 1000000, WAIT_MAX = 600 };

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
	long value;

	if (!whole_number_read(text, lowest, highest, &value))
		message_fail(STATUS_USAGE, "%s must be a whole number from %ld to %ld, not '%s'",
			     what, lowest, highest, text);
	return value;
}

static void take_seconds(void *duration_ns, const char *argument)
{
	*(uint64_t *)duration_ns = nanoseconds("--seconds", argument, SECONDS_MAX);
}

static void take_wait(void *wait_ns, const char *argument)
{
	*(uint64_t *)wait_ns = nanoseconds("--wait", argument, WAIT_MAX);
}

static void take_sample(void *sample, const char *argument)
{
	whole("samples a second", argument, 0, SAMPLE_MAX);
	*(const char **)sample = argument;
}

static const char *const parts[] = {"PTRACE_SYNC", "PTRACE_MPI", "PTRACE_OPENMP",
				    "PTRACE_SWITCHES"};

enum { PART_COUNT = sizeof parts / sizeof parts[0] };

struct taken {
	struct attach_options options;
	bool without[PART_COUNT]; /* of parts */
};

#define FIELD(name) .field = offsetof(struct taken, options.name)
#define PART(index) .field = offsetof(struct taken, without[index])

static const struct command_option rows[] = {
	{"detach", 0, NULL, "end the profile of a process that was attached to",
	 FIELD(is_detaching)},
	{"seconds", 0, "S", "attach, detach after S seconds", FIELD(duration_ns),
	 .take = take_seconds},
	{"job", 0, NULL, "attach to all processes below a launcher, not to PID itself",
	 FIELD(is_job)},
	{"output", 'o', "DIR", "run directory (default: PROGRAM.ptrace.N)", FIELD(output)},
	{"sample", 's', "HZ", "call-stack samples per second of CPU time and thread; 0: none",
	 FIELD(sample), .take = take_sample},
	{"no-sync", 0, NULL, "leave out locks, conditions, barriers, joins, I/O", PART(0)},
	{"no-mpi", 0, NULL, "leave out the calls of MPI", PART(1)},
	{"no-openmp", 0, NULL, "leave out the regions of OpenMP", PART(2)},
	{"no-switches", 0, NULL, "leave out the kernel's context-switch records", PART(3)},
	{"wait", 0, "S", "look for a thread that can load it for S seconds (default 2)",
	 FIELD(wait_ns), .take = take_wait},
	{"force", 0, NULL, "attach although a filter of system calls may end the process",
	 FIELD(is_forced)},
	{"quiet", 'q', NULL, "print nothing but what went wrong", FIELD(is_quiet)},
	{"help", 'h', NULL, "print this text", .field = 0},
	{"version", 'V', NULL, "print the version", .field = 0},
};

static void print_help(const struct command_line *line)
{
	printf("Usage: ptrace-attach [OPTION...] PID\n"
	       "Start profiling a process that runs already.\n\n");
	command_line_print_options(line);
	printf("\nExit status: 0 done, 125 the process cannot be profiled, 127 there is none,\n"
	       "2 wrong usage. The process goes on as it was in each case.\n");
}

static const struct command_line command_line = {
	.program = "ptrace-attach",
	.print_help = print_help,
	.options = rows,
	.count = sizeof rows / sizeof rows[0],
	.stops_at_words = true,
	.help_width = 23,
	.is_indented = true,
};

void attach_options_read(int argc, char **argv, struct attach_options *options)
{
	struct taken taken = {.options = {.output = command_line_variable("PTRACE_OUTPUT"),
					  .sample = command_line_variable("PTRACE_SAMPLE"),
					  .wait_ns = UINT64_C(2000000000)}};

	while (command_line_take(&command_line, argc, argv, &taken))
		;
	*options = taken.options;
	for (int i = 0; i < PART_COUNT; i++)
		options->left_out[i] = taken.without[i] ? parts[i] : NULL;
	if (optind + 1 != argc)
		message_fail(STATUS_USAGE, "%s; ptrace-attach --help tells the usage",
			     optind == argc ? "no process given" : "one process at a time");
	options->process = (pid_t)whole("the process", argv[optind], 1, 1 << 30);
	if (options->is_detaching && options->duration_ns)
		message_fail(STATUS_USAGE, "--detach and --seconds exclude each other");
	if (options->output && !*options->output)
		message_fail(STATUS_USAGE, "the run directory has an empty name");
}

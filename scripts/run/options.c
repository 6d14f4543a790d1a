/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "options.h"

#include "common/command_line.h"
#include "common/message.h"
#include "common/whole_number.h"
#include "preset_find.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MAX = 10000, HANG_MAX = 1000000 };

/* -e a -e b is -e a,b; an empty LIST takes back what stands before it. */
static void take_events(void *field, const char *list)
{
	const char **events = field;
	char *both;

	if (!*events || !**events || !*list)
		*events = list;
	else if (asprintf(&both, "%s,%s", *events, list) < 0)
		message_fail(STATUS_CANNOT_PROFILE, "out of memory");
	else
		*events = both;
}

/* Options that change others take all of them. */
static void take_event_list(void *field, const char *pattern)
{
	struct options *options = field;

	options->is_event_list_wanted = true;
	options->event_pattern = pattern;
}

static void take_report(void *field, const char *argument)
{
	struct options *options = field;

	(void)argument;
	options->is_report_wanted = true;
	options->is_quiet = options->is_in_place = false;
}

static void take_quiet(void *field, const char *argument)
{
	struct options *options = field;

	(void)argument;
	options->is_quiet = true;
	options->is_report_wanted = false;
}

static void take_exec(void *field, const char *argument)
{
	struct options *options = field;

	(void)argument;
	options->is_in_place = true;
	options->is_report_wanted = false;
}

/* Names of events are the library's; presets are files. */
static const char *preset_name(size_t index)
{
	static struct preset_names presets;
	static bool is_found;

	if (!is_found)
		preset_names_find(&presets);
	is_found = true;
	return presets.names[index];
}

#define FIELD(name) .field = offsetof(struct options, name)
#define ALL_OF_THEM .field = 0

static const struct command_option rows[] = {
	{"output", 'o', "DIR", "run directory (default: PROGRAM.ptrace.N)", FIELD(output)},
	{"add", 0, NULL, "add to the run in DIR: several starts of a script are one run",
	 FIELD(is_added)},
	{"sample", 's', "HZ", "call-stack samples per second of CPU time and thread; 0: none",
	 FIELD(sample)},
	{"events", 'e', "LIST", "count events: names and presets, as cycles,page-faults,cache",
	 FIELD(events), .take = take_events, .value = preset_name},
	{"list-events", 0, "[PATTERN]", "print the events and presets that work here", ALL_OF_THEM,
	 .take = take_event_list},
	{"no-sync", 0, NULL, "leave out locks, conditions, barriers, joins, I/O",
	 FIELD(without_sync)},
	{"no-mpi", 0, NULL, "leave out the calls of MPI", FIELD(without_mpi)},
	{"no-openmp", 0, NULL, "leave out the regions of OpenMP", FIELD(without_openmp)},
	{"no-switches", 0, NULL, "leave out the kernel's context-switch records",
	 FIELD(without_switches)},
	{"section-routine", 0, "NAMES", "calls of these routines are sections of the report",
	 FIELD(section_routines)},
	{"hang-timeout", 0, "S", "say who waits for whom when nothing has moved for S seconds",
	 FIELD(hang_timeout)},
	{"report", 'r', NULL, "print the report on standard error at the end", ALL_OF_THEM,
	 .take = take_report},
	{"quiet", 'q', NULL, "print nothing at the end", ALL_OF_THEM, .take = take_quiet},
	{"exec", 0, NULL, "let PROGRAM take the place of ptrace-run (always so below a launcher)",
	 ALL_OF_THEM, .take = take_exec},
	{"force", 0, NULL, "run a program that cannot be profiled unprofiled", FIELD(is_forced)},
	{"help", 'h', NULL, "print this text", ALL_OF_THEM},
	{"version", 'V', NULL, "print the version", ALL_OF_THEM},
};

static void print_help(const struct command_line *line)
{
	printf("Usage: ptrace-run [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	       "Run PROGRAM and record how parallel it is, who waits for whom, and what runs alone.\n\n");
	command_line_print_options(line);
	printf("\nEach option has a variable of its name: PTRACE_OUTPUT, PTRACE_SAMPLE, PTRACE_EVENTS,\n"
	       "PTRACE_SYNC=0, PTRACE_MPI=0, PTRACE_OPENMP=0, PTRACE_SWITCHES=0, PTRACE_HANG_TIMEOUT,\n"
	       "PTRACE_SECTION_ROUTINE, PTRACE_REPORT=1, "
	       "PTRACE_QUIET=1, PTRACE_EXEC=1, PTRACE_FORCE=1, PTRACE_ADD=1.\n"
	       "Exit status: that of PROGRAM; 125 it cannot be profiled, 126 cannot be executed,\n"
	       "127 was not found, 2 wrong usage.\n");
}

static const struct command_line command_line = {
	.program = "ptrace-run",
	.print_help = print_help,
	.options = rows,
	.count = sizeof rows / sizeof rows[0],
	.stops_at_words = true,
	.help_width = 27,
	.is_indented = true,
};

static long number_within(const char *what, const char *text, long lowest, long highest)
{
	long value;

	if (!whole_number_read(text, lowest, highest, &value))
		message_fail(STATUS_USAGE, "%s must be a number from %ld to %ld, not '%s'", what,
			     lowest, highest, text);
	return value;
}

static bool is_variable_on(const char *name)
{
	const char *value = getenv(name);

	return value && *value && strcmp(value, "0") != 0;
}

static bool is_variable_off(const char *name)
{
	const char *value = getenv(name);

	return value && strcmp(value, "0") == 0;
}

static void read_variables(struct options *options)
{
	options->output = command_line_variable("PTRACE_OUTPUT");
	options->sample = command_line_variable("PTRACE_SAMPLE");
	options->hang_timeout = command_line_variable("PTRACE_HANG_TIMEOUT");
	options->section_routines = command_line_variable("PTRACE_SECTION_ROUTINE");
	options->events = NULL; /* an option replaces the variable, which event_settings.h knows */
	options->is_event_list_wanted = false;
	options->event_pattern = NULL;
	options->without_sync = is_variable_off("PTRACE_SYNC");
	options->without_mpi = is_variable_off("PTRACE_MPI");
	options->without_openmp = is_variable_off("PTRACE_OPENMP");
	options->without_switches = is_variable_off("PTRACE_SWITCHES");
	options->is_report_wanted = is_variable_on("PTRACE_REPORT");
	options->is_added = is_variable_on("PTRACE_ADD");
	options->is_quiet = is_variable_on("PTRACE_QUIET");
	options->is_forced = is_variable_on("PTRACE_FORCE");
	options->is_in_place = is_variable_on("PTRACE_EXEC") && !options->is_report_wanted;
}

static void check_values(struct options *options)
{
	if (options->output && !*options->output)
		message_fail(STATUS_USAGE, "the run directory has an empty name");
	if (options->is_added && !options->output)
		message_fail(STATUS_USAGE, "--add needs the directory of the run: -o DIR");
	if (options->sample)
		number_within("samples a second", options->sample, 0, SAMPLE_MAX);
	options->hang_seconds =
		options->hang_timeout ? (unsigned)number_within("seconds without progress",
								options->hang_timeout, 1, HANG_MAX)
				      : 0;
}

void options_read(int argc, char **argv, struct options *options)
{
	read_variables(options);
	while (command_line_take(&command_line, argc, argv, options))
		;
	check_values(options);
	options->command = argv + optind;
	if (options->is_event_list_wanted) {
		/* no program is started, so what follows is no program */
		if (!options->event_pattern)
			options->event_pattern = argv[optind];
		return;
	}
	if (optind == argc)
		message_fail(STATUS_USAGE, "no program given; ptrace-run --help tells the usage");
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "options.h"

#include "message.h"
#include "option_table.h"
#include "preset_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MAX = 10000, HANG_MAX = 1000000 };

#define LETTERS "+:o:s:e:rqhV"

enum long_only {
	OPTION_NO_SYNC = 256,
	OPTION_NO_MPI,
	OPTION_NO_OPENMP,
	OPTION_NO_SWITCHES,
	OPTION_FORCE,
	OPTION_EXEC,
	OPTION_HANG_TIMEOUT,
	OPTION_LIST_EVENTS
};

/* A key is a letter, or enum long_only. */
static const struct option_row rows[] = {
	{"output", "DIR", 'o', "run directory (default: PROGRAM.ptrace.N)"},
	{"sample", "HZ", 's', "call-stack samples per second of CPU time and thread; 0: none"},
	{"events", "LIST", 'e', "count events: names and presets, as cycles,page-faults,cache"},
	{"list-events", "[PATTERN]", OPTION_LIST_EVENTS,
	 "print the events and presets that work here"},
	{"no-sync", NULL, OPTION_NO_SYNC, "leave out locks, conditions, barriers, joins, I/O"},
	{"no-mpi", NULL, OPTION_NO_MPI, "leave out the calls of MPI"},
	{"no-openmp", NULL, OPTION_NO_OPENMP, "leave out the regions of OpenMP"},
	{"no-switches", NULL, OPTION_NO_SWITCHES, "leave out the kernel's context-switch records"},
	{"hang-timeout", "S", OPTION_HANG_TIMEOUT,
	 "say who waits for whom when nothing has moved for S seconds"},
	{"report", NULL, 'r', "print the report on standard error at the end"},
	{"quiet", NULL, 'q', "print nothing at the end"},
	{"exec", NULL, OPTION_EXEC,
	 "let PROGRAM take the place of ptrace-run (always so below a launcher)"},
	{"force", NULL, OPTION_FORCE, "run a program that cannot be profiled unprofiled"},
	{"help", NULL, 'h', "print this text"},
	{"version", NULL, 'V', "print the version"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void print_help(void)
{
	printf("Usage: ptrace-run [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	       "Run PROGRAM and record how parallel it is, who waits for whom, and what runs alone.\n\n");
	option_table_print(rows, ROW_COUNT, 27);
	printf("\nEach option has a variable of its name: PTRACE_OUTPUT, PTRACE_SAMPLE, PTRACE_EVENTS,\n"
	       "PTRACE_SYNC=0, PTRACE_MPI=0, PTRACE_OPENMP=0, PTRACE_SWITCHES=0, PTRACE_HANG_TIMEOUT,\n"
	       "PTRACE_REPORT=1, "
	       "PTRACE_QUIET=1, PTRACE_EXEC=1, PTRACE_FORCE=1.\n"
	       "Exit status: that of PROGRAM; 125 it cannot be profiled, 126 cannot be executed,\n"
	       "127 was not found, 2 wrong usage.\n");
}

/* Names of events are the library's; presets are files. */
static void print_values(int key)
{
	struct preset_names presets;

	if (key != 'e')
		return;
	preset_names_find(&presets);
	for (int i = 0; i < presets.count; i++)
		printf(" %s", presets.names[i]);
	preset_names_free(&presets);
}

static long number_within(const char *what, const char *text, long lowest, long highest)
{
	char *end;

	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < lowest || value > highest)
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

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static void read_variables(struct options *options)
{
	options->output = variable("PTRACE_OUTPUT");
	options->sample = variable("PTRACE_SAMPLE");
	options->hang_timeout = variable("PTRACE_HANG_TIMEOUT");
	options->events = NULL; /* an option replaces the variable, which counters.h knows */
	options->is_event_list_wanted = false;
	options->event_pattern = NULL;
	options->without_sync = is_variable_off("PTRACE_SYNC");
	options->without_mpi = is_variable_off("PTRACE_MPI");
	options->without_openmp = is_variable_off("PTRACE_OPENMP");
	options->without_switches = is_variable_off("PTRACE_SWITCHES");
	options->is_report_wanted = is_variable_on("PTRACE_REPORT");
	options->is_quiet = is_variable_on("PTRACE_QUIET");
	options->is_forced = is_variable_on("PTRACE_FORCE");
	options->is_in_place = is_variable_on("PTRACE_EXEC") && !options->is_report_wanted;
}

/* -e a -e b is -e a,b; an empty LIST takes back what stands before it. */
static void add_events(struct options *options, const char *list)
{
	char *both;

	if (!options->events || !*options->events || !*list)
		options->events = list;
	else if (asprintf(&both, "%s,%s", options->events, list) < 0)
		message_fail(STATUS_CANNOT_PROFILE, "out of memory");
	else
		options->events = both;
}

/* What a --no-... leaves out; NULL: it is another option. */
static bool *part_left_out(struct options *options, int key)
{
	switch (key) {
	case OPTION_NO_SYNC:
		return &options->without_sync;
	case OPTION_NO_MPI:
		return &options->without_mpi;
	case OPTION_NO_OPENMP:
		return &options->without_openmp;
	case OPTION_NO_SWITCHES:
		return &options->without_switches;
	default:
		return NULL;
	}
}

static void take_option(struct options *options, int key, const char *argument)
{
	bool *part = part_left_out(options, key);

	if (part) {
		*part = true;
		return;
	}
	switch (key) {
	case 'o':
		options->output = argument;
		break;
	case 's':
		options->sample = argument;
		break;
	case 'e':
		add_events(options, argument);
		break;
	case OPTION_HANG_TIMEOUT:
		options->hang_timeout = argument;
		break;
	case OPTION_LIST_EVENTS:
		options->is_event_list_wanted = true;
		options->event_pattern = argument;
		break;
	case OPTION_FORCE:
		options->is_forced = true;
		break;
	case OPTION_EXEC:
		options->is_in_place = true;
		options->is_report_wanted = false;
		break;
	case 'r':
		options->is_report_wanted = true;
		options->is_quiet = options->is_in_place = false;
		break;
	case 'q':
		options->is_quiet = true;
		options->is_report_wanted = false;
		break;
	case 'h':
		print_help();
		exit(0);
	case 'V':
		puts("ptrace-run " PTRACE_VERSION);
		exit(0);
	}
}

static void check_values(struct options *options)
{
	if (options->output && !*options->output)
		message_fail(STATUS_USAGE, "the run directory has an empty name");
	if (options->sample)
		number_within("samples a second", options->sample, 0, SAMPLE_MAX);
	options->hang_seconds =
		options->hang_timeout ? (unsigned)number_within("seconds without progress",
								options->hang_timeout, 1, HANG_MAX)
				      : 0;
}

void options_read(int argc, char **argv, struct options *options)
{
	struct option table[ROW_COUNT + 1];
	int key;

	option_table_print_rows(argc, argv, rows, ROW_COUNT, print_values);
	option_table_make(rows, ROW_COUNT, table);
	read_variables(options);
	argv[0] = (char[]){"ptrace-run"}; /* --help is told by that name */
	while ((key = option_table_next(argc, argv, LETTERS, table)) != -1)
		take_option(options, key, optarg);
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

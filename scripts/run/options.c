/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "message.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MAX = 10000 };

#define LETTERS "+o:s:rqhV"

enum long_only {
	OPTION_NO_SYNC = 256,
	OPTION_NO_MPI,
	OPTION_NO_OPENMP,
	OPTION_NO_SWITCHES,
	OPTION_FORCE,
	OPTION_EXEC
};

/* One row per option, from which getopt's table and the text of --help are made. */
static const struct option_row {
	const char *name;
	const char *argument; /* NULL: takes none */
	int key;              /* a letter, or enum long_only */
	const char *help;
} rows[] = {
	{"output", "DIR", 'o', "run directory (default: PROGRAM.ptrace.N)"},
	{"sample", "HZ", 's', "call-stack samples per second of CPU time and thread; 0: none"},
	{"no-sync", NULL, OPTION_NO_SYNC, "leave out locks, conditions, barriers, joins"},
	{"no-mpi", NULL, OPTION_NO_MPI, "leave out the calls of MPI"},
	{"no-openmp", NULL, OPTION_NO_OPENMP, "leave out the regions of OpenMP"},
	{"no-switches", NULL, OPTION_NO_SWITCHES, "leave out the kernel's context-switch records"},
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
	for (int i = 0; i < ROW_COUNT; i++) {
		char left[40], letter[8] = "    ";

		if (rows[i].key < 256)
			snprintf(letter, sizeof letter, "-%c, ", rows[i].key);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, rows[i].name,
			 rows[i].argument ? " " : "", rows[i].argument ? rows[i].argument : "");
		printf("  %-21s %s\n", left, rows[i].help);
	}
	printf("\nEach option has a variable of its name: PTRACE_OUTPUT, PTRACE_SAMPLE, PTRACE_SYNC=0,\n"
	       "PTRACE_MPI=0, PTRACE_OPENMP=0, PTRACE_SWITCHES=0, PTRACE_REPORT=1, PTRACE_QUIET=1,\n"
	       "PTRACE_EXEC=1, PTRACE_FORCE=1.\n"
	       "Exit status: that of PROGRAM; 125 it cannot be profiled, 126 cannot be executed,\n"
	       "127 was not found, 2 wrong usage.\n");
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
	options->without_sync = is_variable_off("PTRACE_SYNC");
	options->without_mpi = is_variable_off("PTRACE_MPI");
	options->without_openmp = is_variable_off("PTRACE_OPENMP");
	options->without_switches = is_variable_off("PTRACE_SWITCHES");
	options->is_report_wanted = is_variable_on("PTRACE_REPORT");
	options->is_quiet = is_variable_on("PTRACE_QUIET");
	options->is_forced = is_variable_on("PTRACE_FORCE");
	options->is_in_place = is_variable_on("PTRACE_EXEC") && !options->is_report_wanted;
}

static void take_option(struct options *options, int key, const char *argument)
{
	switch (key) {
	case 'o':
		options->output = argument;
		break;
	case 's':
		options->sample = argument;
		break;
	case OPTION_NO_SYNC:
		options->without_sync = true;
		break;
	case OPTION_NO_MPI:
		options->without_mpi = true;
		break;
	case OPTION_NO_OPENMP:
		options->without_openmp = true;
		break;
	case OPTION_NO_SWITCHES:
		options->without_switches = true;
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
	default:
		message_fail(STATUS_USAGE, "ptrace-run --help lists the options");
	}
}

static void check_values(const struct options *options)
{
	if (options->output && !*options->output)
		message_fail(STATUS_USAGE, "the run directory has an empty name");
	if (options->sample)
		number_within("samples a second", options->sample, 0, SAMPLE_MAX);
}

/* getopt says what is wrong with a word, as it is: so it is asked once more about words that can be
 * shown. */
static void say_what_is_wrong(int argc, char **argv, const struct option *table)
{
	char **copies = calloc((size_t)argc + 1, sizeof *copies);
	int key = copies ? 0 : -1;

	for (int i = 0; copies && i < argc; i++) {
		size_t room = 4 * strlen(argv[i]) + 8, end = 0;

		copies[i] = calloc(room, 1);
		for (const char *at = argv[i]; copies[i] && *at; at++)
			end = message_append(copies[i], end, room, (unsigned char)*at);
		if (!copies[i])
			return; /* the usage is told all the same */
	}
	optind = 0;
	opterr = 1;
	while (key != -1 && key != '?')
		key = getopt_long(argc, copies, LETTERS, table, NULL);
}

void options_read(int argc, char **argv, struct options *options)
{
	struct option table[ROW_COUNT + 1] = {0};
	int key;

	for (int i = 0; i < ROW_COUNT; i++)
		table[i] = (struct option){rows[i].name,
					   rows[i].argument ? required_argument : no_argument, NULL,
					   rows[i].key};
	read_variables(options);
	argv[0] = (char[]){"ptrace-run"}; /* getopt's messages begin with it */
	opterr = 0;
	while ((key = getopt_long(argc, argv, LETTERS, table, NULL)) != -1) {
		if (key == '?')
			say_what_is_wrong(argc, argv, table);
		take_option(options, key, optarg);
	}
	check_values(options);
	if (optind == argc)
		message_fail(STATUS_USAGE, "no program given; ptrace-run --help tells the usage");
	options->command = argv + optind;
}

/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-export. */
#include "analyze/export/export_options.h"

#include "analyze/base/die.h"
#include "common/command_line.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) .field = offsetof(struct export_options, name)

static void take_format(void *format, const char *name)
{
	const struct export_format *known = export_find_format(name);

	if (!known)
		die("--format %s is unknown: use %s", name, export_format_names());
	*(const struct export_format **)format = known;
}

static void take_measure(void *measure, const char *name)
{
	enum export_measure known = EXPORT_CPU;

	while (known < EXPORT_MEASURES && strcmp(export_measure_name(known), name) != 0)
		known++;
	if (known == EXPORT_MEASURES)
		die("--measure %s is unknown: use cpu, elapsed, alone or wait", name);
	*(enum export_measure *)measure = known;
}

static const char *measure_name(size_t index)
{
	return export_measure_name((enum export_measure)index);
}

static const struct command_option options_table[] = {
	{"format", 0, "FORMAT", "one of the above", FIELD(format), .take = take_format,
	 .value = export_format_word},
	{"output", 'o', "FILE", "write to FILE (default: standard output; needed for sqlite)",
	 FIELD(output)},
	{"measure", 0, "MEASURE",
	 "for folded: cpu (default), elapsed (its share of elapsed time), alone (the part of that in\n"
	 "which no other thread of the process ran) or wait",
	 FIELD(measure), .take = take_measure, .value = measure_name},
	{"symbols", 0, "DIR", "look for programs, libraries and their debug files below DIR, too",
	 FIELD(symbols)},
	OPTIONS_OF_ALL,
};

/* The name of what reads it is a name of the format as well. */
static void print_format(const struct export_format *format)
{
	printf("  %-12s %s%s%s\n", format->name, format->help, format->reader ? "; also called " : "",
	       format->reader ? format->reader : "");
}

static void print_help(const struct command_line *line)
{
	fputs("Usage: ptrace-export --format FORMAT [options] [--] [RUN]\n"
	      "       ptrace-export --format extrap [options] [--] RUN...\n"
	      "\n"
	      "Writes RUN, a directory that ptrace-run wrote or one profile of it, in a format of "
	      "other tools; the default is\n"
	      "the newest run below the current directory.\n"
	      "\n"
	      "Formats:\n",
	      stdout);
	for (size_t i = 0; i < export_format_count; i++)
		print_format(&export_formats[i]);
	puts("\nOptions:");
	command_line_print_options(line);
	fputs("\n"
	      "Exit status: 0 exported; 1 the run is incomplete (exported, reason given); 2 wrong "
	      "usage or nothing readable.\n",
	      stdout);
}

static const struct command_line command_line = {
	.program = "ptrace-export",
	.print_help = print_help,
	.options = options_table,
	.count = sizeof options_table / sizeof *options_table,
	.help_width = 22,
};

/* An option that belongs to one format and was given with another is an error, and not ignored. */
static void check(const struct export_options *options)
{
	const struct export_format *format = options->format;

	if (!format)
		die("no format: give --format %s", export_format_names());
	if (!(format->needs & EXPORT_MEASURE) && options->measure != EXPORT_CPU)
		die("--format %s holds all measures: leave --measure out", format->name);
	if ((format->needs & EXPORT_OWN_FILE) && !options->output)
		die("--format %s needs a file to write: give -o FILE%s", format->name,
		    format->suffix);
	if ((format->needs & EXPORT_BINARY) && !options->output && isatty(STDOUT_FILENO))
		die("--format %s is nothing for a terminal: give -o FILE%s", format->name,
		    format->suffix);
}

static void check_runs(const struct export_options *options)
{
	bool is_several = options->format->needs & EXPORT_RUNS;

	if (!is_several && options->run_count > 1)
		die("--format %s takes one RUN: %s is one too many", options->format->name,
		    options->runs[1]);
	if (is_several && options->run_count < 2)
		die("--format %s needs two runs or more, with different numbers of threads or "
		    "ranks",
		    options->format->name);
}

struct export_options export_options_read(int count, char **words)
{
	struct export_options options = {.measure = EXPORT_CPU};

	while (command_line_take(&command_line, count, words, &options))
		;
	options.runs = words + optind;
	options.run_count = (size_t)(count - optind);
	check(&options);
	check_runs(&options);
	return options;
}

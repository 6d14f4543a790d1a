/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-export. */
#include "analyze/export/export_options.h"

#include "analyze/base/die.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum long_only { OPTION_FORMAT = 256, OPTION_TABLE, OPTION_MEASURE, OPTION_SYMBOLS };

static const struct option long_options[] = {
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"table", required_argument, NULL, OPTION_TABLE},
	{"measure", required_argument, NULL, OPTION_MEASURE},
	{"symbols", required_argument, NULL, OPTION_SYMBOLS},
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static void print_help(void)
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
		printf("  %-12s %s\n", export_formats[i].name, export_formats[i].help);
	fputs("\n"
	      "Options:\n"
	      "  --format FORMAT        one of the above\n"
	      "  -o, --output FILE      write to FILE (default: standard output; needed for "
	      "sqlite)\n"
	      "  --table NAME           the table for csv; --table help lists those of RUN\n"
	      "  --measure MEASURE      for folded: cpu (default), elapsed (its share of elapsed "
	      "time), alone (the part of that in\n"
	      "                         which no other thread of the process ran) or wait\n"
	      "  --symbols DIR          look for programs, libraries and their debug files below "
	      "DIR, too\n"
	      "  -h, --help             this text\n"
	      "  -V, --version          the version\n"
	      "\n"
	      "Exit status: 0 exported; 1 the run is incomplete (exported, reason given); 2 wrong "
	      "usage or nothing readable.\n",
	      stdout);
}

static const struct export_format *read_format(const char *name)
{
	const struct export_format *format = export_find_format(name);

	if (!format)
		die("--format %s is unknown: use %s", name, export_format_names());
	return format;
}

static enum export_measure read_measure(const char *name)
{
	for (enum export_measure measure = EXPORT_CPU; measure < EXPORT_MEASURES; measure++)
		if (!strcmp(export_measure_name(measure), name))
			return measure;
	die("--measure %s is unknown: use cpu, elapsed, alone or wait", name);
}

static void read_option(struct export_options *options, int option)
{
	switch (option) {
	case OPTION_FORMAT:
		options->format = read_format(optarg);
		break;
	case OPTION_TABLE:
		options->table = optarg;
		break;
	case OPTION_MEASURE:
		options->measure = read_measure(optarg);
		break;
	case OPTION_SYMBOLS:
		options->symbols = optarg;
		break;
	case 'o':
		options->output = optarg;
		break;
	case 'h':
		print_help();
		exit(0);
	case 'V':
		puts("ptrace-export " PTRACE_VERSION);
		exit(0);
	default: /* getopt_long has said what is wrong */
		fputs("Try 'ptrace-export --help'.\n", stderr);
		exit(2);
	}
}

/* What belongs to one format and was given to another is a mistake, not a wish to be ignored. */
static void check(const struct export_options *options)
{
	const struct export_format *format = options->format;

	if (!format)
		die("no format: give --format %s", export_format_names());
	if ((format->needs & EXPORT_TABLE) && !options->table)
		die("--format %s needs --table NAME: --table help lists the tables", format->name);
	if (!(format->needs & EXPORT_TABLE) && options->table)
		die("--format %s has no tables to choose from: leave --table out", format->name);
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
	int option;

	while ((option = getopt_long(count, words, "o:hV", long_options, NULL)) != -1)
		read_option(&options, option);
	options.runs = words + optind;
	options.run_count = (size_t)(count - optind);
	check(&options);
	check_runs(&options);
	return options;
}

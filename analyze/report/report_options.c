/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_options.h"

#include "analyze/base/die.h"
#include "analyze/base/option_number.h"
#include "analyze/report/report_print.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT 10
#define TOP_HTML    100

enum long_only {
	OPTION_SECTION = 256,
	OPTION_FORMAT,
	OPTION_TOP,
	OPTION_BY,
	OPTION_WIDTH,
	OPTION_SYMBOLS,
	OPTION_SUMMARY
};

static const struct option long_options[] = {
	{"section", required_argument, NULL, OPTION_SECTION},
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"top", required_argument, NULL, OPTION_TOP},
	{"by", required_argument, NULL, OPTION_BY},
	{"width", required_argument, NULL, OPTION_WIDTH},
	{"symbols", required_argument, NULL, OPTION_SYMBOLS},
	{"summary", no_argument, NULL, OPTION_SUMMARY},
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static void print_help(void)
{
	fputs("Usage: ptrace-report [options] [--] [RUN]\n"
	      "\n"
	      "Reports on RUN, a directory that ptrace-run wrote or one profile of it; the default "
	      "is the newest run below\n"
	      "the current directory. Works on finished, killed and running programs.\n"
	      "\n"
	      "  --section NAME[,NAME]  only these sections; --section help says what each one "
	      "shows\n"
	      "  --format FORMAT        text (the default), json, csv (one --section at a time), or "
	      "html (one file to read\n"
	      "                         in a browser)\n"
	      "  --top N                rows per table (default 10, in HTML 100; 0 = all, as JSON "
	      "and CSV do by default)\n"
	      "  --by process|thread    what the sections threads and routines compare (default "
	      "thread)\n"
	      "  --width COLUMNS        width of the text (default 100)\n"
	      "  --symbols DIR          look for programs, libraries and their debug files below "
	      "DIR, too\n"
	      "  --summary              one line: efficiency, elapsed time, directory\n"
	      "  -o, --output FILE      write to FILE\n"
	      "  -h, --help             this text\n"
	      "  -V, --version          the version\n"
	      "\n"
	      "Sections:\n",
	      stdout);
	report_print_sections(stdout, false);
	fputs("\n"
	      "Exit status: 0 report printed; 1 the run is incomplete (report printed, reason "
	      "given); 2 wrong usage or nothing\n"
	      "readable.\n",
	      stdout);
}

static enum report_format read_format(const char *name)
{
	if (!strcmp(name, "text"))
		return REPORT_TEXT;
	if (!strcmp(name, "json"))
		return REPORT_JSON;
	if (!strcmp(name, "csv"))
		return REPORT_CSV;
	if (!strcmp(name, "html"))
		return REPORT_HTML;
	die("--format %s is unknown: use text, json, csv or html", name);
}

static bool read_by(const char *name)
{
	if (strcmp(name, "process") && strcmp(name, "thread"))
		die("--by %s is unknown: use process or thread", name);
	return !strcmp(name, "process");
}

static void read_sections(struct report_options *options, const char *names)
{
	if (!strcmp(names, "help")) {
		report_print_sections(stdout, true);
		exit(0);
	}
	char *unknown = report_find_unknown_section(names);

	if (unknown || !*names)
		die("--section %s is unknown: --section help lists them", unknown ? unknown : "''");
	options->sections = names;
}

static void read_option(struct report_options *options, int option)
{
	switch (option) {
	case OPTION_SECTION:
		read_sections(options, optarg);
		break;
	case OPTION_FORMAT:
		options->format = read_format(optarg);
		break;
	case OPTION_TOP:
		options->top = option_number("--top", optarg, 0, OPTION_ROWS_MAX);
		options->is_top_given = true;
		break;
	case OPTION_BY:
		options->is_by_process = read_by(optarg);
		break;
	case OPTION_WIDTH:
		options->width = (unsigned)option_number("--width", optarg, OPTION_WIDTH_MIN,
							 OPTION_WIDTH_MAX);
		break;
	case OPTION_SYMBOLS:
		options->symbols = optarg;
		break;
	case OPTION_SUMMARY:
		options->format = REPORT_SUMMARY;
		break;
	case 'o':
		options->output = optarg;
		break;
	case 'h':
		print_help();
		exit(0);
	case 'V':
		puts("ptrace-report " PTRACE_VERSION);
		exit(0);
	default: /* getopt_long has said what is wrong */
		fputs("Try 'ptrace-report --help'.\n", stderr);
		exit(2);
	}
}

struct report_options report_options_read(int count, char **words)
{
	struct report_options options = {.width = OPTION_WIDTH_DEFAULT};
	int option;

	while ((option = getopt_long(count, words, "o:hV", long_options, NULL)) != -1)
		read_option(&options, option);
	if (optind < count - 1)
		die("one RUN at a time: %s is one too many", words[optind + 1]);
	if (optind < count)
		options.run = words[optind];
	if (!options.is_top_given)
		options.top = options.format == REPORT_TEXT   ? TOP_DEFAULT
			      : options.format == REPORT_HTML ? TOP_HTML
							      : 0;
	return options;
}

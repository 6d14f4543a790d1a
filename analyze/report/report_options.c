/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_options.h"

#include "analyze/base/command_line.h"
#include "analyze/base/die.h"
#include "analyze/report/report_print.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT 10
#define TOP_HTML    100

#define FIELD(name) .field = offsetof(struct report_options, name)

static void take_sections(void *sections, const char *names)
{
	if (!strcmp(names, "help")) {
		report_print_sections(stdout, true);
		exit(0);
	}
	char *unknown = report_find_unknown_section(names);

	if (unknown || !*names)
		die("--section %s is unknown: --section help lists them", unknown ? unknown : "''");
	*(const char **)sections = names;
}

static void take_summary(void *format, const char *argument)
{
	(void)argument;
	*(enum report_format *)format = REPORT_SUMMARY;
}

static const char *const formats[] = {"text", "json", "csv", "html", NULL};
static const char *const subjects[] = {"process", "thread", NULL};

static const struct command_option options_table[] = {
	{"section", 0, "NAME[,NAME]",
	 "only these sections; --section help says what each one shows", FIELD(sections),
	 .take = take_sections},
	{"format", 0, "FORMAT",
	 "text (the default), json, csv (one --section at a time), or html (one file to read\n"
	 "in a browser)",
	 FIELD(format), .choices = formats},
	{"top", 0, "N",
	 "rows per table (default 10, in HTML 100; 0 = all, as JSON and CSV do by default)",
	 FIELD(top), .most = OPTION_ROWS_MAX},
	{"by", 0, "process|thread",
	 "what the sections threads and routines compare (default thread)", FIELD(by),
	 .choices = subjects},
	{"width", 0, "COLUMNS", "width of the text (default 100)", FIELD(width),
	 .least = OPTION_WIDTH_MIN, .most = OPTION_WIDTH_MAX},
	{"symbols", 0, "DIR", "look for programs, libraries and their debug files below DIR, too",
	 FIELD(symbols)},
	{"summary", 0, NULL, "one line: efficiency, elapsed time, directory", FIELD(format),
	 .take = take_summary},
	{"output", 'o', "FILE", "write to FILE", FIELD(output)},
	OPTIONS_OF_ALL,
};

static void print_help(const struct command_line *line)
{
	fputs("Usage: ptrace-report [options] [--] [RUN]\n"
	      "\n"
	      "Reports on RUN, a directory that ptrace-run wrote or one profile of it; the default "
	      "is the newest run below\n"
	      "the current directory. Works on finished, killed and running programs.\n"
	      "\n",
	      stdout);
	command_line_print_options(line);
	puts("\nSections:");
	report_print_sections(stdout, false);
	fputs("\n"
	      "Exit status: 0 report printed; 1 the run is incomplete (report printed, reason "
	      "given); 2 wrong usage or nothing\n"
	      "readable.\n",
	      stdout);
}

static const struct command_line command_line = {
	.program = "ptrace-report",
	.print_help = print_help,
	.options = options_table,
	.count = sizeof options_table / sizeof *options_table,
	.help_width = 22,
};

struct report_options report_options_read(int count, char **words)
{
	struct report_options options = {
		.width = OPTION_WIDTH_DEFAULT, .top = OPTION_NOT_GIVEN, .by = REPORT_BY_THREAD};

	while (command_line_take(&command_line, count, words, &options))
		;
	if (optind < count - 1)
		die("one RUN at a time: %s is one too many", words[optind + 1]);
	if (optind < count)
		options.run = words[optind];
	options.is_top_given = options.top != OPTION_NOT_GIVEN;
	if (!options.is_top_given)
		options.top = options.format == REPORT_TEXT   ? TOP_DEFAULT
			      : options.format == REPORT_HTML ? TOP_HTML
							      : 0;
	return options;
}

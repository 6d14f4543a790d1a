/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_options.h"

#include "analyze/base/die.h"
#include "common/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAMES_MOST      1000000000
#define TOP_DEFAULT      10
#define INTERVAL_LEAST_S 0.05
#define INTERVAL_MOST_S  86400

#define FIELD(name) .field = offsetof(struct top_options, name)

static void take_interval(void *field, const char *argument)
{
	char *end;
	double seconds = strtod(argument, &end);

	if (end == argument || *end || !(seconds >= INTERVAL_LEAST_S) || seconds > INTERVAL_MOST_S)
		die("--interval %s: give seconds from %g to %d", argument, INTERVAL_LEAST_S,
		    INTERVAL_MOST_S);
	*(uint64_t *)field = (uint64_t)(seconds * 1e9);
}

static const struct command_option options_table[] = {
	{"once", 0, NULL, "print one frame, of one interval, and end", FIELD(is_once)},
	{"batch", 'b', NULL, "print frame after frame as plain text", FIELD(is_batch)},
	{"frames", 0, "N", "with --batch: end after N frames", FIELD(frames), .least = 1,
	 .most = FRAMES_MOST},
	{"rates", 0, NULL,
	 "with --once and --batch: of each thread, lockings, waits, reads and\nwrites, bytes a second, and CPU in the last minute",
	 FIELD(has_rates)},
	{"interval", 'i', "S", "seconds from one frame to the next (default 1)", FIELD(interval_ns),
	 .take = take_interval},
	{"top", 0, "N", "rows per section (default 10)", FIELD(top), .least = 1,
	 .most = OPTION_ROWS_MAX},
	{"width", 0, "COLUMNS",
	 "with --once and --batch: width of the text\n(default: the terminal's; 80 where there is none)",
	 FIELD(width), .least = OPTION_WIDTH_MIN, .most = OPTION_WIDTH_MAX},
	OPTIONS_OF_ALL,
};

static void print_help(const struct command_line *line)
{
	fputs("Usage: ptrace-top [options] [--] [RUN|PID]\n"
	      "\n"
	      "Shows what a running program does: who runs, who waits for what and whom, frame "
	      "after frame. RUN is the\n"
	      "directory that ptrace-run writes, PID the number of a process under it; the "
	      "default is the newest run below\n"
	      "the current directory. The program is neither stopped nor slowed.\n"
	      "\n",
	      stdout);
	command_line_print_options(line);
	fputs("\n"
	      "Keys: up, down: choose a thread; Enter: all of it; < > order; v rates; t tree of "
	      "processes; 1 to 6 one\n"
	      "section; / filter; p pause; s save the run so far; h all keys; q quit.\n"
	      "\n"
	      "Exit status: 0 frames were shown; 2 wrong usage or nothing to show.\n",
	      stdout);
}

static const struct command_line command_line = {
	.program = "ptrace-top",
	.print_help = print_help,
	.options = options_table,
	.count = sizeof options_table / sizeof *options_table,
	.help_width = 22,
};

struct top_options top_options_read(int count, char **words)
{
	struct top_options options = {
		.interval_ns = 1000000000, .top = TOP_DEFAULT, .width = OPTION_WIDTH_DEFAULT};

	while (command_line_take(&command_line, count, words, &options))
		;
	if (optind + 1 < count)
		die("one RUN at a time: %s is one too many", words[optind + 1]);
	if (options.frames && !options.is_batch)
		die("--frames is for --batch");
	if (options.has_rates && !options.is_batch && !options.is_once)
		die("--rates is for --once and --batch; on the screen the key v shows rates");
	if (optind < count)
		options.run = words[optind];
	return options;
}

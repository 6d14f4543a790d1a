/* SPDX-License-Identifier: MIT */
#include "analyze/diff/diff_options.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/diff/metrics.h"
#include "common/command_line.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT       10
#define THRESHOLD_DEFAULT 5
#define NEWEST_DEFAULT    10
#define RUNS_MAX          1000

#define FIELD(name) .field = offsetof(struct diff_options, name)

static void take_percent(void *percent, const char *text)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || *end || !isfinite(number) || number < 0)
		die("--threshold %s: give a number of percent, such as 5", text);
	*(double *)percent = number;
}

static void take_metrics(void *metrics, const char *list)
{
	*(unsigned *)metrics = metrics_read(list);
}

static const char *const formats[] = {"text", "json", "html", "markdown", "junit", NULL};

static const struct command_option options_table[] = {
	{"threshold", 0, "PERCENT", "smallest change that counts (default 5)",
	 FIELD(threshold_percent), .take = take_percent},
	{"metric", 0, "NAME[,NAME]",
	 "which figures decide: elapsed, cpu, routines, new, work, counts,\n"
	 "instructions, memory, requests, units (default: the first five)",
	 FIELD(metrics), .take = take_metrics, .value = metrics_name},
	{"per", 0, "CALL@ROUTINE",
	 "units of work: these calls of that routine (read@serve, MPI_Send@exchange), or calls\n"
	 "of an instrumented ROUTINE; without --metric, units a second decide",
	 FIELD(per)},
	{"strict", 0, NULL, "exit status 4, not 0, if it cannot be told", FIELD(is_strict)},
	{"run", 0, "N",
	 "start the programs OLD and NEW in turn, at most N times each, until it is certain",
	 FIELD(run_pairs), .least = 1, .most = RUNS_MAX},
	{"directory", 0, "DIR", "keep these runs in DIR (default NAME.diff.1, .2, ...)",
	 FIELD(directory)},
	{"baseline", 0, "DIR", "A is the newest runs in DIR", FIELD(baseline)},
	{"newest", 0, "N", "how many of them (default 10)", FIELD(newest), .least = 1,
	 .most = RUNS_MAX},
	{"scaling", 0, NULL,
	 "runs of one program with different numbers of threads or ranks; N=RUN says\n"
	 "that the scale of a run is N",
	 FIELD(is_scaling)},
	{"weak", 0, NULL, "with --scaling: the work grows with them", FIELD(is_weak)},
	{"format", 0, "FORMAT", "text, json, html, markdown or junit (default text)", FIELD(format),
	 .choices = formats},
	{"top", 0, "N", "rows per table (default 10; 0 = all)", FIELD(top),
	 .most = OPTION_ROWS_MAX},
	{"width", 0, "COLUMNS",
	 "width of the text (default: the terminal's; 80 where there is none)", FIELD(width),
	 .least = OPTION_WIDTH_MIN, .most = OPTION_WIDTH_MAX},
	{"symbols", 0, "DIR", "look for programs, libraries and their debug files below DIR, too",
	 FIELD(symbols)},
	{"output", 'o', "FILE", "write to FILE", FIELD(output)},
	OPTIONS_OF_ALL,
};

static void print_help(const struct command_line *line)
{
	fputs("Usage: ptrace-diff [options] A B\n"
	      "       ptrace-diff [options] A1 A2 A3 -- B1 B2 B3\n"
	      "       ptrace-diff --run N [options] OLD [arguments] -- NEW [arguments]\n"
	      "       ptrace-diff --baseline DIR [options] RUN...\n"
	      "       ptrace-diff --scaling [options] RUN...\n"
	      "\n"
	      "Says what changed from run A to run B, or from several runs of the one to several of "
	      "the other, and whether\n"
	      "the change is real. With --scaling: what becomes of a program as it gets more threads "
	      "or ranks.\n"
	      "\n",
	      stdout);
	command_line_print_options(line);
	fputs("\n"
	      "Exit status: 0 no significant change, or nobody can tell; 1 a significant change for "
	      "the worse;\n"
	      "2 wrong usage or unreadable input; 3 a significant change for the better only;\n"
	      "4 nobody can tell, with --strict.\n"
	      "With --scaling: 0 printed, 2 as above.\n",
	      stdout);
}

/* getopt must not permute words: the -- between the groups is ours, not the end of the options. */
static const struct command_line command_line = {
	.program = "ptrace-diff",
	.print_help = print_help,
	.options = options_table,
	.count = sizeof options_table / sizeof *options_table,
	.stops_at_words = true,
	.help_width = 22,
};

/* The runs in the given order, and where the -- between them was. */
struct words {
	char **runs;
	size_t count, divider; /* SIZE_MAX: there was none */
};

static void take_scaling(struct diff_options *options, const struct words *words)
{
	options->runs[0] = words->runs;
	options->run_count[0] = words->count;
	if (words->divider != SIZE_MAX)
		die("--scaling compares all runs with each other: leave the -- out");
	if (words->count < 2)
		die("--scaling needs two runs or more, with different numbers of threads or ranks");
}

static void take_new(struct diff_options *options, const struct words *words)
{
	if (words->divider != SIZE_MAX || !words->count)
		die("--baseline %s needs one run or more to compare with it, and no --",
		    options->baseline);
	options->runs[1] = words->runs;
	options->run_count[1] = words->count;
}

/* Words of programs: the room for the -- holds the NULL between them. */
static void take_programs(struct diff_options *options, const struct words *words)
{
	size_t divider = words->divider;

	if (divider == SIZE_MAX || !divider || divider == words->count)
		die("--run needs two programs with -- between them, and stands before both: "
		    "--run 10 old/app -- new/app");
	memmove(words->runs + divider + 1, words->runs + divider,
		(words->count - divider) * sizeof *words->runs);
	words->runs[divider] = NULL;
	options->runs[0] = words->runs;
	options->run_count[0] = divider;
	options->runs[1] = words->runs + divider + 1;
	options->run_count[1] = words->count - divider;
}

static void take_groups(struct diff_options *options, const struct words *words)
{
	size_t divider = words->divider;

	if (divider == SIZE_MAX && words->count != 2)
		die("give two runs, or two groups with -- between them: A1 A2 A3 -- B1 B2 B3");
	if (divider == SIZE_MAX)
		divider = 1;
	options->runs[0] = words->runs;
	options->run_count[0] = divider;
	options->runs[1] = words->runs + divider;
	options->run_count[1] = words->count - divider;
	if (!options->run_count[0] || !options->run_count[1])
		die("give at least one run on each side of the --");
}

static void take_words(struct diff_options *options, const struct words *words)
{
	options->owned = words->runs;
	if (options->is_scaling)
		take_scaling(options, words);
	else if (options->run_pairs)
		take_programs(options, words);
	else if (options->baseline)
		take_new(options, words);
	else
		take_groups(options, words);
}

/* A word that is no option; command_line_take has already skipped a --. */
static void take_word(struct words *words, char *word)
{
	if (strcmp(word, "--") != 0) {
		words->runs[words->count++] = word;
		optind++;
		return;
	}
	if (words->divider != SIZE_MAX)
		die("there is more than one --: give two groups of runs");
	words->divider = words->count;
}

/* From the first word on: options of programs are theirs, and so is a -- of the second one. */
static void take_rest(struct words *words, int count, char **all)
{
	for (; optind < count; optind++)
		if (words->divider == SIZE_MAX && !strcmp(all[optind], "--"))
			words->divider = words->count;
		else
			words->runs[words->count++] = all[optind];
}

static void check_scaling(const struct diff_options *options)
{
	if (options->is_weak && !options->is_scaling)
		die("--weak goes with --scaling");
	if (!options->is_scaling)
		return;
	if (options->format > DIFF_HTML)
		die("--scaling has no format %s: use text, json or html", formats[options->format]);
	if (options->is_strict || options->metrics != METRICS_DEFAULT)
		die("--strict and --metric do not go with --scaling, which gives no verdict");
}

static void check(const struct diff_options *options)
{
	check_scaling(options);
	if ((options->run_pairs > 0) + (options->baseline != NULL) + options->is_scaling > 1)
		die("--run, --baseline and --scaling are three ways to get runs: give one of them");
	if (options->directory && !options->run_pairs)
		die("--directory goes with --run");
	if (options->metrics & METRIC_BIT(METRIC_UNITS) && !options->per)
		die("--metric units goes with --per CALL@ROUTINE, which says what a unit is");
	if (options->newest != OPTION_NOT_GIVEN && !options->baseline)
		die("--newest goes with --baseline");
}

struct diff_options diff_options_read(int count, char **all)
{
	struct diff_options options = {.top = OPTION_NOT_GIVEN,
				       .width = OPTION_WIDTH_DEFAULT,
				       .threshold_percent = THRESHOLD_DEFAULT,
				       .newest = OPTION_NOT_GIVEN,
				       .metrics = METRICS_DEFAULT};
	/* room for the NULL behind each of two lists */
	struct words words = {memory_allocate((size_t)count + 2, sizeof *words.runs), 0, SIZE_MAX};

	while (optind < count) {
		char *word = all[optind];

		if (command_line_take(&command_line, count, all, &options))
			continue;
		if (!options.run_pairs)
			take_word(&words, word);
		else if (!words.count)
			take_rest(&words, count, all);
		else
			die("--run N and all other options go before the programs");
	}
	options.is_top_given = options.top != OPTION_NOT_GIVEN;
	if (!options.is_top_given)
		options.top = TOP_DEFAULT;
	check(&options);
	if (options.per && !options.is_scaling && options.metrics == METRICS_DEFAULT)
		options.metrics = METRIC_BIT(METRIC_UNITS);
	take_words(&options, &words);
	if (options.newest == OPTION_NOT_GIVEN)
		options.newest = NEWEST_DEFAULT;
	return options;
}

void diff_options_clear(struct diff_options *options)
{
	free(options->owned);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/diff_options.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/option_number.h"

#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT       10
#define THRESHOLD_DEFAULT 5

enum long_only {
	OPTION_FORMAT = 256,
	OPTION_THRESHOLD,
	OPTION_TOP,
	OPTION_WIDTH,
	OPTION_SYMBOLS,
	OPTION_SCALING,
	OPTION_WEAK
};

static const struct option long_options[] = {
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"threshold", required_argument, NULL, OPTION_THRESHOLD},
	{"top", required_argument, NULL, OPTION_TOP},
	{"width", required_argument, NULL, OPTION_WIDTH},
	{"symbols", required_argument, NULL, OPTION_SYMBOLS},
	{"scaling", no_argument, NULL, OPTION_SCALING},
	{"weak", no_argument, NULL, OPTION_WEAK},
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static void print_help(void)
{
	fputs("Usage: ptrace-diff [options] A B\n"
	      "       ptrace-diff [options] A1 A2 A3 -- B1 B2 B3\n"
	      "       ptrace-diff --scaling [options] RUN...\n"
	      "\n"
	      "Says what changed from run A to run B, or from several runs of the one to several of "
	      "the other, and whether\n"
	      "the change is real. With --scaling: what becomes of a program as it gets more threads "
	      "or ranks.\n"
	      "\n"
	      "  --threshold PERCENT    smallest change that counts (default 5)\n"
	      "  --scaling              runs of one program with different numbers of threads or "
	      "ranks; N=RUN says\n"
	      "                         that the scale of a run is N\n"
	      "  --weak                 with --scaling: the work grows with them\n"
	      "  --format text|json|html what to print (default text)\n"
	      "  --top N                rows per table (default 10; 0 = all)\n"
	      "  --width COLUMNS        width of the text (default 100)\n"
	      "  --symbols DIR          look for programs, libraries and their debug files below "
	      "DIR, too\n"
	      "  -o, --output FILE      write to FILE\n"
	      "  -h, --help             this text\n"
	      "  -V, --version          the version\n"
	      "\n"
	      "Exit status: 0 no significant change, or nobody can tell; 1 a significant change for "
	      "the worse;\n"
	      "2 wrong usage or unreadable input; 3 a significant change for the better only.\n"
	      "With --scaling: 0 printed, 2 as above.\n",
	      stdout);
}

static double read_percent(const char *text)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end || !isfinite(percent) || percent < 0)
		die("--threshold %s: give a number of percent, such as 5", text);
	return percent;
}

static enum diff_format read_format(const char *name)
{
	static const char *const names[] = {"text", "json", "html"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return (enum diff_format)i;
	die("--format %s is unknown: use text, json or html", name);
}

static void read_option(struct diff_options *options, int option)
{
	switch (option) {
	case OPTION_FORMAT:
		options->format = read_format(optarg);
		break;
	case OPTION_THRESHOLD:
		options->threshold_percent = read_percent(optarg);
		break;
	case OPTION_TOP:
		options->top = option_number("--top", optarg, 0, OPTION_ROWS_MAX);
		options->is_top_given = true;
		break;
	case OPTION_WIDTH:
		options->width = (unsigned)option_number("--width", optarg, OPTION_WIDTH_MIN,
							 OPTION_WIDTH_MAX);
		break;
	case OPTION_SYMBOLS:
		options->symbols = optarg;
		break;
	case OPTION_SCALING:
		options->is_scaling = true;
		break;
	case OPTION_WEAK:
		options->is_weak = true;
		break;
	case 'o':
		options->output = optarg;
		break;
	case 'h':
		print_help();
		exit(0);
	case 'V':
		puts("ptrace-diff " PTRACE_VERSION);
		exit(0);
	default: /* getopt_long has said what is wrong */
		fputs("Try 'ptrace-diff --help'.\n", stderr);
		exit(2);
	}
}

/* The runs in the order given, and where the -- between them stood. */
struct words {
	char **runs;
	size_t count, divider; /* SIZE_MAX: there was none */
};

static void take_sides(struct diff_options *options, const struct words *words)
{
	size_t divider = words->divider;

	if (options->is_scaling) {
		options->runs[0] = words->runs;
		options->run_count[0] = words->count;
		if (divider != SIZE_MAX)
			die("--scaling compares all runs with each other: leave the -- out");
		if (words->count < 2)
			die("--scaling needs two runs or more, with different numbers of threads "
			    "or ranks");
		return;
	}
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

/* A word that is no option; of a --, getopt_long has gone behind it. */
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

struct diff_options diff_options_read(int count, char **all)
{
	struct diff_options options = {.top = TOP_DEFAULT,
				       .width = OPTION_WIDTH_DEFAULT,
				       .threshold_percent = THRESHOLD_DEFAULT};
	struct words words = {memory_allocate((size_t)count, sizeof *words.runs), 0, SIZE_MAX};

	/* "+": getopt_long stops at each word that is no option, and goes on behind it. It must not
	 * move them: the -- between the groups is ours, not the end of the options. */
	while (optind < count) {
		char *word = all[optind];
		int option = getopt_long(count, all, "+o:hV", long_options, NULL);

		if (option != -1)
			read_option(&options, option);
		else
			take_word(&words, word);
	}
	if (options.is_weak && !options.is_scaling)
		die("--weak goes with --scaling");
	take_sides(&options, &words);
	return options;
}

void diff_options_clear(struct diff_options *options)
{
	free(options->runs[0]);
}

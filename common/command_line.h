/* SPDX-License-Identifier: MIT */
/* The options of a program: a single table, from which the parser, the text of --help and what
 * shells complete (scripts/completion) are made. A wrong option is told with what was probably
 * meant: unknown option '--smaple': did you mean --sample?
 *
 * Context: main thread, at start-up. Wrong usage ends the program with a line and status 2. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define OPTION_ROWS_MAX      1000000000 /* --top */
#define OPTION_WIDTH_DEFAULT 0          /* --width: that of the terminal, see output_columns */
#define OPTION_WIDTH_MIN     40
#define OPTION_WIDTH_MAX     10000
#define OPTION_NOT_GIVEN     UINT_MAX /* value of a number that was not given, where that matters */

/* What an option does to its field is decided by the first of take, choices and most that it has.
 * Without any of them the field is a text (const char *) or, if the option takes no argument, a
 * flag (bool) that becomes true. */
struct command_option {
	const char *name;
	int letter; /* 0: none */
	const char
		*argument; /* as --help calls it; NULL: takes none; in brackets: may be left out */
	const char *help;  /* several lines, if it has line feeds */
	size_t field;      /* offset of the field in the values */
	void (*take)(void *field, const char *argument);
	const char *const *choices; /* ended by NULL; the field is an enum with these names */
	unsigned least, most; /* the field is an unsigned in this range; most = 0: not a number */
	/* The nth of the values that `take` knows, for shells; NULL: there are not so many. */
	const char *(*value)(size_t index);
};

/* The last rows of every table. */
#define OPTIONS_OF_ALL                                                                             \
	{"help", 'h', .help = "this text"},                                                        \
	{                                                                                          \
		"version", 'V', .help = "the version"                                              \
	}
#define OPTIONS_MAX 24 /* rows of a table, including these two */

struct command_line {
	const char *program;
	void (*print_help)(const struct command_line *line);
	const struct command_option *options;
	size_t count;
	bool stops_at_words; /* parsing stops at the first word that is no option */
	int help_width;      /* columns of an option's name and argument in --help */
	bool is_indented;    /* in --help, options without a letter are indented to line up with the
				others */
};

void command_line_print_options(const struct command_line *line);

/* Takes the next option of the program into its values. False: there is none left, and optind is
 * the index of the first word that is no option. */
bool command_line_take(const struct command_line *line, int count, char **words, void *values);

/* What a variable says in place of an option; NULL: nothing, it is not set or empty. */
const char *command_line_variable(const char *name);

/* SPDX-License-Identifier: MIT */
/* The options of a program of the analyzer: one table, from which come parsing and the text of
 * --help.
 *
 * Context: main thread, at start-up. Wrong usage ends the program with a line and status 2. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define OPTION_ROWS_MAX      1000000000 /* --top */
#define OPTION_WIDTH_DEFAULT 100        /* --width */
#define OPTION_WIDTH_MIN     60
#define OPTION_WIDTH_MAX     10000
#define OPTION_NOT_GIVEN     UINT_MAX /* what a number is before, where that matters */

/* What an option does to its field is the first of these that it has; without any the field is a
 * text (const char *), or where the option takes no argument, a flag (bool) that becomes true. */
struct command_option {
	const char *name;
	int letter;           /* 0: none */
	const char *argument; /* as --help calls it; NULL: takes none */
	const char *help;     /* several lines, if it has line feeds */
	size_t field;         /* its offset in the values */
	void (*take)(void *field, const char *argument);
	const char *const *choices; /* ended by NULL; the field is an enum of them */
	unsigned least, most;       /* the field is an unsigned; most 0: is no number */
};

/* The last rows of every table. */
#define OPTIONS_OF_ALL                                                                             \
	{"help", 'h', .help = "this text"},                                                        \
	{                                                                                          \
		"version", 'V', .help = "the version"                                              \
	}
#define OPTIONS_MAX 16 /* rows of a table, these included */

struct command_line {
	const char *program;
	void (*print_help)(const struct command_line *line);
	const struct command_option *options;
	size_t count;
	bool stops_at_words; /* words that are no options stay where they are */
	int help_width;      /* of options in --help */
	bool is_indented;    /* there, options without a letter stand below those with one */
};

void command_line_print_options(const struct command_line *line);

/* Takes the next option of the program into its values. False: there is none, and optind is that of
 * the first word that is none. */
bool command_line_take(const struct command_line *line, int count, char **words, void *values);

/* SPDX-License-Identifier: MIT */
#include "analyze/base/command_line.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "common/option_problem.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The key of an option without a letter: this + its index. */
#define KEY_FIRST 256

static int key_of(const struct command_line *line, size_t index)
{
	int letter = line->options[index].letter;

	return letter ? letter : KEY_FIRST + (int)index;
}

/* ---- the help */

static void print_option(const struct command_line *line, const struct command_option *option)
{
	char letter[] = "-x, ";
	const char *before = option->letter ? letter : line->is_indented ? "    " : "";

	letter[1] = (char)option->letter;
	char *left = memory_print("%s--%s%s%s", before, option->name, option->argument ? " " : "",
				  option->argument ? option->argument : "");
	printf("  %-*s ", line->help_width, left);
	for (const char *at = option->help; *at; at++) {
		putchar(*at);
		if (*at == '\n')
			printf("%*s", line->help_width + 3, "");
	}
	putchar('\n');
	free(left);
}

void command_line_print_options(const struct command_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		print_option(line, &line->options[i]);
}

/* ---- what shells complete */

static const char *value_of(const struct command_option *option, size_t index)
{
	if (option->value)
		return option->value(index);
	return option->choices ? option->choices[index] : NULL;
}

/* Fields have a tab between them; "-" is an empty one, "" none: shells take two tabs for one. */
static void print_row(const struct command_option *option)
{
	char letter[] = "-x";

	letter[1] = (char)option->letter;
	printf("--%s\t%s\t%s\t-", option->name, letter, option->argument ? option->argument : "-");
	for (size_t i = 0; value_of(option, i); i++)
		printf(" %s", value_of(option, i));
	printf("\t%.*s\n", (int)strcspn(option->help, "\n"), option->help);
}

static void print_rows(const struct command_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		print_row(&line->options[i]);
	exit(0);
}

/* ---- what an option does */

static unsigned read_number(const struct command_option *option, const char *text)
{
	char *end;

	errno = 0;
	unsigned long number = strtoul(text, &end, 10);

	if (errno || end == text || *end || *text == '-' || number < option->least ||
	    number > option->most)
		die("--%s %s: give a number from %u to %u", option->name, text, option->least,
		    option->most);
	return (unsigned)number;
}

/* "text, json or html" */
static char *list_choices(const char *const *choices)
{
	char *list = memory_copy_text(choices[0]);

	for (size_t i = 1; choices[i]; i++) {
		char *longer =
			memory_print("%s%s%s", list, choices[i + 1] ? ", " : " or ", choices[i]);

		free(list);
		list = longer;
	}
	return list;
}

static unsigned read_choice(const struct command_option *option, const char *text)
{
	for (unsigned i = 0; option->choices[i]; i++)
		if (!strcmp(option->choices[i], text))
			return i;
	die("--%s %s is unknown: use %s", option->name, text, list_choices(option->choices));
}

static void take(const struct command_option *option, void *values, const char *argument)
{
	void *field = (char *)values + option->field;

	if (option->take)
		option->take(field, argument);
	else if (option->choices)
		*(unsigned *)field = read_choice(option, argument);
	else if (option->most)
		*(unsigned *)field = read_number(option, argument);
	else if (option->argument)
		*(const char **)field = argument;
	else
		*(bool *)field = true;
}

/* ---- parsing */

/* Options with an argument come first: getopt_long lists the candidates of an ambiguous
 * abbreviation in this order. */
static void list_options(const struct command_line *line, struct option *table, char *letters)
{
	if (line->stops_at_words)
		*letters++ = '+';
	*letters++ = ':'; /* a missing argument has a key of its own */
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < line->count; i++) {
			const struct command_option *option = &line->options[i];

			if ((option->argument == NULL) != pass)
				continue;
			*table++ = (struct option){option->name, !pass, NULL, key_of(line, i)};
			if (option->letter)
				letters += sprintf(letters, pass ? "%c" : "%c:", option->letter);
		}
}

bool command_line_take(const struct command_line *line, int count, char **words, void *values)
{
	struct option table[OPTIONS_MAX + 1] = {0};
	char letters[2 * OPTIONS_MAX + 3] = "", problem[1024];

	if (count == 2 && !strcmp(words[1], "--print-options"))
		print_rows(line);
	list_options(line, table, letters);
	opterr = 0;
	int key = getopt_long(count, words, letters, table, NULL);

	switch (key) {
	case -1:
		return false;
	case '?':
	case ':':
		option_problem_text(words, key, table, line->program, problem, sizeof problem);
		die("%s", problem);
	case 'h':
		line->print_help(line);
		exit(0);
	case 'V':
		printf("%s " PTRACE_VERSION "\n", line->program);
		exit(0);
	}
	for (size_t i = 0; i < line->count; i++)
		if (key_of(line, i) == key)
			take(&line->options[i], values, optarg);
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "common/command_line.h"

#include "common/message.h"
#include "common/nearest_names.h"
#include "common/whole_number.h"

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
	int used = printf("  %s--%s%s%s", before, option->name, option->argument ? " " : "",
			  option->argument ? option->argument : "") -
		   2;
	printf("%*s", used < line->help_width ? line->help_width - used + 1 : 1, "");
	for (const char *at = option->help; *at; at++) {
		putchar(*at);
		if (*at == '\n')
			printf("%*s", line->help_width + 3, "");
	}
	putchar('\n');
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
	long number;

	if (*text == '-' || !whole_number_read(text, option->least, option->most, &number))
		message_fail(STATUS_USAGE, "--%s %s: give a number from %u to %u", option->name,
			     text, option->least, option->most);
	return (unsigned)number;
}

/* "text, json or html" */
static void list_choices(const char *const *choices, char *list, size_t size)
{
	size_t length = (size_t)snprintf(list, size, "%s", choices[0]);

	for (size_t i = 1; choices[i] && length < size; i++)
		length += (size_t)snprintf(list + length, size - length, "%s%s",
					   choices[i + 1] ? ", " : " or ", choices[i]);
}

static unsigned read_choice(const struct command_option *option, const char *text)
{
	char list[512];

	for (unsigned i = 0; option->choices[i]; i++)
		if (!strcmp(option->choices[i], text))
			return i;
	list_choices(option->choices, list, sizeof list);
	message_fail(STATUS_USAGE, "--%s %s is unknown: use %s", option->name, text, list);
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

/* ---- wrong options */

/* "--a, --b or --c" becomes longer by one; there is always another option behind a comma. */
static void append(char *text, size_t size, const char *before, const char *name)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s--%s", before, name);
}

/* The options that begin with these characters; returns how many. */
static int list_beginning(const char *name, int length, const struct option *table, char *text,
			  size_t size)
{
	int count = 0;

	*text = '\0';
	for (; table->name; table++)
		if (strncmp(table->name, name, (size_t)length) == 0)
			append(text, size, count++ ? ", " : "", table->name);
	return count;
}

static void list_near(const char *name, int length, const struct option *table, char *text,
		      size_t size)
{
	struct nearest_names names;
	char wanted[NEAREST_NAME_SIZE];

	snprintf(wanted, sizeof wanted, "%.*s", length, name);
	nearest_begin(&names, wanted);
	for (; table->name; table++)
		nearest_offer(&names, table->name);
	*text = '\0';
	for (int i = 0; i < names.count && names.best[i].distance == names.best[0].distance; i++)
		append(text, size, i ? " or " : "", names.best[i].name);
}

static void say_unknown(const char *word, const struct option *table, const char *program,
			char *text, size_t size)
{
	char list[512];
	const char *name = word + 2;
	int length = (int)strcspn(name, "=");

	if (list_beginning(name, length, table, list, sizeof list) > 1) {
		snprintf(text, size, "option '--%.*s' may be %s", length, name, list);
		return;
	}
	list_near(name, length, table, list, sizeof list);
	if (*list)
		snprintf(text, size, "unknown option '--%.*s': did you mean %s?", length, name,
			 list);
	else
		snprintf(text, size, "unknown option '--%.*s': %s --help lists them", length, name,
			 program);
}

/* What is wrong with an option that getopt_long refused, in a line that says what was probably
 * meant. key: '?' or, for a missing argument, ':'. */
static _Noreturn void fail(char *const *words, int key, const struct option *table,
			   const char *program)
{
	char text[1024];
	const char *word = words[optind - 1];
	bool is_long = strncmp(word, "--", 2) == 0;

	if (key == ':' && is_long)
		snprintf(text, sizeof text, "option '%s' needs an argument", word);
	else if (key == ':')
		snprintf(text, sizeof text, "option '-%c' needs an argument", optopt);
	else if (!optopt)
		say_unknown(word, table, program, text, sizeof text);
	else if (is_long && strchr(word, '='))
		snprintf(text, sizeof text, "option '%.*s' takes no argument",
			 (int)strcspn(word, "="), word);
	else
		snprintf(text, sizeof text, "unknown option '-%c': %s --help lists them", optopt,
			 program);
	message_fail(STATUS_USAGE, "%s", text);
}

/* ---- parsing */

static int argument_kind(const char *argument)
{
	return !argument ? no_argument : *argument == '[' ? optional_argument : required_argument;
}

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
			*table++ = (struct option){option->name, argument_kind(option->argument),
						   NULL, key_of(line, i)};
			if (option->letter)
				letters += sprintf(letters, pass ? "%c" : "%c:", option->letter);
		}
}

bool command_line_take(const struct command_line *line, int count, char **words, void *values)
{
	struct option table[OPTIONS_MAX + 1] = {0};
	char letters[2 * OPTIONS_MAX + 3] = "";

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
		fail(words, key, table, line->program);
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

const char *command_line_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* SPDX-License-Identifier: MIT */
#include "common/option_problem.h"

#include "common/nearest_names.h"


#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

void option_problem_text(char *const *words, int key, const struct option *table,
			 const char *program, char *text, size_t size)
{
	const char *word = words[optind - 1];
	bool is_long = strncmp(word, "--", 2) == 0;

	if (key == ':' && is_long)
		snprintf(text, size, "option '%s' needs an argument", word);
	else if (key == ':')
		snprintf(text, size, "option '-%c' needs an argument", optopt);
	else if (!optopt)
		say_unknown(word, table, program, text, size);
	else if (is_long && strchr(word, '='))
		snprintf(text, size, "option '%.*s' takes no argument", (int)strcspn(word, "="),
			 word);
	else
		snprintf(text, size, "unknown option '-%c': %s --help lists them", optopt, program);
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/base/plain_name.h"

#include "analyze/base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* "operator<", "operator->" and the like are names, not brackets. */
static bool is_operator(const char *name, const char *at)
{
	static const char word[] = "operator";
	const char *start = at;

	while (start > name && strchr("<>=-", start[-1]))
		start--;
	return start - name >= (ptrdiff_t)strlen(word) &&
	       !strncmp(start - strlen(word), word, strlen(word));
}

/* What Python calls what has no name, "<module>" and "f.<locals>.<lambda>": its length with the
 * brackets; 0: it is none of these. */
static size_t python_name(const char *at)
{
	static const char *const names[] = {"<module>",  "<lambda>",   "<locals>", "<listcomp>",
					    "<setcomp>", "<dictcomp>", "<genexpr>"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(at, names[i], strlen(names[i])))
			return strlen(names[i]);
	return 0;
}

char *plain_name(const char *name, const char *mark)
{
	char *shorter = memory_allocate(strlen(name) * (strlen(mark) + 1) + 1, 1), *end = shorter;
	int depth = 0;

	for (const char *at = name; *at; at++) {
		size_t named = depth ? 0 : python_name(at);

		if (named) {
			end = mempcpy(end, at, named);
			at += named - 1;
			continue;
		}
		bool is_bracket = (*at == '<' || *at == '>') && (depth || !is_operator(name, at));

		if (is_bracket && *at == '>' && depth && at[-1] != '-')
			depth--;
		if (!depth)
			*end++ = *at;
		if (is_bracket && *at == '<' && !depth++)
			end = stpcpy(end, mark);
	}
	return shorter;
}

/* Is `wanted` the whole name, or what follows one of its "::"? */
static bool is_end(const char *name, const char *wanted)
{
	size_t length = strlen(name), tail = strlen(wanted);

	if (!tail || length < tail || strcmp(name + length - tail, wanted) != 0)
		return false;
	return length == tail || (length - tail > 2 && !strncmp(name + length - tail - 2, "::", 2));
}

/* "f", "ns::gen" of "f<>", "ns::gen::<>", and "operator<<" of "operator<< <>". */
static void drop_brackets(char *name)
{
	char *to = name;

	for (const char *at = name; *at; at++)
		if (!strncmp(at, "<>", 2))
			at++;
		else if (!strncmp(at, "::<>", 4))
			at += 3;
		else if (!strncmp(at, " <>", 3))
			at += 2;
		else
			*to++ = *at;
	*to = '\0';
}

bool plain_name_is(const char *name, const char *wanted)
{
	char *plain, *other;
	bool is_it = is_end(name, wanted);

	if (is_it)
		return true;
	plain = plain_name(name, "");
	other = plain_name(wanted, "");
	drop_brackets(plain);
	drop_brackets(other);
	is_it = is_end(plain, other);
	free(plain);
	free(other);
	return is_it;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/figure_key.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"

#include <stdlib.h>
#include <string.h>

char *figure_key_routine(const struct names *names, size_t number)
{
	const struct routine *routine = names_routine(names, number);

	if (!*routine->module)
		return memory_copy_text(routine->name);
	return memory_print("%s (%s)", routine->name, runtime_base_name(routine->module));
}

/* Length of ":12" if a closing bracket follows, otherwise 0. */
static size_t line_length(const char *at)
{
	size_t digits = *at == ':' ? strspn(at + 1, "0123456789") : 0;

	return digits && at[1 + digits] == ')' ? 1 + digits : 0;
}

char *figure_key_without_lines(const char *text)
{
	char *shorter = memory_allocate(strlen(text) + 1, 1), *end = shorter;

	while (*text) {
		text += line_length(text);
		*end++ = *text++;
	}
	return shorter;
}

char *figure_key_object(const struct sync_object *object)
{
	char *stem = figure_key_without_lines(object->stem);
	char *key = memory_print("%s %s", object->kind, stem);

	free(stem);
	return key;
}

char *figure_key_place(const struct names *names, size_t routine)
{
	return names_place_text(names, routine, 0);
}

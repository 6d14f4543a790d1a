/* SPDX-License-Identifier: MIT */
#include "analyze/diff/figure_key.h"

#include "analyze/memory.h"
#include "analyze/model/runtime_code.h"

#include <string.h>

char *figure_key_routine(const struct names *names, size_t number)
{
	const struct routine *routine = names_routine(names, number);

	if (!*routine->module)
		return memory_copy_text(routine->name);
	return memory_print("%s (%s)", routine->name, runtime_base_name(routine->module));
}

/* "main (x.c:12)" becomes "main (x.c)", in place. Only the end is a place: colons of names stay. */
static void drop_line(char *text)
{
	size_t length = strlen(text);

	if (!length || text[length - 1] != ')')
		return;
	size_t digits = length - 1;

	while (digits && strchr("0123456789", text[digits - 1]))
		digits--;
	if (digits && digits < length - 1 && text[digits - 1] == ':')
		strcpy(text + digits - 1, ")");
}

char *figure_key_object(const struct sync_object *object)
{
	char *key = memory_print("%s %s", object->kind, object->stem);

	drop_line(key);
	return key;
}

char *figure_key_place(const struct names *names, size_t routine)
{
	return names_place_text(names, routine, 0);
}

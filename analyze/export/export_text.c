/* SPDX-License-Identifier: MIT */
/* Names for formats that have no way to quote. */
#include "analyze/export/export_text.h"

#include "analyze/base/memory.h"
#include "analyze/print/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Nearly all names are: then there is nothing to repair. */
static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x80)
			return false;
	return true;
}

char *export_text(const char *text)
{
	if (!text || is_ascii(text))
		return memory_copy_text(text ? text : "");
	struct json_object *clean = json_text(text);
	char *copy = memory_copy_text(json_object_get_string(clean));

	json_object_put(clean);
	return copy;
}

char *export_word(const char *text, const char *forbidden, char substitute)
{
	char *word = export_text(text);

	for (char *at = word; *at; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = ' ';
		else if (strchr(forbidden, *at))
			*at = substitute;
	}
	return word;
}

void export_json_text(FILE *out, const char *text)
{
	struct json_object *value = json_text(text ? text : "");

	fputs(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	json_object_put(value);
}

void export_microseconds(FILE *out, int64_t ns)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	fprintf(out, "%s%llu.%03u", ns < 0 ? "-" : "", (unsigned long long)(magnitude / 1000),
		(unsigned)(magnitude % 1000));
}

const char *export_routine_name(const struct names *names, size_t routine)
{
	const char *name = names_routine(names, routine)->name;

	return *name ? name : "[unknown]";
}

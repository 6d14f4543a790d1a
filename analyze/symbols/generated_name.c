/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/generated_name.h"

#include "analyze/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(struct text_pool *pool, const char *text, size_t length)
{
	return text_pool_keep(pool, memory_print("%.*s", (int)length, text));
}

/* ---- V8: KIND:TIER NAME FILE:LINE:COLUMN */

static const char *behind_kind(const char *text)
{
	static const char *const kinds[] = {"JS:", "LazyCompile:", "Function:", "Script:", "Eval:"};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			return text + strlen(kinds[i]);
	return NULL;
}

/* The number behind the last colon before `end`, and where that colon is; NULL: there is none. */
static const char *number_before(const char *text, const char *end, unsigned *number)
{
	const char *colon = memrchr(text, ':', (size_t)(end - text));
	char *rest;

	if (!colon || colon + 1 == end)
		return NULL;
	*number = (unsigned)strtoul(colon + 1, &rest, 10);
	return rest == end ? colon : NULL;
}

static bool name_script(struct text_pool *pool, const char *text, struct symbol_place *place)
{
	const char *name = behind_kind(text), *end = text + strlen(text);
	unsigned column, line;

	if (!name)
		return false;
	name += strspn(name, "*~^+"); /* which compiler */
	const char *blank = strchr(name, ' ');
	const char *behind_line = blank ? number_before(blank, end, &column) : NULL;
	const char *behind_file = behind_line ? number_before(blank, behind_line, &line) : NULL;

	if (!behind_file)
		return false;
	place->file = keep(pool, blank + 1, (size_t)(behind_file - blank - 1));
	place->line = place->begin = line;
	place->routine = blank > name ? keep(pool, name, (size_t)(blank - name))
				      : text_pool_keep(pool, memory_print("anonymous:%u", line));
	return true;
}

/* ---- CPython: py::NAME:FILE */

static bool name_python(struct text_pool *pool, const char *text, struct symbol_place *place)
{
	static const char kind[] = "py::";
	const char *name = text + sizeof kind - 1;
	const char *colon = strncmp(text, kind, sizeof kind - 1) ? NULL : strchr(name, ':');

	if (!colon || colon == name || !colon[1])
		return false;
	place->routine = keep(pool, name, (size_t)(colon - name));
	place->file = keep(pool, colon + 1, strlen(colon + 1));
	return true;
}

/* ---- HotSpot: RESULT CLASS.METHOD(ARGUMENTS) */

static bool name_java(struct text_pool *pool, const char *text, struct symbol_place *place)
{
	const char *bracket = strchr(text, '(');
	const char *blank = bracket ? memrchr(text, ' ', (size_t)(bracket - text)) : NULL;

	if (!blank || bracket == blank + 1 || text[strlen(text) - 1] != ')')
		return false;
	place->routine = keep(pool, blank + 1, (size_t)(bracket - blank - 1));
	return true;
}

struct symbol_place generated_name(struct text_pool *pool, const char *text)
{
	struct symbol_place place = {0};

	if (!name_script(pool, text, &place) && !name_python(pool, text, &place) &&
	    !name_java(pool, text, &place))
		place.routine = keep(pool, text, strlen(text));
	return place;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_places.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/page/html_json.h"
#include "analyze/print/json.h"

#include <stdlib.h>
#include <string.h>

struct place {
	const char *routine; /* "": the file with all its routines */
	const char *file;
	unsigned line; /* 0: the block as a whole. These three are the key */
	const char *anchor;
};

struct html_places {
	struct keyed_table *table;
};

static unsigned hash_of(const void *row)
{
	const struct place *place = row;

	return hash_text(place->routine, hash_text(place->file, place->line));
}

static bool are_equal(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return a->line == b->line && !strcmp(a->routine, b->routine) && !strcmp(a->file, b->file);
}

static const char *text_at(struct json_object *object, const char *key)
{
	return json_object_get_string(html_json_at(object, key));
}

static unsigned line_at(struct json_object *object)
{
	return (unsigned)html_json_figure(object, "line", 0);
}

/* ---- what the page shows */

/* Gives an element the name, under that key, and the place that leads to it. */
static void add(struct html_places *places, struct json_object *element, const char *key,
		const struct place *place, char *name)
{
	bool is_new;
	struct place *row = keyed_table_enter(places->table, place, &is_new);

	json_add(element, key, json_text(name));
	if (is_new)
		row->anchor = text_at(element, key);
	free(name);
}

static void add_block(struct html_places *places, struct json_object *block, size_t number)
{
	const char *routine = text_at(block, "routine"), *file = text_at(block, "file");
	struct json_object *rows = html_json_at(block, "lines");
	struct place place = {.routine = routine ? routine : "", .file = file};
	unsigned shown = 0;

	if (!file)
		return;
	add(places, block, "anchor", &place, memory_print("source-%zu", number));
	for (size_t i = 0; i < html_json_count(rows); i++) {
		struct json_object *row = html_json_element(rows, i);

		place.line = line_at(row);
		if (!place.line || place.line == shown) /* a further routine at the line */
			continue;
		add(places, row, "id", &place, memory_print("source-%zu-%u", number, place.line));
		shown = place.line;
	}
}

struct html_places *html_places_create(struct json_object *source)
{
	struct html_places *places = memory_allocate(1, sizeof *places);

	places->table = keyed_table_create_by(sizeof(struct place), hash_of, are_equal);
	for (size_t i = 0; i < html_json_count(source); i++)
		add_block(places, html_json_element(source, i), i);
	return places;
}

void html_places_destroy(struct html_places *places)
{
	if (!places)
		return;
	keyed_table_destroy(places->table);
	free(places);
}

/* ---- what leads there */

static const char *find(const struct html_places *places, struct place probe)
{
	const struct place *found = keyed_table_find(places->table, &probe);

	return found ? found->anchor : NULL;
}

/* NULL: the page does not show it. */
static const char *anchor_of(const struct html_places *places, struct json_object *object)
{
	const char *routine = text_at(object, "routine"), *file = text_at(object, "file");
	unsigned line = line_at(object);
	const char *anchor = NULL;

	if (!routine)
		routine = text_at(object, "name");
	if (!file || !routine)
		return NULL;
	for (int whole = 0; whole < 2 && !anchor; whole++, line = 0) {
		anchor = find(places, (struct place){routine, file, line, NULL});
		if (!anchor)
			anchor = find(places, (struct place){"", file, line, NULL});
	}
	return anchor;
}

static void mark_object(const struct html_places *places, struct json_object *object)
{
	const char *anchor = anchor_of(places, object);

	json_object_object_foreach(object, key, value)
	{
		(void)key;
		html_places_mark(places, value);
	}
	if (anchor)
		json_add(object, "anchor", json_text(anchor));
}

void html_places_mark(const struct html_places *places, struct json_object *json)
{
	if (json_object_is_type(json, json_type_object))
		mark_object(places, json);
	for (size_t i = 0; i < html_json_count(json); i++)
		html_places_mark(places, html_json_element(json, i));
}

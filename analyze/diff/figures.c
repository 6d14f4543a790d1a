/* SPDX-License-Identifier: MIT */
#include "analyze/diff/figures.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/model/common/names.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/sync/sync_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct figure figure_exact(enum figure_section section, const char *key, const char *metric,
			   enum figure_unit unit, enum figure_sense sense, double value)
{
	return (struct figure){.section = section,
			       .key = key,
			       .metric = metric,
			       .unit = unit,
			       .sense = sense,
			       .grade = GRADE_EXACT,
			       .value = value,
			       .effect_ns = NAN};
}

static unsigned hash_name(const void *row)
{
	const struct figure_name *name = row;

	return hash_text(name->metric, hash_text(name->key, name->section));
}

static bool are_names_equal(const void *left, const void *right)
{
	const struct figure_name *a = left, *b = right;

	return a->section == b->section && !strcmp(a->key, b->key) && !strcmp(a->metric, b->metric);
}

struct keyed_table *figures_create_index(void)
{
	return keyed_table_create_by(sizeof(struct figure_name), hash_name, are_names_equal);
}

struct figures *figures_create(void)
{
	struct figures *figures = memory_allocate(1, sizeof *figures);

	figures->texts = text_set_create();
	figures->index = figures_create_index();
	return figures;
}

void figures_destroy(struct figures *figures)
{
	keyed_table_destroy(figures->index);
	text_set_destroy(figures->texts);
	free(figures->rows);
	free(figures);
}

const char *figures_keep(struct figures *figures, const char *text)
{
	return text ? text_set_keep(figures->texts, text) : NULL;
}

enum figure_unit figures_unit(const char *unit)
{
	static const struct {
		const char *name;
		enum figure_unit unit;
	} units[] = {{"ns", UNIT_NS}, {"bytes", UNIT_BYTES}, {"count", UNIT_COUNT}};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(unit, units[i].name))
			return units[i].unit;
	return UNIT_NUMBER;
}

/* What is unknown of one is unknown of both together. */
static void unite(struct figure *into, const struct figure *figure)
{
	into->grade = grade_worse(into->grade, figure->grade);
	switch (into->unite) {
	case UNITE_SUM:
		into->value += figure->value;
		into->effect_ns += figure->effect_ns;
		into->error = hypot(into->error, figure->error);
		into->disturbance += figure->disturbance;
		return;
	case UNITE_MIN:
		if (!(figure->value >= into->value))
			into->value = figure->value;
		return;
	case UNITE_MAX:
		if (!(figure->value <= into->value))
			into->value = figure->value;
		return;
	}
}

void figures_add(struct figures *figures, const struct figure *figure)
{
	const struct figure_name probe = {figure->section, figure->key, figure->metric};
	size_t index = keyed_table_number(figures->index, &probe);

	if (index < figures->count) {
		unite(&figures->rows[index], figure);
		return;
	}
	struct figure_name *name = keyed_table_row(figures->index, index);

	name->key = figures_keep(figures, figure->key);
	name->metric = figures_keep(figures, figure->metric);
	figures->rows = memory_grow(figures->rows, figures->count, &figures->capacity,
				    sizeof *figures->rows);
	struct figure *row = &figures->rows[figures->count++];

	*row = *figure;
	row->key = name->key;
	row->metric = name->metric;
	row->shown = figures_keep(figures, figure->shown);
	row->at = figures_keep(figures, figure->at);
	row->subject = figures_keep(figures, figure->subject);
	row->place = figures_keep(figures, figure->place);
}

const struct figure *figures_find(const struct figures *figures, enum figure_section section,
				  const char *key, const char *metric)
{
	const struct figure_name probe = {section, key, metric};

	return keyed_table_find(figures->index, &probe)
		       ? &figures->rows[keyed_table_number(figures->index, &probe)]
		       : NULL;
}

/* ---- keys */

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

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/figures.h"

#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"

#include <libiberty/hashtab.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An entry of the index: the rows move as they grow. */
struct entry {
	const struct figures *figures;
	size_t row;
};

unsigned figure_hash(const struct figure *figure)
{
	return htab_hash_string(figure->key) * 31 + htab_hash_string(figure->metric) * 7 +
	       (unsigned)figure->section;
}

bool figure_has_same_name(const struct figure *a, const struct figure *b)
{
	return a->section == b->section && !strcmp(a->key, b->key) && !strcmp(a->metric, b->metric);
}

static const struct figure *figure_of(const void *entry)
{
	const struct entry *at = entry;

	return &at->figures->rows[at->row];
}

static hashval_t hash_entry(const void *entry)
{
	return figure_hash(figure_of(entry));
}

static int entry_equals(const void *entry, const void *figure)
{
	return figure_has_same_name(figure_of(entry), figure);
}

struct figures *figures_create(void)
{
	struct figures *figures = memory_allocate(1, sizeof *figures);

	figures->texts = text_set_create();
	figures->index =
		htab_create_alloc(256, hash_entry, entry_equals, free, memory_allocate, free);
	return figures;
}

void figures_destroy(struct figures *figures)
{
	htab_delete(figures->index);
	text_set_destroy(figures->texts);
	free(figures->rows);
	free(figures);
}

const char *figures_keep(struct figures *figures, const char *text)
{
	return text ? text_set_keep(figures->texts, text) : NULL;
}

/* What is unknown of one is unknown of both. */
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
	void **slot = htab_find_slot_with_hash(figures->index, figure, figure_hash(figure), INSERT);

	if (*slot) {
		unite(&figures->rows[((struct entry *)*slot)->row], figure);
		return;
	}
	struct entry *entry = memory_allocate(1, sizeof *entry);

	*entry = (struct entry){figures, figures->count};
	*slot = entry;
	figures->rows = memory_grow(figures->rows, figures->count, &figures->capacity,
				    sizeof *figures->rows);
	struct figure *row = &figures->rows[figures->count++];

	*row = *figure;
	row->key = figures_keep(figures, figure->key);
	row->metric = figures_keep(figures, figure->metric);
	row->shown = figures_keep(figures, figure->shown);
	row->subject = figures_keep(figures, figure->subject);
	row->place = figures_keep(figures, figure->place);
}

const struct figure *figures_find(const struct figures *figures, enum figure_section section,
				  const char *key, const char *metric)
{
	const struct figure probe = {.section = section, .key = key, .metric = metric};
	const void *entry = htab_find_with_hash(figures->index, &probe, figure_hash(&probe));

	return entry ? figure_of(entry) : NULL;
}

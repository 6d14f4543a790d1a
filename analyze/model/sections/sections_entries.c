/* SPDX-License-Identifier: MIT */
/* Rows of the accumulator, and what rows of a profile are in it. */
#include "analyze/model/common/names.h"
#include "analyze/model/sections/sections_parts.h"
#include "analyze/model/sync/sync_object.h"

struct section_entry *sections_find(struct sections_accumulator *accumulator,
				    const struct merged_sections *row)
{
	const struct section_entry probe = {{.parent = row->parent,
					     .kind = row->kind,
					     .name = names_keep(accumulator->names, row->name)},
					    {{0}}};

	return keyed_table_enter(accumulator->sections, &probe, NULL);
}

size_t sections_number(struct sections_accumulator *accumulator, const struct section_entry *entry)
{
	return keyed_table_number(accumulator->sections, entry);
}

struct section_entry *sections_entry(const struct adding *adding, uint64_t section)
{
	size_t number = adding->numbers[section];

	return number ? keyed_table_row(adding->accumulator->sections, number - 1) : NULL;
}

/* Of what a later version may tell. */
enum section_kind sections_kind(const struct profile_section *row)
{
	return row->kind < SECTION_KIND_COUNT ? (enum section_kind)row->kind : SECTION_OTHER;
}

/* Phases and marks are outermost, and nothing is within them. */
bool sections_is_of_tree(const struct profile_section *row)
{
	enum section_kind kind = sections_kind(row);

	return kind == SECTION_CODE || kind == SECTION_OTHER;
}

const char *sections_object(const struct adding *adding, size_t object, uint64_t operation)
{
	struct names *names = adding->accumulator->names;

	if (!object)
		return names_keep(names, "");
	return names_keep(
		names,
		sync_object_of(names, adding->profile, object, (enum operation)operation).stem);
}

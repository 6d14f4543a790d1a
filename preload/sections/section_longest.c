/* SPDX-License-Identifier: MIT */
#include "preload/sections/section_longest.h"

#include "preload/base/interrupted.h"

enum { ROWS_FIRST = 16, SLOT_SHIFT = 32 };

void section_longest_prepare(struct section_longest *longest, uint32_t owner)
{
	row_hash_prepare(&longest->rows, TABLE_section_longest, sizeof(struct row_section_longest),
			 owner, ROWS_FIRST, SECTION_LIMIT * SECTION_LONGEST * 2);
}

void section_why_waited(struct section_why *why, const struct section_wait *wait)
{
	why->waited_ns += wait->ns;
	if (wait->ns <= why->wait_ns)
		return;
	why->wait_ns = wait->ns;
	why->wait_path = wait->path;
	why->wait_object = wait->object;
	why->wait_cause = (uint8_t)wait->cause;
	why->wait_operation = (uint8_t)wait->operation;
}

void section_why_add(struct section_why *why, const struct section_why *within)
{
	uint64_t cpu_ns = why->cpu_ns + within->cpu_ns;
	uint64_t waited_ns = why->waited_ns + within->waited_ns;

	if (within->wait_ns > why->wait_ns)
		*why = *within;
	why->cpu_ns = cpu_ns;
	why->waited_ns = waited_ns;
}

/* The slot of the shortest that is kept. */
static unsigned shortest(const struct section_longest *longest, uint32_t section)
{
	unsigned slot = 0;

	for (unsigned i = 1; i < SECTION_LONGEST; i++)
		if (longest->kept[section][i]->length_ns < longest->kept[section][slot]->length_ns)
			slot = i;
	return slot;
}

static struct row_section_longest *add_row(struct section_longest *longest, uint32_t section)
{
	uint64_t slot = longest->count[section], key = section | slot << SLOT_SHIFT;
	struct row_section_longest *row = row_hash_find(&longest->rows, key, key);

	if (!row)
		return NULL;
	longest->kept[section][slot] = row;
	longest->count[section]++;
	return row;
}

/* A reader may come in between: the length is 0 then. */
static void fill(struct row_section_longest *row, const struct section_length *length)
{
	const struct section_why *why = length->why;

	__atomic_store_n(&row->length_ns, 0, __ATOMIC_RELEASE);
	row->number = length->number;
	row->begin_ns = length->begin_ns;
	row->cpu_ns = why->cpu_ns;
	row->waited_ns = why->waited_ns;
	row->wait_ns = why->wait_ns;
	row->faults = length->faults;
	row->wait_path = why->wait_path;
	row->wait_object = why->wait_object;
	row->wait_cause = why->wait_cause;
	row->wait_operation = why->wait_operation;
	__atomic_store_n(&row->length_ns, length->ns, __ATOMIC_RELEASE);
}

__attribute__((noinline)) void section_longest_keep(struct section_longest *longest,
						    uint32_t section,
						    const struct section_length *length)
{
	bool has_all = longest->count[section] == SECTION_LONGEST;
	struct row_section_longest *row =
		has_all ? longest->kept[section][shortest(longest, section)]
			: add_row(longest, section);

	if (!row)
		return;
	fill(row, length);
	if (longest->count[section] == SECTION_LONGEST)
		longest->least_ns[section] =
			longest->kept[section][shortest(longest, section)]->length_ns;
}

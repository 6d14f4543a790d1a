/* SPDX-License-Identifier: MIT */
/* The longest intervals of a profile's threads. */
#include "analyze/model/common/names.h"
#include "analyze/model/process/process.h"
#include "analyze/model/sections/section_longest.h"
#include "analyze/model/sections/sections_parts.h"
#include "analyze/tables/merged_input.h"

static void add_interval(const struct adding *adding, const struct profile_section_longest *from)
{
	struct section_entry *entry = sections_entry(adding, from->section);
	struct names *names = adding->accumulator->names;
	const struct profile_thread *thread = &adding->profile->threads.rows[from->thread];
	const struct frame *frame =
		from->wait_ns ? names_user_frame(names, adding->profile, from->wait_path) : NULL;

	if (!entry || !from->length_ns)
		return;
	const struct merged_section_longest row = {
		.section = adding->numbers[from->section] - 1,
		.process = adding->process->index,
		.tid = thread->tid,
		.thread = names_keep(names, thread->name),
		.number = from->number,
		.begin_ns = from->begin_ns,
		.length_ns = from->length_ns,
		.cpu_ns = from->cpu_ns,
		.waited_ns = from->waited_ns,
		.wait_ns = from->wait_ns,
		.faults = from->faults,
		.wait_cause = from->wait_cause,
		.wait_object = sections_object(adding, from->wait_object, from->wait_operation),
		.wait_routine = frame ? frame->routine : MERGED_NO_ROW,
		.wait_line = frame ? frame->line : 0,
	};
	uint64_t left_ns = section_longest_add(adding->accumulator->longest, &row);

	if (left_ns > entry->unlisted_ns)
		entry->unlisted_ns = left_ns;
}

/* How many of a thread's intervals its profile lists, and the shortest of those. */
struct listed {
	uint64_t thread, section; /* the key */
	uint64_t count, shortest_ns;
};

static struct keyed_table *listed_of(const struct profile *profile)
{
	struct keyed_table *table =
		keyed_table_create(sizeof(struct listed), offsetof(struct listed, count));

	for (size_t i = 0; i < profile->section_longest.count; i++) {
		const struct profile_section_longest *row = &profile->section_longest.rows[i];
		const struct listed probe = {row->thread, row->section, 0, UINT64_MAX};

		if (!row->length_ns)
			continue;
		struct listed *listed = keyed_table_enter(table, &probe, NULL);

		listed->count++;
		if (row->length_ns < listed->shortest_ns)
			listed->shortest_ns = row->length_ns;
	}
	return table;
}

/* Those that are not listed are no longer than the shortest that is. */
static void bound_unlisted(const struct adding *adding, const struct keyed_table *listed,
			   const struct profile_section_times *row)
{
	const struct listed probe = {row->thread, row->section, 0, 0};
	const struct listed *known = keyed_table_find(listed, &probe);
	struct section_entry *entry = sections_entry(adding, row->section);
	struct histogram lengths = {{0}};

	histogram_add(&lengths, row->histogram);
	if (!entry || histogram_count(&lengths) <= (known ? known->count : 0))
		return;
	uint64_t bound_ns = known ? known->shortest_ns : row->max_ns;

	if (bound_ns > entry->unlisted_ns)
		entry->unlisted_ns = bound_ns;
}

void sections_add_longest(const struct adding *adding)
{
	const struct profile *profile = adding->profile;
	struct keyed_table *listed = listed_of(profile);

	for (size_t i = 0; i < profile->section_longest.count; i++)
		add_interval(adding, &profile->section_longest.rows[i]);
	for (size_t i = 0; i < profile->section_times.count; i++)
		bound_unlisted(adding, listed, &profile->section_times.rows[i]);
	keyed_table_destroy(listed);
}

/* SPDX-License-Identifier: MIT */
/* From a profile to the accumulator. */
#include "analyze/base/memory.h"
#include "analyze/model/common/names.h"
#include "analyze/model/process/process.h"
#include "analyze/model/sections/section_marks.h"
#include "analyze/model/sections/sections_parts.h"
#include "analyze/model/sync/sync_object.h"

#include <stdlib.h>

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void take(uint64_t *from, uint64_t ns)
{
	*from = less(*from, ns);
}

/* ---- the tree */

static void add_section(struct adding *adding, size_t index)
{
	const struct profile_section *rows = adding->profile->sections.rows, *row = &rows[index];
	bool has_parent = sections_is_of_tree(row) && sections_is_of_tree(&rows[row->parent]);
	const struct merged_sections section = {
		.parent = has_parent ? adding->numbers[row->parent] : 0,
		.kind = sections_kind(row),
		.name = row->name,
	};

	if (row->kind)
		adding->numbers[index] =
			sections_number(adding->accumulator,
					sections_find(adding->accumulator, &section)) +
			1;
}

static void add_tree(struct adding *adding)
{
	static const struct merged_sections rest = {.kind = SECTION_NONE, .name = ""};

	adding->rest = sections_find(adding->accumulator, &rest);
	for (size_t i = 1; i < adding->profile->sections.count; i++)
		add_section(adding, i);
}

/* ---- accounts of threads */

/* Until the thread's end, or that of the process, as its life is. */
static uint64_t still_in_it(const struct adding *adding, const struct profile_section_times *row)
{
	const struct profile_thread *thread = &adding->profile->threads.rows[row->thread];
	uint64_t end_ns =
		thread->flags & THREAD_ALIVE ? adding->process->life.end_ns : thread->updated_ns;

	return row->since_ns ? less(end_ns, row->since_ns) : 0;
}

static void add_lengths(struct section_entry *entry, const struct profile_section_times *row)
{
	const struct merged_sections lengths = {.sum_ns = row->sum_ns,
						.min_ns = row->ended ? row->min_ns : 0,
						.max_ns = row->max_ns};

	merged_unite(MERGED_sections, entry, &lengths);
	histogram_add(&entry->lengths, row->histogram);
}

static void add_times(struct adding *adding, const struct profile_section_times *row)
{
	struct section_entry *entry = sections_entry(adding, row->section);
	uint64_t own_ns = row->own_ns + still_in_it(adding, row);

	if (!entry)
		return;
	entry->count += row->count;
	entry->ended += row->ended;
	entry->cut += row->cut;
	/* a member of a team was in it, and began none */
	entry->threads += row->count || row->own_ns;
	entry->own_ns += own_ns;
	entry->own_cpu_ns += row->own_cpu_ns;
	take(&adding->threads.life_ns, own_ns);
	take(&adding->threads.cpu_ns, row->own_cpu_ns);
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++) {
		entry->own_wait_ns[cause] += row->own_wait_ns[cause];
		take(&adding->threads.wait_ns[cause], row->own_wait_ns[cause]);
	}
	add_lengths(entry, row);
}

static void start_rest(struct adding *adding)
{
	struct thread_waits *waits = thread_waits_of(adding->profile);

	adding->threads.life_ns = adding->process->sum.lifetime_ns;
	adding->threads.cpu_ns = adding->process->cpu_ns;
	for (size_t i = 1; i < adding->profile->threads.count; i++)
		for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
			adding->threads.wait_ns[cause] += waits[i].by_cause_ns[cause];
	free(waits);
}

static void add_threads(struct adding *adding)
{
	const struct profile *profile = adding->profile;

	start_rest(adding);
	for (size_t i = 0; i < profile->section_times.count; i++)
		add_times(adding, &profile->section_times.rows[i]);
	adding->rest->own_ns += adding->threads.life_ns;
	adding->rest->own_cpu_ns += adding->threads.cpu_ns;
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		adding->rest->own_wait_ns[cause] += adding->threads.wait_ns[cause];
}

/* ---- waits by object */

static void add_wait(const struct adding *adding, size_t section, const struct profile_wait *wait)
{
	if (!adding->numbers[section])
		return;
	const struct merged_section_waits probe = {
		.section = adding->numbers[section] - 1,
		.cause = wait->cause,
		.object = sections_object(adding, wait->object, wait->operation)};
	struct merged_section_waits *row =
		keyed_table_enter(adding->accumulator->waits, &probe, NULL);

	row->count += wait->count;
	row->time_ns += wait->sum_ns;
}

static void add_waits(const struct adding *adding)
{
	for (size_t i = 0; i < adding->profile->section_waits.count; i++) {
		const struct profile_section_wait *row = &adding->profile->section_waits.rows[i];

		add_wait(adding, row->section, &row->wait);
		add_wait(adding, row->phase, &row->wait);
	}
}

/* ---- all of it */

static void add_marks(const struct adding *adding)
{
	const struct profile *profile = adding->profile;

	for (size_t i = 0; i < profile->marks.count; i++) {
		const struct section_entry *entry =
			sections_entry(adding, profile->marks.rows[i].section);

		if (entry)
			section_marks_add(adding->accumulator->marks, entry->name, profile, i);
	}
}

/* Who began one, or told one at least. */
static bool has_sections(const struct profile *profile)
{
	for (size_t i = 1; i < profile->sections.count; i++)
		if (profile->sections.rows[i].kind)
			return true;
	return false;
}

void sections_accumulator_add(struct sections_accumulator *accumulator,
			      const struct profile *profile, const struct process *process)
{
	struct adding adding = {.accumulator = accumulator, .profile = profile, .process = process};

	if (!has_sections(profile))
		return;
	adding.numbers = memory_allocate(profile->sections.count, sizeof *adding.numbers);
	add_tree(&adding);
	add_threads(&adding);
	sections_add_levels(&adding);
	add_waits(&adding);
	sections_add_longest(&adding);
	add_marks(&adding);
	free(adding.numbers);
}

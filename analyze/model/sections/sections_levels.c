/* SPDX-License-Identifier: MIT */
/* The accounts of a process: T_i of its sections, and of the rest outside of all. */
#include "analyze/base/number.h"
#include "analyze/model/concurrency/efficiency.h"
#include "analyze/model/process/process.h"
#include "analyze/model/sections/sections_parts.h"

#include <math.h>

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static struct merged_section_processes *process_row(const struct adding *adding,
						    const struct section_entry *entry)
{
	const struct merged_section_processes probe = {
		.section = sections_number(adding->accumulator, entry),
		.process = adding->process->index};

	return keyed_table_enter(adding->accumulator->processes, &probe, NULL);
}

static void add_levels(const struct adding *adding, const struct section_entry *entry,
		       const struct efficiency *efficiency, bool is_useful)
{
	for (size_t i = 0; i < efficiency->level_count; i++) {
		const struct merged_section_levels probe = {
			.section = sections_number(adding->accumulator, entry),
			.is_useful = is_useful,
			.active = efficiency->levels[i].active};
		struct merged_section_levels *row =
			keyed_table_enter(adding->accumulator->levels, &probe, NULL);

		row->time_ns += efficiency->levels[i].time_ns;
	}
}

/* Both are released. */
static void add_concurrency(const struct adding *adding, struct section_entry *entry,
			    struct efficiency *on_processor, struct efficiency *useful)
{
	double processors = (double)adding->profile->process.processors;

	add_levels(adding, entry, on_processor, false);
	add_levels(adding, entry, useful, true);
	process_row(adding, entry)->elapsed_ns += on_processor->total_ns;
	entry->elapsed_ns += on_processor->total_ns;
	entry->executing_ns += on_processor->executing_ns;
	entry->alone_ns += efficiency_level_ns(on_processor, 1);
	entry->active_ns += rint(efficiency_active_ns(on_processor));
	entry->useful_ns += rint(efficiency_active_ns(useful));
	entry->capacity_ns += processors * (double)on_processor->executing_ns;
	entry->grade = grade_worse(grade_of_number(entry->grade), on_processor->grade);
	efficiency_clear(on_processor);
	efficiency_clear(useful);
}

static struct efficiency levels_of(const struct adding *adding, size_t section, double factor,
				   enum concurrency_kind kind)
{
	return efficiency_of_section(adding->profile, kind, section, factor,
				     adding->process->elapsed_ns, adding->process->cpu_ns);
}

static bool has_phases(const struct profile *profile)
{
	for (size_t i = 1; i < profile->sections.count; i++)
		if (profile->sections.rows[i].kind == SECTION_PHASE)
			return true;
	return false;
}

/* Lengths of frequent sections, and the part of them that the T_i know. section 0: of outermost
 * ones; all phases are told, and sections lie in them. */
static double factor_of(const struct adding *adding, size_t section)
{
	const struct profile *profile = adding->profile;
	double all_ns = 0, told_ns = 0;

	if (!section && has_phases(profile))
		return 1;
	for (size_t i = 0; i < profile->section_times.count; i++) {
		const struct profile_section_times *row = &profile->section_times.rows[i];
		const struct profile_section *of = &profile->sections.rows[row->section];

		if (section ? row->section == section : sections_is_of_tree(of) && !of->parent) {
			all_ns += (double)row->sum_ns;
			told_ns += (double)row->told_ns;
		}
	}
	return told_ns > 0 && told_ns < all_ns ? all_ns / told_ns : 1;
}

static void add_process(const struct adding *adding, size_t section)
{
	struct section_entry *entry = sections_entry(adding, section);
	double factor = factor_of(adding, section);

	if (!entry || entry->kind == SECTION_MARK)
		return;
	struct efficiency on_processor =
		levels_of(adding, section, factor, CONCURRENCY_ON_PROCESSOR);
	struct efficiency useful = levels_of(adding, section, factor, CONCURRENCY_USEFUL);

	if (on_processor.level_count) {
		add_concurrency(adding, entry, &on_processor, &useful);
		return;
	}
	efficiency_clear(&on_processor);
	efficiency_clear(&useful);
}

static void subtract(struct efficiency *from, const struct efficiency *what)
{
	for (size_t i = 0; i < from->level_count; i++)
		from->levels[i].time_ns = less(from->levels[i].time_ns,
					       efficiency_level_ns(what, from->levels[i].active));
}

/* What is left of a kind, and in which time any was open. Levels of which sections had more than
 * the whole, by errors of either, are none; the sum is that of the difference all the same, and
 * what is over is of the others. */
static struct efficiency rest_of(const struct adding *adding, enum concurrency_kind kind,
				 uint64_t *any_ns)
{
	const struct process *process = adding->process;
	struct efficiency all =
		efficiency_of(adding->profile, kind, process->elapsed_ns, process->cpu_ns);
	struct efficiency any = levels_of(adding, 0, factor_of(adding, 0), kind);
	uint64_t total_ns = less(all.total_ns, any.total_ns);

	*any_ns = any.total_ns < all.total_ns ? any.total_ns : all.total_ns;
	subtract(&all, &any);
	uint64_t sum_ns = number_of_real(efficiency_range_ns(&all, 0, UINT64_MAX));

	for (size_t i = all.level_count; i-- > 0 && sum_ns > total_ns;) {
		uint64_t over_ns = sum_ns - total_ns;
		uint64_t taken_ns =
			over_ns < all.levels[i].time_ns ? over_ns : all.levels[i].time_ns;

		all.levels[i].time_ns -= taken_ns;
		sum_ns -= taken_ns;
	}
	all.total_ns = total_ns;
	all.grade = any.level_count ? grade_worse(all.grade, any.grade) : all.grade;
	efficiency_set_figures(&all, adding->profile->process.processors);
	efficiency_clear(&any);
	return all;
}

void sections_add_levels(const struct adding *adding)
{
	for (size_t i = 1; i < adding->profile->sections.count; i++)
		add_process(adding, i);
	uint64_t any_ns, useful_ns;
	struct efficiency useful = rest_of(adding, CONCURRENCY_USEFUL, &useful_ns);
	struct efficiency on_processor = rest_of(adding, CONCURRENCY_ON_PROCESSOR, &any_ns);

	adding->rest->any_ns += any_ns;
	add_concurrency(adding, adding->rest, &on_processor, &useful);
}

/* SPDX-License-Identifier: MIT */
/* The figures of the result's rows: with what is within them, T_i, processes, waits by object. */
#include "analyze/base/memory.h"
#include "analyze/model/sections/sections_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of threads: with those within, which follow. */
static void add_within(struct sections *sections)
{
	for (size_t i = sections->count; i-- > 0;) {
		struct section *row = &sections->rows[i];

		for (size_t within = i + 1;
		     within < sections->count && sections->rows[within].depth > row->depth;
		     within++)
			if (sections->rows[within].depth == row->depth + 1) {
				const struct section *of = &sections->rows[within];

				row->own_ns += of->own_ns;
				row->own_cpu_ns += of->own_cpu_ns;
				for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
					row->own_wait_ns[cause] += of->own_wait_ns[cause];
			}
	}
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static void set_figures(struct section *row)
{
	double executing = (double)row->executing_ns, alone = (double)row->alone_ns;

	if (!row->elapsed_ns)
		row->grade = GRADE_UNKNOWN;
	row->ceff_percent = 100 * ratio(row->active_ns, row->capacity_ns);
	row->utilization_percent = 100 * ratio(alone, executing);
	row->limit = ratio(executing, alone);
}

static int compare_levels(const void *left, const void *right)
{
	const struct section_level *a = left, *b = right;

	return (a->active > b->active) - (a->active < b->active);
}

static struct section_level *find_level(struct section *row, uint64_t active)
{
	for (size_t i = 0; i < row->level_count; i++)
		if (row->levels[i].active == active)
			return &row->levels[i];
	row->levels[row->level_count] = (struct section_level){.active = active};
	return &row->levels[row->level_count++];
}

static size_t *count_levels(const struct finishing *finishing)
{
	const struct keyed_table *table = finishing->accumulator->levels;
	size_t *counts = memory_allocate(finishing->result->count + 1, sizeof *counts);

	for (size_t i = 0; i < keyed_table_count(table); i++) {
		const struct merged_section_levels *level = keyed_table_row(table, i);

		if (finishing->numbers[level->section] != SIZE_MAX)
			counts[finishing->numbers[level->section]]++;
	}
	return counts;
}

static void add_levels(const struct finishing *finishing)
{
	const struct keyed_table *table = finishing->accumulator->levels;
	struct sections *result = finishing->result;
	size_t *counts = count_levels(finishing);

	for (size_t i = 0; i < result->count; i++)
		result->rows[i].levels =
			memory_allocate(counts[i] + 1, sizeof *result->rows[i].levels);
	free(counts);
	for (size_t i = 0; i < keyed_table_count(table); i++) {
		const struct merged_section_levels *from = keyed_table_row(table, i);
		size_t number = finishing->numbers[from->section];

		if (number == SIZE_MAX)
			continue;
		struct section_level *level = find_level(&result->rows[number], from->active);

		*(from->is_useful ? &level->useful_ns : &level->time_ns) += from->time_ns;
	}
	for (size_t i = 0; i < result->count; i++)
		qsort(result->rows[i].levels, result->rows[i].level_count,
		      sizeof *result->rows[i].levels, compare_levels);
}

static void add_processes(const struct finishing *finishing)
{
	const struct keyed_table *table = finishing->accumulator->processes;

	for (size_t i = 0; i < keyed_table_count(table); i++) {
		const struct merged_section_processes *from = keyed_table_row(table, i);
		size_t number = finishing->numbers[from->section];

		if (number == SIZE_MAX)
			continue;
		struct section_spread *spread = &finishing->result->rows[number].spread;
		bool is_longest =
			!spread->processes || from->elapsed_ns > spread->max_ns ||
			(from->elapsed_ns == spread->max_ns && from->process < spread->longest);

		if (!spread->processes || from->elapsed_ns < spread->min_ns)
			spread->min_ns = from->elapsed_ns;
		if (is_longest) {
			spread->max_ns = from->elapsed_ns;
			spread->longest = from->process;
		}
		spread->mean_ns += (double)from->elapsed_ns;
		spread->processes++;
	}
	for (size_t i = 0; i < finishing->result->count; i++) {
		struct section_spread *spread = &finishing->result->rows[i].spread;

		spread->mean_ns = ratio(spread->mean_ns, (double)spread->processes);
	}
}

/* ---- what was waited for most */

/* A sum of waits for one thing in a row of the result, with those within. */
struct wait_sum {
	uint64_t row, cause;
	const char *object; /* the key ends here */
	uint64_t time_ns, count;
};

static void add_wait(struct keyed_table *sums, size_t row, const struct merged_section_waits *from)
{
	const struct wait_sum probe = {row, from->cause, from->object, 0, 0};
	struct wait_sum *sum = keyed_table_enter(sums, &probe, NULL);

	sum->time_ns += from->time_ns;
	sum->count += from->count;
}

static struct keyed_table *waits_of(const struct finishing *finishing)
{
	const struct keyed_table *table = finishing->accumulator->waits;
	struct keyed_table *sums =
		keyed_table_create(sizeof(struct wait_sum), offsetof(struct wait_sum, time_ns));

	for (size_t i = 0; i < keyed_table_count(table); i++) {
		const struct merged_section_waits *from = keyed_table_row(table, i);
		size_t row = finishing->numbers[from->section];

		while (row != SIZE_MAX) {
			uint64_t parent = finishing->result->rows[row].parent;

			add_wait(sums, row, from);
			row = parent ? finishing->numbers[parent - 1] : SIZE_MAX;
		}
	}
	return sums;
}

/* The cause with the most time in the accounts of threads; of a phase, which has none, any. */
static uint64_t largest_cause(const struct section *row)
{
	uint64_t largest = 0;

	for (uint64_t cause = 0; cause < CAUSE_LIMIT; cause++)
		if (row->own_wait_ns[cause] > row->own_wait_ns[largest])
			largest = cause;
	return row->own_wait_ns[largest] ? largest : 0;
}

/* Of one time the first by name. */
static bool is_larger(const struct wait_sum *sum, const struct section_wait *than)
{
	if (sum->time_ns != than->time_ns)
		return sum->time_ns > than->time_ns;
	return *than->object && strcmp(sum->object, than->object) < 0;
}

/* By cause, where no wait says more; an object with its part of that takes its place. */
static void set_waits(const struct finishing *finishing)
{
	struct sections *result = finishing->result;
	struct keyed_table *sums = waits_of(finishing);
	bool *is_told = memory_allocate(result->count + 1, sizeof *is_told);

	for (size_t i = 0; i < result->count; i++) {
		uint64_t cause = largest_cause(&result->rows[i]);

		result->rows[i].longest =
			(struct section_wait){cause, result->rows[i].own_wait_ns[cause], 0, ""};
	}
	for (size_t i = 0; i < keyed_table_count(sums); i++) {
		const struct wait_sum *sum = keyed_table_row(sums, i);
		struct section_wait *longest = &result->rows[sum->row].longest;

		if (is_told[sum->row] ? !is_larger(sum, longest) : !sum->time_ns)
			continue;
		if (longest->cause && sum->cause != longest->cause &&
		    result->rows[sum->row].kind != SECTION_PHASE)
			continue;
		is_told[sum->row] = true;
		*longest = (struct section_wait){sum->cause, sum->time_ns, sum->count, sum->object};
	}
	free(is_told);
	keyed_table_destroy(sums);
}

void sections_set_figures(const struct finishing *finishing)
{
	struct sections *result = finishing->result;

	add_within(result);
	add_levels(finishing);
	add_processes(finishing);
	set_waits(finishing);
	for (size_t i = 0; i < result->count; i++)
		set_figures(&result->rows[i]);
}

/* SPDX-License-Identifier: MIT */
/* From the accumulator to the result: the tree as a list of rows, each with what is within it. */
#include "analyze/base/memory.h"
#include "analyze/model/common/names.h"
#include "analyze/model/sections/section_longest.h"
#include "analyze/model/sections/section_marks.h"
#include "analyze/model/sections/sections_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sections_accumulator *sections_accumulator_create(struct names *names)
{
	struct sections_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->sections = keyed_table_create(sizeof(struct section_entry), SECTION_ENTRY_KEY);
	accumulator->processes =
		keyed_table_create(sizeof(struct merged_section_processes),
				   offsetof(struct merged_section_processes, count));
	accumulator->levels = keyed_table_create(sizeof(struct merged_section_levels),
						 offsetof(struct merged_section_levels, time_ns));
	accumulator->waits = keyed_table_create(sizeof(struct merged_section_waits),
						offsetof(struct merged_section_waits, count));
	accumulator->marks = section_marks_create();
	accumulator->longest = section_longest_create();
	return accumulator;
}

static void destroy(struct sections_accumulator *accumulator)
{
	keyed_table_destroy(accumulator->sections);
	keyed_table_destroy(accumulator->processes);
	keyed_table_destroy(accumulator->levels);
	keyed_table_destroy(accumulator->waits);
	keyed_table_destroy(accumulator->marks);
	section_longest_destroy(accumulator->longest);
	free(accumulator);
}

/* ---- the order of rows */

/* A program has SECTION_LEVELS at most; what a damaged file has within them is left out. */
#define DEPTH_MAX 64

/* Phases first, the rest last. */
static int rank_of(const struct section_entry *entry)
{
	return entry->kind == SECTION_PHASE ? 0 : entry->kind == SECTION_NONE ? 2 : 1;
}

static int compare_siblings(const void *left, const void *right)
{
	const struct section_entry *const *a = left, *const *b = right;

	if (rank_of(*a) != rank_of(*b))
		return rank_of(*a) - rank_of(*b);
	if ((*a)->elapsed_ns != (*b)->elapsed_ns)
		return (*a)->elapsed_ns > (*b)->elapsed_ns ? -1 : 1;
	if ((*a)->kind != (*b)->kind)
		return (*a)->kind < (*b)->kind ? -1 : 1;
	return strcmp((*a)->name, (*b)->name);
}

/* Those of one parent together. */
static int compare_entries(const void *left, const void *right)
{
	const struct section_entry *const *a = left, *const *b = right;

	if ((*a)->parent != (*b)->parent)
		return (*a)->parent < (*b)->parent ? -1 : 1;
	return compare_siblings(left, right);
}

/* In that order; first: where those of a parent (a number + 1; 0: outermost) begin. */
static void sort_entries(struct finishing *finishing)
{
	size_t count = keyed_table_count(finishing->accumulator->sections);

	finishing->sorted = memory_allocate(count + 1, sizeof *finishing->sorted);
	finishing->first = memory_allocate(count + 2, sizeof *finishing->first);
	for (size_t i = 0; i < count; i++)
		finishing->sorted[i] = keyed_table_row(finishing->accumulator->sections, i);
	qsort(finishing->sorted, count, sizeof *finishing->sorted, compare_entries);
	for (size_t parent = 0, at = 0; parent <= count + 1; parent++) {
		while (at < count && finishing->sorted[at]->parent < parent)
			at++;
		finishing->first[parent] = at;
	}
}

static const char *path_of(const struct finishing *finishing, const struct section *parent,
			   const char *name)
{
	if (!parent)
		return name;
	char *path = memory_print("%s/%s", parent->path, name);
	const char *kept = names_keep(finishing->accumulator->names, path);

	free(path);
	return kept;
}

/* outer: the row around; NULL: none. */
static size_t add_row(const struct finishing *finishing, const struct section_entry *entry,
		      const struct section *outer)
{
	struct sections *result = finishing->result;
	struct section *row = &result->rows[result->count];

	memcpy(row, entry, sizeof(struct merged_sections));
	row->path = path_of(finishing, outer, entry->name);
	row->depth = outer ? outer->depth + 1 : 0;
	row->lengths = entry->lengths;
	row->intervals = histogram_count(&entry->lengths);
	row->open = entry->count > entry->ended + entry->cut
			    ? entry->count - entry->ended - entry->cut
			    : 0;
	row->longest.object = "";
	return result->count++;
}

/* Depth first: parents have smaller numbers than what is within them, so this ends. */
static void add_rows(const struct finishing *finishing, size_t parent, const struct section *outer)
{
	if (outer && outer->depth + 1 >= DEPTH_MAX)
		return;
	for (size_t i = finishing->first[parent]; i < finishing->first[parent + 1]; i++) {
		const struct section_entry *entry = finishing->sorted[i];
		size_t number = keyed_table_number(finishing->accumulator->sections, entry);

		if (entry->kind == SECTION_MARK)
			continue;
		size_t row = add_row(finishing, entry, outer);

		finishing->numbers[number] = row;
		add_rows(finishing, number + 1, &finishing->result->rows[row]);
	}
}

/* ---- all together */

/* Phases are beside the tree. */
static void compare_with_whole(struct sections *sections)
{
	uint64_t outermost_ns = 0, any_ns = 0;

	for (size_t i = 0; i < sections->count; i++) {
		const struct section *row = &sections->rows[i];

		if (section_is_rest(row))
			sections->elapsed_ns = row->elapsed_ns + (any_ns = row->any_ns);
		else if (!row->depth && row->kind != SECTION_PHASE)
			outermost_ns += row->elapsed_ns;
	}
	sections->overlap_ns = outermost_ns > any_ns ? outermost_ns - any_ns : 0;
}

static bool has_rows(const struct finishing *finishing)
{
	const struct sections *result = finishing->result;

	return result->count > 1 || (result->count && !section_is_rest(&result->rows[0]));
}

static void finish_rows(const struct finishing *finishing)
{
	struct sections *result = finishing->result;

	sections_set_figures(finishing);
	compare_with_whole(result);
	section_longest_finish(finishing->accumulator->longest, finishing->numbers, result);
}

struct sections sections_accumulator_finish(struct sections_accumulator *accumulator)
{
	size_t count = keyed_table_count(accumulator->sections);
	struct sections result = {.rows = memory_allocate(count + 1, sizeof *result.rows)};
	struct finishing finishing = {
		.accumulator = accumulator,
		.result = &result,
		.numbers = memory_allocate(count + 1, sizeof *finishing.numbers),
	};

	sort_entries(&finishing);
	memset(finishing.numbers, 0xff, (count + 1) * sizeof *finishing.numbers);
	add_rows(&finishing, 0, NULL);
	if (has_rows(&finishing))
		finish_rows(&finishing);
	else
		result.count = 0;
	section_marks_finish(accumulator->marks, &result);
	free(finishing.numbers);
	free(finishing.sorted);
	free(finishing.first);
	destroy(accumulator);
	return result;
}

struct histogram_percentile section_percentile(const struct section *section, double percent)
{
	struct histogram_percentile at =
		histogram_percentile(&section->lengths, percent,
				     (struct histogram_known){.longest = section->max_ns,
							      .sum = section->sum_ns,
							      .count = section->intervals});
	double least = (double)section->min_ns;

	/* none is shorter than the shortest */
	if (at.low < least && at.high >= least) {
		at.low = least;
		at.value = sqrt(at.low * at.high);
	}
	return at;
}

uint64_t section_waited_ns(const struct section *section)
{
	uint64_t sum = 0;

	if (section->kind == SECTION_PHASE)
		return UINT64_MAX;
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		sum += section->own_wait_ns[cause];
	return sum;
}

void sections_clear(struct sections *sections)
{
	for (size_t i = 0; i < sections->count; i++)
		free(sections->rows[i].levels);
	free(sections->rows);
	free(sections->intervals);
	free(sections->anomalies);
	free(sections->marks);
	*sections = (struct sections){0};
}

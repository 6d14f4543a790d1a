/* SPDX-License-Identifier: MIT */
#include "analyze/model/sections/section_longest.h"

#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Of one section, in no order. */
struct kept {
	struct merged_section_longest rows[SECTION_INTERVALS_MAX];
	size_t count;
};

struct section_longest_list {
	struct kept **sections; /* by number; NULL: it has none */
	size_t count, capacity;
};

struct section_longest_list *section_longest_create(void)
{
	return memory_allocate(1, sizeof(struct section_longest_list));
}

void section_longest_destroy(struct section_longest_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->sections[i]);
	free(list->sections);
	free(list);
}

/* Longer ones first; of equal ones, those of the earlier process and thread. */
static int compare_rows(const struct merged_section_longest *a,
			const struct merged_section_longest *b)
{
	if (a->length_ns != b->length_ns)
		return a->length_ns > b->length_ns ? -1 : 1;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static struct kept *kept_of(struct section_longest_list *list, uint64_t section)
{
	while (list->count <= section) {
		list->sections = memory_grow(list->sections, list->count, &list->capacity,
					     sizeof *list->sections);
		list->sections[list->count++] = NULL;
	}
	if (!list->sections[section])
		list->sections[section] = memory_allocate(1, sizeof *list->sections[section]);
	return list->sections[section];
}

/* The one that leaves first. */
static struct merged_section_longest *find_last(struct kept *kept)
{
	struct merged_section_longest *last = &kept->rows[0];

	for (size_t i = 1; i < kept->count; i++)
		if (compare_rows(&kept->rows[i], last) > 0)
			last = &kept->rows[i];
	return last;
}

uint64_t section_longest_add(struct section_longest_list *list,
			     const struct merged_section_longest *row)
{
	struct kept *kept = kept_of(list, row->section);

	if (kept->count < SECTION_INTERVALS_MAX) {
		kept->rows[kept->count++] = *row;
		return 0;
	}
	struct merged_section_longest *last = find_last(kept);

	if (compare_rows(row, last) >= 0)
		return row->length_ns;
	uint64_t left_ns = last->length_ns;

	*last = *row;
	return left_ns;
}

void section_longest_write(const struct section_longest_list *list, struct merged_writer *writer)
{
	for (size_t i = 0; i < list->count; i++)
		for (size_t row = 0; list->sections[i] && row < list->sections[i]->count; row++)
			merged_writer_add(writer, MERGED_section_longest,
					  &list->sections[i]->rows[row]);
}

/* ---- the result */

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* What most of its length was. CPU time that the shortest one may have had as well explains
 * nothing.
 */
static void set_reason(struct section_interval *interval, uint64_t shortest_ns)
{
	uint64_t cpu_ns = less(interval->cpu_ns, shortest_ns);
	uint64_t nowhere_ns =
		less(less(interval->length_ns, interval->cpu_ns), interval->waited_ns);
	bool has_faults = interval->faults && interval->faults != UINT64_MAX;

	interval->reason = SECTION_REASON_NO_PROCESSOR;
	interval->reason_ns = nowhere_ns;
	if (interval->waited_ns >= nowhere_ns && interval->waited_ns >= cpu_ns &&
	    interval->wait_ns) {
		interval->reason = SECTION_REASON_WAIT;
		interval->reason_ns = interval->wait_ns;
	} else if (cpu_ns > nowhere_ns) {
		interval->reason = has_faults ? SECTION_REASON_FAULTS : SECTION_REASON_CPU;
		interval->reason_ns = interval->cpu_ns;
	}
}

static uint64_t limit_of(const struct section *section)
{
	return section->min_ns < UINT64_MAX / SECTION_LONG_FACTOR
		       ? SECTION_LONG_FACTOR * section->min_ns
		       : UINT64_MAX;
}

static bool is_long(const struct section *section, const struct section_interval *interval)
{
	return section->min_ns && interval->length_ns > limit_of(section);
}

static int compare_intervals(const void *left, const void *right)
{
	const struct section_interval *a = left, *b = right;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->length_ns != b->length_ns)
		return a->length_ns > b->length_ns ? -1 : 1;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_anomalies(const void *left, const void *right)
{
	const struct section_anomalies *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->section > b->section) - (a->section < b->section);
}

static void take_long(const struct kept *kept, size_t number, struct sections *sections)
{
	const struct section *section = &sections->rows[number];

	for (size_t i = 0; i < kept->count; i++) {
		struct section_interval *interval = &sections->intervals[sections->interval_count];

		memcpy(interval, &kept->rows[i], sizeof kept->rows[i]);
		interval->section = number;
		if (!is_long(section, interval))
			continue;
		set_reason(interval, section->min_ns);
		sections->interval_count++;
	}
}

/* Those of all sections, in the order of these. */
static void take_all(const struct section_longest_list *list, const size_t *numbers,
		     struct sections *sections)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += list->sections[i] ? list->sections[i]->count : 0;
	sections->intervals = memory_allocate(count + 1, sizeof *sections->intervals);
	for (size_t i = 0; i < list->count; i++)
		if (list->sections[i] && numbers[i] != SIZE_MAX)
			take_long(list->sections[i], numbers[i], sections);
	if (sections->interval_count)
		qsort(sections->intervals, sections->interval_count, sizeof *sections->intervals,
		      compare_intervals);
}

/* How many are longer than the limit by the bins of their lengths: at least, and at most. */
struct count {
	uint64_t least, most;
};

static struct count count_by_bins(const struct section *section)
{
	uint64_t limit_ns = limit_of(section);
	struct count count = {0, 0};

	for (unsigned bin = 0; bin < HISTOGRAM_BINS; bin++) {
		uint64_t low_ns = bin ? UINT64_C(1) << bin : 0;
		bool is_last = bin + 1 == HISTOGRAM_BINS;

		count.least += low_ns > limit_ns ? section->lengths.bins[bin] : 0;
		count.most += is_last || 2 * low_ns > limit_ns ? section->lengths.bins[bin] : 0;
	}
	return count;
}

/* listed: how many are known one by one. If none that is not listed is long, these are all. */
static void set_count(struct section_anomalies *anomalies, const struct section *section,
		      uint64_t listed)
{
	struct count count = count_by_bins(section);

	anomalies->of = section->intervals;
	anomalies->count = listed;
	anomalies->is_exact = section->unlisted_ns <= limit_of(section);
	if (anomalies->is_exact)
		return;
	anomalies->count = count.least > listed ? count.least : listed;
	anomalies->is_exact = count.most <= anomalies->count;
}

void section_longest_finish(const struct section_longest_list *list, const size_t *numbers,
			    struct sections *sections)
{
	sections->anomalies = memory_allocate(sections->count + 1, sizeof *sections->anomalies);
	take_all(list, numbers, sections);
	for (size_t i = 0, end; i < sections->interval_count; i = end) {
		size_t number = sections->intervals[i].section;
		const struct section *section = &sections->rows[number];

		for (end = i;
		     end < sections->interval_count && sections->intervals[end].section == number;)
			end++;
		struct section_anomalies *anomalies =
			&sections->anomalies[sections->anomaly_count++];

		*anomalies = (struct section_anomalies){
			.section = number, .rows = &sections->intervals[i], .row_count = end - i};
		set_count(anomalies, section, end - i);
	}
	if (sections->anomaly_count)
		qsort(sections->anomalies, sections->anomaly_count, sizeof *sections->anomalies,
		      compare_anomalies);
}

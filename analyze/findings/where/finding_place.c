/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_place.h"

#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

bool finding_is_of_one_thread(const struct routine_time *row)
{
	const struct spread *spread = &row->total_spread;

	return spread->count && spread->max_ns >= finding_limits.one_thread * spread->mean_ns *
							  (double)spread->count;
}

static uint64_t own_ns(const struct routine_time *row, enum finding_measure measure)
{
	switch (measure) {
	case FINDING_ALONE:
		return row->alone_ns;
	case FINDING_SERIAL:
		return row->serial_ns;
	default:
		return row->self_ns;
	}
}

static uint64_t whole_ns(const struct routine_time *row, enum finding_measure measure)
{
	switch (measure) {
	case FINDING_ALONE:
		return row->total_alone_ns;
	case FINDING_SERIAL:
		return row->total_serial_ns;
	default:
		return row->total_ns;
	}
}

struct finding_part_sum finding_part_sum(const struct run *run, const struct finding_part *part)
{
	struct finding_part_sum sum = {0};

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		uint64_t ns = own_ns(row, part->measure);

		if (!row->samples || !ns || (part->is_counted && !part->is_counted(run, row)))
			continue;
		sum.sum_ns += (double)ns;
		if (!finding_is_code(run, row->routine))
			continue;
		sum.count++;
		if (!sum.most || ns > own_ns(sum.most, part->measure))
			sum.most = row;
	}
	return sum;
}

static bool is_single_part(const struct routine_time *row, enum finding_measure measure)
{
	if (measure == FINDING_SERIAL)
		return (double)row->total_serial_ns >=
		       finding_limits.one_thread * (double)row->total_ns;
	return finding_is_of_one_thread(row);
}

bool finding_is_place(const struct run *run, const struct routine_time *row)
{
	const struct routine *routine = names_routine(run->names, row->routine);
	bool is_leaf = (double)row->self_ns >= finding_limits.leaf * (double)row->total_ns;

	return *routine->module && !routine->is_runtime && !(routine->is_inlined && is_leaf);
}

static bool is_deeper(const struct routine_time *row, const struct routine_time *than,
		      enum finding_measure measure)
{
	uint64_t ns = whole_ns(row, measure), other_ns = whole_ns(than, measure);

	return ns < other_ns || (ns == other_ns && own_ns(row, measure) > own_ns(than, measure));
}

static const struct routine_time *deepest_of(const struct run *run, const struct finding_part *part,
					     double sum_ns, bool is_single)
{
	const struct routine_time *deepest = NULL;

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		uint64_t ns = whole_ns(row, part->measure);

		if (!ns || !finding_is_place(run, row) ||
		    (is_single && !is_single_part(row, part->measure)) ||
		    (double)ns < finding_limits.most * sum_ns)
			continue;
		if (!deepest || is_deeper(row, deepest, part->measure))
			deepest = row;
	}
	return deepest;
}

struct finding_place finding_place_of(const struct run *run, const struct finding_part *part,
				      const struct finding_part_sum *sum, bool is_single)
{
	/* damaged rows may have time in what they call, but none of their own */
	const struct routine_time *deepest =
		sum->most ? deepest_of(run, part, sum->sum_ns, is_single) : NULL;

	if (deepest)
		return (struct finding_place){deepest, (double)whole_ns(deepest, part->measure)};
	return (struct finding_place){sum->most,
				      sum->most ? (double)own_ns(sum->most, part->measure) : 0};
}

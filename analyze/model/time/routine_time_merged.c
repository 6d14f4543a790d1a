/* SPDX-License-Identifier: MIT */
/* The accumulator of routines to and from merged runs. */
#include "analyze/model/time/routine_time_parts.h"
#include "analyze/tables/merged_input.h"

static void write_measure(struct merged_writer *writer, const struct accumulators *of,
			  bool is_total, bool is_blocked_known)
{
	struct measure measure = is_total ? of->total : of->self;

	measure.routine = of->routine;
	measure.is_total = is_total;
	measure.is_blocked_known = is_blocked_known;
	merged_writer_add(writer, MERGED_routine_times, &measure);
	for (size_t way = 0; way < WAYS; way++) {
		struct merged_routine_spreads row = {
			.routine = of->routine,
			.is_total = is_total,
			.by_process = way == BY_PROCESS,
			.spread = measure.by[way].spread,
		};

		merged_writer_add(writer, MERGED_routine_spreads, &row);
	}
}

void routine_accumulator_write(const struct routine_accumulator *accumulator,
			       struct merged_writer *writer)
{
	for (size_t i = 0; i < accumulator->routine_limit; i++) {
		const struct accumulators *accumulators = &accumulator->routines[i];

		if (!accumulators->is_used)
			continue;
		merged_writer_add(writer, MERGED_routine_sums, accumulators);
		write_measure(writer, accumulators, false, !accumulator->lacks_blocked);
		write_measure(writer, accumulators, true, !accumulator->lacks_blocked);
	}
	line_table_write(accumulator->lines, writer);
}

uint64_t routine_accumulator_excess(const struct routine_accumulator *accumulator)
{
	return accumulator->excess_ns;
}

void routine_accumulator_add_excess(struct routine_accumulator *accumulator, uint64_t excess_ns)
{
	accumulator->excess_ns += excess_ns;
}

static void read_spreads(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	struct merged_routine_spreads row;

	for (size_t next = 0; merged_next(input, MERGED_routine_spreads, &next, &row);) {
		struct accumulators *of = routine_accumulators_of(accumulator, row.routine);

		distribution_unite_row(row.is_total ? of->total.by : of->self.by, row.by_process,
				       row.spread);
	}
}

static void read_times(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	struct merged_routine_times row;

	for (size_t next = 0; merged_next(input, MERGED_routine_times, &next, &row);) {
		struct accumulators *of = routine_accumulators_of(accumulator, row.routine);

		merged_unite(MERGED_routine_times, row.is_total ? &of->total : &of->self, &row);
		accumulator->lacks_blocked |= !row.is_blocked_known;
	}
}

static void read_sums(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	struct merged_routine_sums row;

	for (size_t next = 0; merged_next(input, MERGED_routine_sums, &next, &row);) {
		struct accumulators *into = routine_accumulators_of(accumulator, row.routine);
		size_t process = row.caller_process == MERGED_NO_ROW ? 0 : row.caller_process;

		merged_unite(MERGED_routine_sums, into, &row);
		if (process < into->caller_process)
			continue;
		into->caller_process = process;
		into->caller_line = row.caller_line;
	}
}

void routine_accumulator_read(struct routine_accumulator *accumulator,
			      const struct merged_input *input)
{
	read_sums(accumulator, input);
	read_times(accumulator, input);
	read_spreads(accumulator, input);
	line_table_read(accumulator->lines, input);
}

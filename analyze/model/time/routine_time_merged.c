/* SPDX-License-Identifier: MIT */
/* The accumulator of routines to and from merged runs. */
#include "analyze/model/time/routine_time_parts.h"
#include "analyze/model/time/spread_merged.h"

static void write_measure(struct merged_writer *writer, size_t routine, uint64_t is_total,
			  const struct measure *measure, bool is_blocked_known)
{
	struct merged_routine_times times = {
		.routine = routine,
		.is_total = is_total,
		.time_ns = measure->time_ns,
		.elapsed_ns = measure->share.elapsed_ns,
		.alone_ns = measure->share.alone_ns,
		.active_ns = measure->share.active_ns,
		.blocked_ns = measure->blocked_ns,
		.is_blocked_known = is_blocked_known,
		.serial_ns = measure->serial_ns,
	};

	merged_writer_add(writer, MERGED_routine_times, &times);
	for (size_t way = 0; way < WAYS; way++) {
		struct merged_routine_spreads row = {
			.routine = routine,
			SPREAD_TO_MERGED(&measure->by[way], way, is_total),
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
		write_measure(writer, i, 0, &accumulators->self, !accumulator->lacks_blocked);
		write_measure(writer, i, 1, &accumulators->total, !accumulator->lacks_blocked);
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

		SPREAD_UNITE_MERGED(row.is_total ? of->total.by : of->self.by, &row);
	}
}

static void read_times(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	struct merged_routine_times row;

	for (size_t next = 0; merged_next(input, MERGED_routine_times, &next, &row);) {
		struct accumulators *of = routine_accumulators_of(accumulator, row.routine);
		struct measure *measure = row.is_total ? &of->total : &of->self;

		measure->time_ns += row.time_ns;
		measure->blocked_ns += row.blocked_ns;
		measure->serial_ns += row.serial_ns;
		accumulator->lacks_blocked |= !row.is_blocked_known;
		sample_share_add(&measure->share, &SHARE_OF_MERGED(&row));
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

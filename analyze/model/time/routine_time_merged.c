/* SPDX-License-Identifier: MIT */
/* The accumulator of routines to and from merged runs. */
#include "analyze/model/time/routine_time_parts.h"
#include "analyze/model/time/spread_merged.h"
#include "analyze/tables/merged.h"

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
		struct merged_routine_sums sums = {i,
						   accumulators->samples,
						   accumulators->caller_line,
						   accumulators->caller_process,
						   accumulators->waiting_ns,
						   accumulators->waiting_line,
						   accumulators->blocked_line};

		if (!accumulators->is_used)
			continue;
		merged_writer_add(writer, MERGED_routine_sums, &sums);
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

/* NULL: there is no such routine. */
static struct accumulators *find_merged(struct routine_accumulator *accumulator,
					const struct merged_input *input, uint64_t routine)
{
	if (routine >= input->routine_count)
		return NULL;
	return routine_accumulators_of(accumulator, input->routine_of[routine]);
}

static void read_spreads(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_spreads *rows =
		merged_file_rows(input->file, MERGED_routine_spreads, &count);

	for (size_t i = 0; i < count; i++) {
		const struct merged_routine_spreads *row = &rows[i];
		struct accumulators *accumulators = find_merged(accumulator, input, row->routine);
		struct distribution from;

		if (accumulators && SPREAD_FROM_MERGED(&from, row, input, accumulator->names))
			distribution_unite(
				&(row->is_total ? &accumulators->total : &accumulators->self)
					 ->by[row->by_process ? BY_PROCESS : BY_THREAD],
				&from);
	}
}

static void read_times(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_times *rows =
		merged_file_rows(input->file, MERGED_routine_times, &count);

	for (size_t i = 0; i < count; i++) {
		struct accumulators *accumulators =
			find_merged(accumulator, input, rows[i].routine);
		struct measure *measure;

		if (!accumulators)
			continue;
		measure = rows[i].is_total ? &accumulators->total : &accumulators->self;
		measure->time_ns += rows[i].time_ns;
		measure->blocked_ns += rows[i].blocked_ns;
		measure->serial_ns += rows[i].serial_ns;
		accumulator->lacks_blocked |= !rows[i].is_blocked_known;
		sample_share_add(&measure->share, &(struct sample_share){
							  .elapsed_ns = rows[i].elapsed_ns,
							  .alone_ns = rows[i].alone_ns,
							  .active_ns = rows[i].active_ns,
						  });
	}
}

static void read_sums(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_sums *rows =
		merged_file_rows(input->file, MERGED_routine_sums, &count);

	for (size_t i = 0; i < count; i++) {
		struct accumulators *accumulators =
			find_merged(accumulator, input, rows[i].routine);
		size_t process = rows[i].caller_process;

		if (!accumulators)
			continue;
		accumulators->samples += rows[i].samples;
		accumulators->waiting_ns += rows[i].waiting_ns;
		if (rows[i].waiting_line > accumulators->waiting_line)
			accumulators->waiting_line = (unsigned)rows[i].waiting_line;
		if (rows[i].blocked_line > accumulators->blocked_line)
			accumulators->blocked_line = (unsigned)rows[i].blocked_line;
		process = process && process <= input->process_count
				  ? input->process_of[process - 1] + 1
				  : 0;
		if (process < accumulators->caller_process)
			continue;
		accumulators->caller_process = process;
		accumulators->caller_line = (unsigned)rows[i].caller_line;
	}
}

void routine_accumulator_read(struct routine_accumulator *accumulator,
			      const struct merged_input *input)
{
	read_sums(accumulator, input);
	read_times(accumulator, input);
	read_spreads(accumulator, input);
	line_table_read(accumulator->lines, accumulator->names, input);
}

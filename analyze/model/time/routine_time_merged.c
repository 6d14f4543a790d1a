/* SPDX-License-Identifier: MIT */
/* The accumulator of routines to and from merged runs. */
#include "analyze/base/number.h"
#include "analyze/model/time/routine_time_parts.h"
#include "analyze/tables/merged.h"

#include <math.h>

static void write_measure(struct merged_writer *writer, size_t routine, uint64_t is_total,
			  const struct measure *measure)
{
	struct merged_routine_times times = {
		.routine = routine,
		.is_total = is_total,
		.time_ns = measure->time_ns,
		.elapsed_ns = measure->share.elapsed_ns,
		.alone_ns = measure->share.alone_ns,
		.active_ns = measure->share.active_ns,
	};

	merged_writer_add(writer, MERGED_routine_times, &times);
	for (size_t way = 0; way < WAYS; way++) {
		const struct routine_spread *spread = &measure->by[way].spread;
		struct merged_routine_spreads row = {
			.routine = routine,
			.is_total = is_total,
			.by_process = way == BY_PROCESS,
			.count = spread->count,
			.mean_ns = spread->mean_ns,
			.min_ns = spread->min_ns,
			.max_ns = spread->max_ns,
			.sum_squares = measure->by[way].sum_squares,
			.max_process = spread->max_process,
			.max_tid = spread->max_tid,
			.max_name = spread->max_name,
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
						   accumulators->waiting_line};

		if (!accumulators->is_used)
			continue;
		merged_writer_add(writer, MERGED_routine_sums, &sums);
		write_measure(writer, i, 0, &accumulators->self);
		write_measure(writer, i, 1, &accumulators->total);
		for (size_t l = 0; l < accumulators->line_count; l++) {
			struct merged_routine_lines line = {i, accumulators->lines[l].line,
							    accumulators->lines[l].time_ns};

			merged_writer_add(writer, MERGED_routine_lines, &line);
		}
	}
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

/* Chan, Golub, LeVeque: "Updating formulae and a pairwise algorithm for computing sample
 * variances", 1979. */
static void unite(struct distribution *to, const struct distribution *from)
{
	struct routine_spread *spread = &to->spread;
	const struct routine_spread *added = &from->spread;
	double n = (double)spread->count, m = (double)added->count;
	double difference = added->mean_ns - spread->mean_ns;

	if (!added->count)
		return;
	if (!spread->count) {
		*to = *from;
		return;
	}
	to->sum_squares += from->sum_squares + difference * difference * n * m / (n + m);
	spread->mean_ns = number_united_mean(spread->mean_ns, n, added->mean_ns, m);
	spread->count += added->count;
	spread->min_ns = fmin(spread->min_ns, added->min_ns);
	if (added->max_ns > spread->max_ns ||
	    (added->max_ns == spread->max_ns && added->max_process < spread->max_process)) {
		spread->max_ns = added->max_ns;
		spread->max_process = added->max_process;
		spread->max_tid = added->max_tid;
		spread->max_name = added->max_name;
	}
}

static void read_spreads(struct routine_accumulator *accumulator, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_spreads *rows =
		merged_file_rows(input->file, MERGED_routine_spreads, &count);

	for (size_t i = 0; i < count; i++) {
		const struct merged_routine_spreads *row = &rows[i];
		struct accumulators *accumulators = find_merged(accumulator, input, row->routine);
		struct distribution from = {
			.sum_squares = row->sum_squares,
			.spread = {.count = row->count,
				   .min_ns = row->min_ns,
				   .mean_ns = row->mean_ns,
				   .max_ns = row->max_ns,
				   .max_tid = row->max_tid},
		};

		if (!accumulators || row->max_process >= input->process_count)
			continue;
		from.spread.max_process = input->process_of[row->max_process];
		from.spread.max_name =
			row->by_process ? NULL : names_keep(accumulator->names, row->max_name);
		unite(&(row->is_total ? &accumulators->total : &accumulators->self)
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
	size_t count;
	const struct merged_routine_lines *lines =
		merged_file_rows(input->file, MERGED_routine_lines, &count);

	read_sums(accumulator, input);
	read_times(accumulator, input);
	read_spreads(accumulator, input);
	for (size_t i = 0; i < count; i++) {
		struct accumulators *accumulators =
			find_merged(accumulator, input, lines[i].routine);

		if (accumulators)
			routine_charge_line(accumulators, (unsigned)lines[i].line,
					    lines[i].time_ns);
	}
}

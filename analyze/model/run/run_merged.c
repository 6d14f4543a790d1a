/* SPDX-License-Identifier: MIT */
/* A run to and from the tables of a merged file: processes, threads and the focus here, the rest by
 * its accumulators. */
#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_merged.h"
#include "analyze/model/openmp/omp_merged.h"
#include "analyze/model/process/idle_roles.h"
#include "analyze/model/run/run_accumulators.h"
#include "analyze/tables/merged_input.h"

#include <limits.h>
#include <string.h>

_Static_assert(MERGED_WORST_GRADE == GRADE_UNKNOWN, "grades of files are those of the model");

/* ---- writing */

#define COPY(name) .name = from->name,

/* Copied: the run's files have them in the header and the row of a profile. */
static struct process_facts facts_of(const struct run_process *file)
{
	const struct profile_process *row = &file->process;
	const struct format_header *header = &file->header;

	return (struct process_facts){.pid = header->pid,
				      .sequence = header->sequence,
				      .parent_pid = row->parent_pid,
				      .command = row->command,
				      .executable = row->executable,
				      .host = row->host,
				      .processors = row->processors,
				      .processor_first = row->processor_first,
				      .processors_online = row->processors_online,
				      .threads_peak = row->threads_peak,
				      .threads_started = row->threads_started,
				      .start_elapsed_ns = row->start_elapsed_ns,
				      .start_wait_ns = row->start_wait_ns,
				      .start_ns = header->start_ns,
				      .start_realtime_ns = header->start_realtime_ns,
				      .is_torn = file->is_torn,
				      .rank = file->rank,
				      .rank_count = file->rank_count};
}

static void write_process(struct merged_writer *writer, const struct process *from)
{
	struct process row = *from;

	row.facts = facts_of(from->file);
	row.lifetime_ns = from->sum.lifetime_ns;
	row.states = from->sum.states;
	row.waiting = from->sum.waiting;
	merged_writer_add(writer, MERGED_processes, &row);
}

/* What a report shows of a thread's own row, beside what is carried (schema_sums.h). Copied: it is
 * the row of a profile, of which the model needs more while that is open. */
#define THREAD_FIGURES(X)                                                                          \
	X(tid)                                                                                     \
	X(lives)                                                                                   \
	X(name)                                                                                    \
	X(unlocks)                                                                                 \
	X(flags)                                                                                   \
	X(birth_ns)                                                                                \
	X(updated_ns)                                                                              \
	X(policy)                                                                                  \
	X(nice)                                                                                    \
	X(processors)                                                                              \
	X(processor_first)

static void write_thread(struct merged_writer *writer, const struct process *process,
			 const struct thread_time *time)
{
	const struct profile_thread *from = time->thread;
	struct merged_threads row = {.process = process->index,
				     .role = time->role,
				     .shown_name = time->shown_name,
				     .lifetime_ns = time->lifetime_ns,
				     .states = time->states,
				     .turns_ns = time->turns_ns,
				     .yields = time->yields,
				     .waiting = time->waiting,
				     THREAD_FIGURES(COPY) SUMS_OF_threads(SUM_COPY)};

	merged_writer_add(writer, MERGED_threads, &row);
}

static void write_efficiency(struct merged_writer *writer, uint64_t is_useful,
			     const struct efficiency *efficiency)
{
	struct efficiency row = *efficiency;

	row.is_useful = is_useful;
	merged_writer_add(writer, MERGED_efficiency, &row);
	for (size_t i = 0; i < efficiency->level_count; i++) {
		struct merged_concurrency level = {is_useful, efficiency->levels[i].active,
						   efficiency->levels[i].time_ns};

		merged_writer_add(writer, MERGED_concurrency, &level);
	}
}

static void write_focus(struct merged_writer *writer, const struct run *run)
{
	write_efficiency(writer, 0, &run->on_processor);
	write_efficiency(writer, 1, &run->useful);
	merged_writer_add(writer, MERGED_imbalance, &run->imbalance);
}

static void write_names(struct merged_writer *writer, const struct names *names)
{
	for (size_t i = 0; i < names_count(names); i++) {
		const struct routine *routine = names_routine(names, i);
		struct merged_routines copy = {routine->name, routine->module, routine->file,
					       routine->is_inlined, routine->is_inferred};

		merged_writer_add(writer, MERGED_routines, &copy);
	}
	for (size_t i = 0; i < line_spans_count(names_line_spans(names)); i++)
		merged_writer_add(writer, MERGED_line_spans,
				  line_spans_at(names_line_spans(names), i));
}

void run_write_merged(const struct run *run, const struct accumulators *accumulators,
		      struct merged_writer *writer)
{
	struct merged_run row = {
		.is_damaged = run->files->is_damaged,
		.is_folded = run->is_folded,
		.excess_ns = routine_accumulator_excess(accumulators->routines),
		.focus = run->focus ? run->focus->index : 0,
		.has_mpi = mpi_accumulator_is_used(accumulators->mpi),
	};

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		write_process(writer, process);
		for (size_t t = 0; t < process->thread_count; t++)
			write_thread(writer, process, &process->threads[t]);
	}
	if (run->focus)
		write_focus(writer, run);
	write_names(writer, run->names);
	routine_accumulator_write(accumulators->routines, writer);
	call_accumulator_write(accumulators->calls, writer);
	mpi_accumulator_write(accumulators->mpi, writer);
	omp_accumulator_write(accumulators->omp, writer);
	run_timeline_write(accumulators->timeline, writer);
	pipe_ends_accumulator_write(accumulators->pipe_ends, writer);
	requests_accumulator_write(accumulators->requests, writer);
	sections_accumulator_write(accumulators->sections, writer);
	counters_accumulator_write(accumulators->counters, writer);
	if (accumulators->paths)
		path_accumulator_write(accumulators->paths, writer);
	run_notes_accumulator_write(accumulators->notes, run, writer);
	memcpy(row.wait_ns,
	       synchronization_accumulator_write(accumulators->synchronization, writer),
	       sizeof row.wait_ns);
	merged_writer_add(writer, MERGED_run, &row);
}

/* ---- reading */

static void number_processes(const struct run *run, struct merged_input *input)
{
	size_t count;
	const struct merged_processes *rows = merged_input_rows(input, MERGED_processes, &count);

	for (size_t i = 0; i < run->process_count; i++) {
		const struct merged_processes *row = run->files->processes[i].merged;

		if (row && row >= rows && row < rows + count)
			merged_number(input, MERGED_processes, (size_t)(row - rows) + 1, i);
	}
}

static void number_routines(struct names *names, struct merged_input *input)
{
	struct merged_routines row;

	for (size_t next = 0; merged_next(input, MERGED_routines, &next, &row);) {
		size_t number =
			names_number(names, row.name, row.module, *row.file ? row.file : NULL);

		if (row.is_inlined)
			names_set_inlined(names, number);
		if (row.is_inferred)
			names_set_inferred(names, number);
		merged_number(input, MERGED_routines, next, number);
	}
}

static void read_spans(struct names *names, const struct merged_input *input)
{
	struct line_span span;

	for (size_t next = 0; merged_next(input, MERGED_line_spans, &next, &span);)
		if (span.first <= span.line && span.line <= span.last && span.last <= UINT_MAX)
			names_unite_lines(names, &span);
}

static void read_thread(struct process *process, const struct merged_threads *from)
{
	struct profile_thread *into = &process->thread_rows[process->thread_count];
	struct thread_time *time = &process->threads[process->thread_count++];

	*into = (struct profile_thread){THREAD_FIGURES(COPY) SUMS_OF_threads(SUM_COPY)};
	*time = (struct thread_time){
		.thread = into,
		/* files of older versions have neither */
		.role = *from->role ? from->role : NULL,
		.shown_name = *from->shown_name ? from->shown_name : from->name,
		.lifetime_ns = from->lifetime_ns,
		.states = from->states,
		.turns_ns = from->turns_ns,
		.yields = from->yields,
		.waiting = from->waiting,
	};
}

/* Rows of one process are adjacent; others are left out. */
static void read_threads(struct run *run, const struct merged_input *input)
{
	size_t count;
	const struct merged_threads *rows = merged_input_rows(input, MERGED_threads, &count);

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && rows[end].process == rows[i].process;)
			end++;
		uint64_t number = merged_number_of(input, MERGED_processes, rows[i].process);

		if (number == MERGED_NO_ROW || run->processes[number].threads)
			continue;
		struct process *process = &run->processes[number];
		struct merged_threads row;

		process->threads = memory_allocate(end - i, sizeof *process->threads);
		process->thread_rows = memory_allocate(end - i, sizeof *process->thread_rows);
		bool has_sums = process_has_carried(process);

		for (size_t next = i; next < end;)
			if (merged_next(input, MERGED_threads, &next, &row))
				read_thread(process, &row);
		idle_roles_compare(process->threads, process->thread_count);
		for (size_t t = 0; t < process->thread_count && !has_sums; t++)
			process_add_carried(process, &process->thread_rows[t]);
	}
}

/* The figures are computed from the levels again, whatever version wrote the file. */
static struct efficiency read_efficiency(const struct merged_input *input, bool is_useful,
					 uint64_t processors)
{
	struct efficiency_level *levels;
	struct merged_efficiency row, from = {.grade = GRADE_UNKNOWN};
	struct merged_concurrency level;
	size_t count, kept = 0;

	for (size_t next = 0; merged_next(input, MERGED_efficiency, &next, &row);)
		if (row.is_useful == is_useful)
			from = row;
	merged_input_rows(input, MERGED_concurrency, &count);
	levels = count ? memory_allocate(count, sizeof *levels) : NULL;
	for (size_t next = 0; merged_next(input, MERGED_concurrency, &next, &level);)
		if (level.is_useful == is_useful)
			levels[kept++] = (struct efficiency_level){level.active, level.time_ns};
	struct efficiency efficiency = efficiency_from_levels(levels, kept, from.total_ns,
							      (enum grade)from.grade, processors);

	efficiency.windows = from.windows;
	efficiency.unseen_ns = from.unseen_ns;
	return efficiency;
}

/* The file's focus is the run's if it used more CPU time; of equals, the earlier one. */
static void read_focus(struct run *run, const struct merged_input *input, uint64_t focus)
{
	if (focus == MERGED_NO_ROW)
		return;
	const struct process *process = &run->processes[focus];

	if (run->focus && (process->cpu_ns < run->focus->cpu_ns ||
			   (process->cpu_ns == run->focus->cpu_ns && process > run->focus)))
		return;
	run->focus = process;
	efficiency_clear(&run->on_processor);
	efficiency_clear(&run->useful);
	uint64_t processors = process->file->process.processors;
	size_t next = 0;

	run->on_processor = read_efficiency(input, false, processors);
	run->useful = read_efficiency(input, true, processors);
	if (!merged_next(input, MERGED_imbalance, &next, &run->imbalance))
		run->imbalance = (struct imbalance){.count = 0};
}

void run_read_merged(struct run *run, struct accumulators *accumulators,
		     const struct merged_file *file)
{
	struct merged_input *input = merged_input_create(file, names_texts(run->names));
	struct merged_run row;
	size_t next = 0;

	number_processes(run, input);
	number_routines(run->names, input);
	if (!merged_next(input, MERGED_run, &next, &row))
		row = (struct merged_run){.is_damaged = true,
					  .focus = merged_number_of(input, MERGED_processes, 0)};
	read_spans(run->names, input);
	run->files->is_damaged |= row.is_damaged;
	run->is_folded |= row.is_folded;
	read_threads(run, input);
	read_focus(run, input, row.focus);
	routine_accumulator_read(accumulators->routines, input);
	routine_accumulator_add_excess(accumulators->routines, row.excess_ns);
	synchronization_accumulator_read(accumulators->synchronization, input, row.wait_ns);
	call_accumulator_read(accumulators->calls, input);
	mpi_accumulator_read(accumulators->mpi, input, row.has_mpi);
	omp_accumulator_read(accumulators->omp, input);
	run_timeline_read(accumulators->timeline, input);
	pipe_ends_accumulator_read(accumulators->pipe_ends, input);
	requests_accumulator_read(accumulators->requests, input);
	sections_accumulator_read(accumulators->sections, input);
	counters_accumulator_read(accumulators->counters, input);
	if (accumulators->paths)
		path_accumulator_read(accumulators->paths, input);
	run_notes_accumulator_read(accumulators->notes, run->files, input);
	merged_input_destroy(input);
}

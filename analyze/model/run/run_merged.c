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

#define COPY_CAUSES(to, from) memcpy((to), (from), CAUSE_LIMIT * sizeof(uint64_t))

/* Of a process by itself, beside what is carried (schema_sums.h). */
#define PROCESS_FIGURES(X)                                                                         \
	X(cpu_ns)                                                                                  \
	X(executing_ns)                                                                            \
	X(sequential_ns)                                                                           \
	X(on_processor_ns)                                                                         \
	X(useful_ns)                                                                               \
	X(is_concurrency_known)                                                                    \
	X(own_cost_ns)                                                                             \
	X(beyond_cpu_ns)                                                                           \
	X(switches)                                                                                \
	X(memory_peak_bytes)                                                                       \
	X(thread_lives)                                                                            \
	X(has_work_elsewhere)

static void write_process(struct merged_writer *writer, const struct process *from)
{
	const struct profile_process *row = &from->file->process;
	const struct format_header *header = &from->file->header;
#define COPY(name) .name = from->name,
	struct merged_processes copy = {.pid = header->pid,
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
					.is_torn = from->file->is_torn,
					.rank = from->file->rank,
					.rank_count = from->file->rank_count,
					.life = from->life.state,
					.code = (uint64_t)from->life.code,
					.end_ns = from->life.end_ns,
					.is_complete = from->life.is_complete,
					.io_is_counted = from->io.is_known,
					.read_bytes = from->io.read_bytes,
					.written_bytes = from->io.written_bytes,
					.lifetime_ns = from->sum.lifetime_ns,
					.user_ns = from->sum.user_ns,
					.system_ns = from->sum.system_ns,
					.ready_ns = from->sum.ready_ns,
					.blocked_ns = from->sum.blocked_ns,
					.mpi_ns = from->sum.mpi_ns,
					.spinlock_ns = from->sum.spinlock_ns,
					.omp_ns = from->sum.omp_ns,
					.omp_open_ns = from->sum.omp_open_ns,
					.is_ready_known = from->sum.is_ready_known,
					.blocked_grade = from->sum.blocked_grade,
					PROCESS_FIGURES(COPY) SUMS_OF_threads(SUM_COPY)};
#undef COPY

	COPY_CAUSES(copy.by_cause_ns, from->sum.by_cause_ns);
	merged_writer_add(writer, MERGED_processes, &copy);
}

/* What a report shows of a thread's own row, beside what is carried (schema_sums.h). */
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

#define TIME_FIGURES(X)                                                                            \
	X(lifetime_ns)                                                                             \
	X(user_ns)                                                                                 \
	X(system_ns)                                                                               \
	X(ready_ns)                                                                                \
	X(blocked_ns)                                                                              \
	X(mpi_ns)                                                                                  \
	X(spinlock_ns)                                                                             \
	X(omp_ns)                                                                                  \
	X(omp_open_ns)                                                                             \
	X(is_ready_known)

static void write_thread(struct merged_writer *writer, const struct process *process,
			 const struct thread_time *time)
{
	const struct profile_thread *from = time->thread;
	struct merged_threads copy = {.process = process->index,
				      .turns_ns = time->turns_ns,
				      .yields = time->yields,
				      .blocked_grade = time->blocked_grade,
				      SUMS_OF_threads(SUM_COPY)};

#define COPY(name) copy.name = from->name;
	THREAD_FIGURES(COPY)
#undef COPY
#define COPY(name) copy.name = time->name;
	TIME_FIGURES(COPY)
#undef COPY
	COPY_CAUSES(copy.by_cause_ns, time->by_cause_ns);
	copy.role = time->role ? time->role : "";
	copy.shown_name = time->shown_name;
	merged_writer_add(writer, MERGED_threads, &copy);
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
	counters_accumulator_write(accumulators->counters, writer);
	if (accumulators->paths)
		path_accumulator_write(accumulators->paths, writer);
	run_notes_accumulator_write(accumulators->notes, run, writer);
	COPY_CAUSES(row.wait_ns,
		    synchronization_accumulator_write(accumulators->synchronization, writer));
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

#define COPY(figure) into->figure = from->figure;
	THREAD_FIGURES(COPY)
#undef COPY
	SUMS_OF_threads(SUM_ADD); /* the row is new: to 0 */
#define COPY(figure) time->figure = from->figure;
	TIME_FIGURES(COPY)
#undef COPY
	/* files of older versions have neither */
	time->role = *from->role ? from->role : NULL;
	time->shown_name = *from->shown_name ? from->shown_name : from->name;
	time->thread = into;
	time->turns_ns = from->turns_ns;
	time->yields = from->yields;
	time->blocked_grade = (enum grade)from->blocked_grade;
	COPY_CAUSES(time->by_cause_ns, from->by_cause_ns);
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
	counters_accumulator_read(accumulators->counters, input);
	if (accumulators->paths)
		path_accumulator_read(accumulators->paths, input);
	run_notes_accumulator_read(accumulators->notes, run->files, input);
	merged_input_destroy(input);
}

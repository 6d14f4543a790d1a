/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_accumulators.h"

#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/model/paths/blocked_waits.h"
#include "analyze/tables/merged.h"

/* A run with more threads keeps only their sums by process. */
#define THREAD_ROWS_MAX 4096

/* The process with the most CPU time so far, whose concurrency is shown. Takes ownership of T_i. */
static void set_focus(struct run *run, const struct process *process, const struct profile *profile,
		      const struct efficiency *on_processor, const struct efficiency *useful)
{
	run->focus = process;
	efficiency_clear(&run->on_processor);
	efficiency_clear(&run->useful);
	run->on_processor = *on_processor;
	run->useful = *useful;
	/* Useful time is time on a processor without waits: it cannot be known better than that. */
	if (run->useful.grade < run->on_processor.grade)
		run->useful.grade = run->on_processor.grade;
	run->imbalance = imbalance_of(run->names, profile, process);
}

static void add_blocked(void *data, const struct frame *frames, size_t count, uint64_t ns)
{
	routine_accumulator_add_blocked(data, frames, count, ns);
}

/* Adds everything that needs T_i of the process. */
static void add_concurrency(struct run *run, struct accumulators *accumulators,
			    struct process *process, const struct profile *profile)
{
	struct efficiency on_processor = efficiency_of(profile, CONCURRENCY_ON_PROCESSOR,
						       process->elapsed_ns, process->cpu_ns);
	struct efficiency useful =
		efficiency_of(profile, CONCURRENCY_USEFUL, process->elapsed_ns, process->cpu_ns);
	struct sample_shares shares = sample_shares_of(run->names, profile, &on_processor);

	process->is_concurrency_known = on_processor.level_count > 0;
	process->executing_ns = on_processor.executing_ns;
	process->sequential_ns = efficiency_level_ns(&on_processor, 1);
	process->on_processor_ns = efficiency_active_ns(&on_processor);
	process->useful_ns = efficiency_active_ns(&useful);
	routine_accumulator_add(accumulators->routines, profile, process, &shares);
	if (!blocked_waits_read(run->names, profile, process, add_blocked, accumulators->routines))
		routine_accumulator_lack_blocked(accumulators->routines);
	if (accumulators->paths)
		path_accumulator_add(accumulators->paths, profile, process, &shares);
	if (!run->focus || process->cpu_ns > run->focus->cpu_ns) {
		set_focus(run, process, profile, &on_processor, &useful);
	} else {
		efficiency_clear(&on_processor);
		efficiency_clear(&useful);
	}
	sample_shares_clear(&shares);
}

/* The profile that is being added, for what is counted at its call paths. */
struct counting {
	struct path_accumulator *paths;
	const struct profile *profile;
};

static void count_at_path(void *data, const char *event, const struct profile_event_sample *sample,
			  const struct counter_sum *sum)
{
	const struct counting *counting = data;

	path_accumulator_count(counting->paths, counting->profile, sample, event, sum);
}

static void add_counters(const struct run *run, struct accumulators *accumulators,
			 const struct process *process, const struct profile *profile)
{
	struct counting counting = {accumulators->paths, profile};
	const struct counters_listener listener = {count_at_path, &counting};

	counters_accumulator_add(accumulators->counters, profile, process, !run->is_folded,
				 accumulators->paths ? &listener : NULL);
}

/* Called once for each process; a process that is already folded has no rows. */
static void fold_threads(struct run *run, struct accumulators *accumulators,
			 struct process *process)
{
	accumulators->thread_rows += process->thread_count;
	if (!run->is_folded && accumulators->thread_rows > THREAD_ROWS_MAX &&
	    run->process_count > 1) {
		run->is_folded = true;
		for (size_t i = 0; i < run->process_count; i++)
			process_fold(&run->processes[i]);
	}
	if (run->is_folded)
		process_fold(process);
}

static void add_profile(struct run *run, struct accumulators *accumulators, size_t index)
{
	const struct profile *profile = run_files_profile(run->files, index);
	struct process *process = &run->processes[index];

	process_start(process, run->files, index);
	if (!profile)
		return;
	process_read(process, profile, run->names);
	run_notes_accumulator_add(accumulators->notes, profile, process);
	synchronization_accumulator_add(accumulators->synchronization, profile, process);
	add_concurrency(run, accumulators, process, profile);
	pipe_ends_accumulator_add(accumulators->pipe_ends, profile, process);
	requests_accumulator_add(accumulators->requests, profile, process);
	sections_accumulator_add(accumulators->sections, profile, process);
	stuck_accumulator_add(accumulators->stuck, profile, process);
	call_accumulator_add(accumulators->calls, profile);
	mpi_accumulator_add(accumulators->mpi, profile, process);
	omp_accumulator_add(accumulators->omp, profile, process);
	run_timeline_add(accumulators->timeline, profile, process);
	add_counters(run, accumulators, process, profile);
	fold_threads(run, accumulators, process);
	names_forget(run->names);
	run_files_release(run->files, index);
}

/* The rows of the threads come later (run_read_merged). */
static void add_merged(struct process *process, const struct run_files *files, size_t index)
{
	const struct merged_processes *row = files->processes[index].merged;

	*process = (struct process){
		*row,
		.index = index,
		.file = &files->processes[index],
		.rank = row->facts.rank_count ? row->facts.rank : MPI_NO_RANK,
		.ready_ns = row->states.ready_ns,
		.sum = {.lifetime_ns = row->lifetime_ns,
			.states = row->states,
			.waiting = row->waiting},
	};
	process->sum.blocked_grade = grade_of_number(row->waiting.blocked_grade);
	process->life = process_life_of(files, index);
	process->status = process_life_text(&process->life);
	process->elapsed_ns = process_elapsed(process);
}

static void add_all(struct run *run, struct accumulators *accumulators)
{
	const struct run_files *files = run->files;

	run->process_count = files->process_count;
	run->processes = memory_allocate(run->process_count, sizeof *run->processes);
	for (size_t i = 0; i < run->process_count; i++) {
		progress_step("reading profiles", i, run->process_count);
		if (files->processes[i].merged)
			add_merged(&run->processes[i], files, i);
		else
			add_profile(run, accumulators, i);
	}
	for (size_t i = 0; i < files->merged_count; i++)
		run_read_merged(run, accumulators, files->merged[i]);
	for (size_t i = 0; i < run->process_count; i++)
		if (files->processes[i].merged)
			fold_threads(run, accumulators, &run->processes[i]);
	if (!run->focus && run->process_count) /* no profile could be read a second time */
		run->focus = &run->processes[0];
}

struct run *run_read(struct run_files *files, struct symbolizer *symbolizer, unsigned wants,
		     struct accumulators *accumulators)
{
	struct run *run = memory_allocate(1, sizeof *run);

	run->files = files;
	run->names = names_create(symbolizer);
	run->on_processor = run->useful = efficiency_unknown();
	*accumulators = (struct accumulators){
		.synchronization = synchronization_accumulator_create(run->names),
		.routines = routine_accumulator_create(run->names, wants & RUN_BY_PROCESS),
		.calls = call_accumulator_create(run->names),
		.notes = run_notes_accumulator_create(run->names),
		.mpi = mpi_accumulator_create(run->names),
		.omp = omp_accumulator_create(run->names),
		.timeline = run_timeline_create(),
		.pipe_ends = pipe_ends_accumulator_create(),
		.requests = requests_accumulator_create(run->names),
		.sections = sections_accumulator_create(run->names),
		.stuck = stuck_accumulator_create(run->names),
		.counters = counters_accumulator_create(run->names),
		.paths = wants & RUN_PATHS ? path_accumulator_create(run->names) : NULL,
	};
	add_all(run, accumulators);
	run->is_complete = !files->is_damaged;
	for (size_t i = 0; i < run->process_count; i++)
		run->is_complete &=
			run->processes[i].life.is_complete || !process_life_is_needed(files, i);
	return run;
}

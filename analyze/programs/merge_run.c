/* SPDX-License-Identifier: MIT */
#include "analyze/programs/merge_run.h"

#include "analyze/model/run/run_accumulators.h"

/* The run takes ownership of what the accumulators have: run_destroy releases it with the rest. */
static void finish(struct run *run, struct accumulators *accumulators)
{
	run->synchronization = synchronization_accumulator_finish(accumulators->synchronization);
	run->routines = routine_accumulator_finish(accumulators->routines);
	run->calls = call_accumulator_finish(accumulators->calls);
	run->mpi = mpi_accumulator_end(accumulators->mpi);
	omp_accumulator_destroy(accumulators->omp);
	run->timeline = run_timeline_finish(accumulators->timeline);
	run->pipelines.ends = pipe_ends_accumulator_finish(accumulators->pipe_ends);
	run->requests = requests_accumulator_finish(accumulators->requests, run->processes,
						    run->process_count);
	run->sections = sections_accumulator_finish(accumulators->sections);
	stuck_accumulator_destroy(accumulators->stuck); /* of threads, which it does not keep */
	run->counters = counters_accumulator_finish(accumulators->counters, run->elapsed_ns);
	run->paths = path_accumulator_finish(accumulators->paths);
	run_notes_accumulator_finish(accumulators->notes, run);
}

struct run *merge_run_read(struct run_files *files, struct symbolizer *symbolizer,
			   struct merged_writer *writer)
{
	struct accumulators accumulators;
	struct run *run = run_read(files, symbolizer, RUN_PATHS, &accumulators);

	run_write_merged(run, &accumulators, writer);
	finish(run, &accumulators);
	return run;
}

void merge_run_destroy(struct run *run)
{
	text_list_clear(&run->module_notes);
	run_destroy(run);
}

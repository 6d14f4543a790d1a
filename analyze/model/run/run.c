/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run.h"

#include <stdlib.h>

bool run_is_job(const struct run *run)
{
	return run->mpi.useful.grade != GRADE_UNKNOWN;
}

/* A process with at least this share of the CPU time is the program, and others start it. */
#define FOCUS_SHARE 0.9

bool run_is_of_many(const struct run *run)
{
	return run->together.on_processor.grade != GRADE_UNKNOWN &&
	       (double)run->focus->cpu_ns < FOCUS_SHARE * (double)run->cpu_ns;
}

const struct efficiency *run_on_processor(const struct run *run)
{
	if (run_is_job(run))
		return &run->mpi.on_processor;
	return run_is_of_many(run) ? &run->together.on_processor : &run->on_processor;
}

const struct efficiency *run_useful(const struct run *run)
{
	if (run_is_job(run))
		return &run->mpi.useful;
	return run_is_of_many(run) ? &run->together.useful : &run->useful;
}

void run_destroy(struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++)
		process_clear(&run->processes[i]);
	free(run->processes);
	free(run->hosts);
	free(run->start);
	efficiency_clear(&run->on_processor);
	efficiency_clear(&run->useful);
	efficiency_clear(&run->together.on_processor);
	efficiency_clear(&run->together.useful);
	synchronization_clear(&run->synchronization);
	routine_times_clear(&run->routines);
	call_times_clear(&run->calls);
	mpi_clear(&run->mpi);
	omp_clear(&run->omp);
	run_timeline_clear(&run->timeline);
	pipelines_clear(&run->pipelines);
	requests_clear(&run->requests);
	sections_clear(&run->sections);
	stuck_clear(&run->stuck);
	counters_clear(&run->counters);
	path_tree_clear(&run->paths);
	text_list_clear(&run->notes);
	names_destroy(run->names);
	free(run);
}

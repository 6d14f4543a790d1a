/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run.h"

#include <stdlib.h>

bool run_is_job(const struct run *run)
{
	return run->mpi.useful.grade != GRADE_UNKNOWN;
}

const struct efficiency *run_on_processor(const struct run *run)
{
	return run_is_job(run) ? &run->mpi.on_processor : &run->on_processor;
}

const struct efficiency *run_useful(const struct run *run)
{
	return run_is_job(run) ? &run->mpi.useful : &run->useful;
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
	efficiency_clear(&run->together);
	synchronization_clear(&run->synchronization);
	routine_times_clear(&run->routines);
	call_times_clear(&run->calls);
	mpi_clear(&run->mpi);
	omp_clear(&run->omp);
	run_timeline_clear(&run->timeline);
	pipelines_clear(&run->pipelines);
	stuck_clear(&run->stuck);
	counters_clear(&run->counters);
	path_tree_clear(&run->paths);
	text_list_clear(&run->notes);
	names_destroy(run->names);
	free(run);
}

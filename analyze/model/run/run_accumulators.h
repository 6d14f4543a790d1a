/* SPDX-License-Identifier: MIT */
/* From the files of a run to its accumulators: reads every profile once, and every merged file
 * once. Shared by the report, which finishes the accumulators, and by ptrace-merge, which writes
 * them. */
#pragma once

#include "analyze/model/run/run.h"
#include "analyze/model/run/run_notes.h"

struct accumulators {
	struct synchronization_accumulator *synchronization;
	struct routine_accumulator *routines;
	struct call_accumulator *calls;
	struct run_notes_accumulator *notes;
	struct mpi_accumulator *mpi;
	struct omp_accumulator *omp;
	struct run_timeline_accumulator *timeline;
	struct pipe_ends_accumulator *pipe_ends;
	struct requests_accumulator *requests;
	struct sections_accumulator *sections;
	struct stuck_accumulator *stuck;
	struct counters_accumulator *counters;
	struct path_accumulator *paths; /* NULL without RUN_PATHS */
	size_t thread_rows;
};

/* The run with its names, processes and focus; a share without processes has no focus. */
struct run *run_read(struct run_files *files, struct symbolizer *symbolizer, unsigned wants,
		     struct accumulators *accumulators);

/* The same run again from a merged file (tables/merged.h). */
void run_read_merged(struct run *run, struct accumulators *accumulators,
		     const struct merged_file *file);
void run_write_merged(const struct run *run, const struct accumulators *accumulators,
		      struct merged_writer *writer);

/* SPDX-License-Identifier: MIT */
/* From the files of a run to its accounts: reads every profile once, and every merged file once.
 * Shared by the report, which finishes the accounts, and by ptrace-merge, which writes them. */
#pragma once

#include "analyze/model/run/run.h"
#include "analyze/model/run/run_notes.h"

struct accounts {
	struct synchronization_account *synchronization;
	struct routine_account *routines;
	struct run_notes_account *notes;
	struct mpi_account *mpi;
	struct omp_account *omp;
	struct run_timeline_account *timeline;
	struct path_account *paths; /* NULL without RUN_PATHS */
	size_t thread_rows;
};

/* The run with its names, processes and focus; a share without processes has no focus. */
struct run *run_read(struct run_files *files, struct symbolizer *symbolizer, unsigned wants,
		     struct accounts *accounts);

/* The same run again from a merged file (tables/merged.h). */
void run_read_merged(struct run *run, struct accounts *accounts, const struct merged_file *file);
void run_write_merged(const struct run *run, const struct accounts *accounts,
		      struct merged_writer *writer);

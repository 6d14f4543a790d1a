/* SPDX-License-Identifier: MIT */
/* A run on its way into the tables of a merged file.
 *
 * Only what is written is computed: the run has its processes, its sums in the writer, and its
 * notes, by which its completeness is judged; no report can be made of it. Context: reads profiles;
 * one thread. */
#pragma once

#include "analyze/model/run/run.h"
#include "analyze/tables/merged.h"

struct run *merge_run_read(struct run_files *files, struct symbolizer *symbolizer,
			   struct merged_writer *writer);
void merge_run_destroy(struct run *run);

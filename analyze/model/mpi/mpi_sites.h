/* SPDX-License-Identifier: MIT */
/* MPI calls of a job by name, and by the place in the program that made them, with their spread
 * over the ranks.
 *
 * A place is the innermost frame of the call path outside the MPI library and its Fortran, C++ and
 * Python bindings. The spread is over all ranks of the job: a rank that never made the call counts
 * as 0. The time and the count of a call under way, in a process that was killed or still runs, are
 * included. Accumulator: created empty, one process after the other added, then finished; nothing
 * of a profile is kept. Context: pure but for names. */
#pragma once

#include "analyze/model/common/histogram.h"
#include "analyze/model/common/names.h"
#include "analyze/tables/merged.h"

struct mpi_source;
struct mpi_sites;

/* Columns: merged.def. shortest_ns, longest_ns: of a single call that returned; max_rank:
 * MPI_NO_RANK: no rank spent time there. */
struct mpi_site {
	struct merged_mpi_sites;
	struct histogram lengths; /* of calls that returned; empty: not known */
	struct histogram sizes; /* of messages, less 1 byte (preload/file/schema.def); empty: there
				   were none, or not known */
	double deviation_ns;    /* of the ranks' times */
};

/* The most time first. `calls` are by name: routine and line mean nothing there. */
struct mpi_site_lists {
	struct mpi_site *calls, *sites;
	size_t call_count, site_count;
};

struct mpi_sites *mpi_sites_create(struct names *names);
void mpi_sites_add(struct mpi_sites *accumulator, const struct mpi_source *source);
/* The rows so far, by name and by place, in no order; their spreads are over the ranks that made
 * such calls. NULL behind the last. */
const struct mpi_site *mpi_sites_row(const struct mpi_sites *accumulator, size_t index);
/* Adds such a row, of ranks that were not added before. `call` is kept by the names. */
void mpi_sites_unite(struct mpi_sites *accumulator, const struct mpi_site *row);
/* Ends the accumulator. ranks: number of ranks of the job that left a profile. Cleared by the
 * caller. */
struct mpi_site_lists mpi_sites_finish(struct mpi_sites *accumulator, size_t ranks);
/* Without finishing. */
void mpi_sites_destroy(struct mpi_sites *accumulator);
void mpi_site_lists_clear(struct mpi_site_lists *lists);

/* The place that made a call: see above. */
struct frame mpi_find_place(struct names *names, const struct profile *profile, size_t callpath);

/* Deviation / mean over ranks; NAN without time. */
double mpi_site_variation(const struct mpi_site *site);
/* 1 - finish / flight; NAN where no request was seen to complete. */
double mpi_figures_overlap(const struct mpi_figures *figures);

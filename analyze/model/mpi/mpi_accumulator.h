/* SPDX-License-Identifier: MIT */
/* The MPI part of the model: the accumulator of everything that the sections on MPI show.
 *
 * Accumulator as in accumulator.h. A process counts as a rank once it has called MPI_Init. Context:
 * pure but for names. */
#pragma once

#include "analyze/model/common/accumulator.h"
#include "analyze/model/mpi/job_concurrency.h"
#include "analyze/model/mpi/mpi_between.h"
#include "analyze/model/mpi/mpi_clocks.h"
#include "analyze/model/mpi/mpi_collectives.h"
#include "analyze/model/mpi/mpi_efficiency.h"
#include "analyze/model/mpi/mpi_jobs.h"
#include "analyze/model/mpi/mpi_outliers.h"
#include "analyze/model/mpi/mpi_pairs.h"
#include "analyze/model/mpi/mpi_ranks.h"
#include "analyze/model/mpi/mpi_sites.h"

struct mpi_accumulator;

/* The most that were there at the same time, of all jobs; units: as in mpi_ranks.h. */
struct mpi_at_once {
	uint64_t units; /* on all hosts */
	/* of the host that has the most units for its processors; 0 processors: unknown */
	uint64_t host_ranks, host_units, host_processors;
};

struct mpi {
	bool is_used; /* a process made MPI calls, or was a rank */
	struct mpi_ranks ranks;
	double time_ns;               /* lifetimes of all threads that execute the program */
	double unranked_ns;           /* of processes that called MPI and never became ranks */
	struct mpi_outlier *outliers; /* one for each rank, those that differ most first */
	struct mpi_clocks clocks;
	struct mpi_efficiency efficiency; /* of all jobs */
	struct mpi_between between;       /* the same without start and end of MPI */
	struct mpi_jobs jobs;
	struct mpi_at_once at_once; /* run_ranks.h */
	/* over all ranks; the grade is unknown where they have no time lines */
	struct efficiency on_processor, useful;
	struct mpi_site_lists lists;
	struct mpi_pairs pairs;
	struct mpi_collectives collectives;
};

struct mpi_accumulator *mpi_accumulator_create(struct names *names);
void mpi_accumulator_add(struct mpi_accumulator *accumulator, const struct profile *profile,
			 const struct process *process);
/* processors: that the job may use; 0: unknown. */
struct mpi mpi_accumulator_finish(struct mpi_accumulator *accumulator, uint64_t processors);
/* Instead of mpi_accumulator_finish: the ranks and their jobs alone. */
struct mpi mpi_accumulator_end(struct mpi_accumulator *accumulator);
void mpi_clear(struct mpi *mpi);

/* SPDX-License-Identifier: MIT */
/* The scale p of a run: over how many threads or ranks the program was distributed.
 *
 *   MPI      units: threads that execute the program, of all ranks (mpi_efficiency.h)
 *   OpenMP   the largest team of an outermost region
 *   threads  the most that were alive at once for at least 1 % of the run. A thread that waits for
 *            others to end (join, or a parent for its children) for at least half of the time in
 *            which others live has handed its work on, and does not count
 *
 * Context: pure. */
#pragma once

#include "analyze/model/run/run.h"

enum scale_kind { SCALE_GIVEN, SCALE_MPI, SCALE_OPENMP, SCALE_THREADS };

struct scaling_scale {
	enum scale_kind kind;
	double p;
	double alone_ns; /* time with no second thread alive; NAN: only the sums of threads are
			    known */
};

struct scaling_scale scaling_scale_of(const struct run *run);
/* T(p): of an MPI job from the first rank's start to the last one's end, else of the run. */
double scaling_elapsed_ns(const struct run *run);
/* A thread of the program, not a helper of the MPI library or of the launcher of the job. */
bool scaling_is_program(const struct run *run, const struct process *process,
			const struct thread_time *thread);

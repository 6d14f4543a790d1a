/* SPDX-License-Identifier: MIT */
/* How many threads of all ranks of a job were active at once: T_i over the ranks, from the time
 * line of each.
 *
 * A bin of a time line says how much thread time of the rank it holds, not when. Each rank is
 * modelled as having k threads active throughout the bin and one more with probability f, where k +
 * f = time / length of the bin, independent of the other ranks: the number of active threads of the
 * job is then Poisson binomial. T_i is an estimate for this reason; sum(i T_i) is not, as it is the
 * sum of the ranks' times. Beyond JOB_EXACT_PARTS ranks with a partial bin the distribution is
 * replaced by the normal one with the same mean and variance, so that the work grows only linearly
 * with the ranks. (Barbour, Holst and Janson 1992: its error falls with the square root of the
 * variance.) If that makes more threads active than there are processors, the excess threads are
 * taken to have run at another time of the bin, when a processor was free: the mean stays the same.
 *
 * If a rank's useful time or CPU time is known better than by its time line (records that do not
 * cover its life), the time line is scaled to it. Bins of different lengths are brought to the
 * longest. Bounded: beyond JOB_BINS_MAX bins of all ranks together, the bins of all ranks are
 * merged in pairs. Accumulator; a zeroed struct is the empty accumulator. Context: pure. */
#pragma once

#include "analyze/model/concurrency/efficiency.h"
#include "analyze/model/mpi/mpi_clocks.h"
#include "analyze/model/mpi/mpi_ranks.h"

#define JOB_EXACT_PARTS 64
#define JOB_BINS_MAX    (1u << 22)

enum job_metric { JOB_USEFUL, JOB_ON_PROCESSOR, JOB_METRICS };

/* The time line of one rank: thread time, in ns, of bins first, first + 1, ... of 2^shift ns
 * each. */
struct job_line {
	size_t process;
	unsigned shift;
	uint64_t first;
	size_t count;
	float *bins[JOB_METRICS];
};

struct job_concurrency {
	struct job_line *lines;
	size_t count, capacity;
	size_t bin_count; /* of all lines together */
};

void job_concurrency_add(struct job_concurrency *job, const struct mpi_source *source,
			 const struct mpi_rank *rank);
/* The same from a merged file: a line whose numbers are valid is created with bins of 0, filled in,
 * and appended, which takes ownership. Lines are sorted by process, so that sums do not depend on
 * the order in which they were appended. */
bool job_line_is_valid(uint64_t shift, uint64_t first, uint64_t count);
struct job_line job_line_create(size_t process, unsigned shift, uint64_t first, size_t count);
void job_concurrency_append(struct job_concurrency *job, const struct job_line *line);
void job_concurrency_sort(struct job_concurrency *job);
/* units: the divisor of `efficiency`. processors: of all hosts together; no more threads than that
 * are ever active at once; 0: unknown. The grade is unknown if fewer than two ranks have a time
 * line. */
struct efficiency job_concurrency_of(const struct job_concurrency *job, enum job_metric metric,
				     const struct mpi_ranks *ranks, const struct mpi_clocks *clocks,
				     uint64_t units, uint64_t processors);
void job_concurrency_clear(struct job_concurrency *job);

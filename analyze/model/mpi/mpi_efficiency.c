/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_efficiency.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>

static double share_of(const struct mpi_rank *rank)
{
	return rank->useful_ns / (double)rank->units;
}

/* Ranks of one job: rows from `first` up to `end`. */
struct job_ranks {
	const struct mpi_ranks *ranks;
	const struct mpi_clocks *clocks;
	size_t first, end;
};

static double largest_mean(const struct job_ranks *job)
{
	size_t hosts = job->clocks->host_count;
	double *sums = memory_allocate(hosts, sizeof *sums), largest = 0;
	uint64_t *counts = memory_allocate(hosts, sizeof *counts);

	for (size_t i = job->first; i < job->end; i++) {
		sums[job->clocks->host_of[i]] += job->ranks->rows[i].useful_ns;
		counts[job->clocks->host_of[i]] += job->ranks->rows[i].units;
	}
	for (size_t i = 0; i < hosts; i++)
		if (counts[i])
			largest = fmax(largest, sums[i] / (double)counts[i]);
	free(sums);
	free(counts);
	return largest;
}

static void add_ranks(struct mpi_efficiency *efficiency, const struct job_ranks *job)
{
	double first = INFINITY, last = -INFINITY, useful = 0;

	for (size_t i = job->first; i < job->end; i++) {
		const struct mpi_rank *rank = &job->ranks->rows[i];
		double offset = mpi_clocks_offset(job->clocks, i), share = share_of(rank);

		first = fmin(first, (double)rank->start_ns + offset);
		last = fmax(last, (double)rank->end_ns + offset);
		useful += rank->useful_ns;
		efficiency->units += rank->units;
		efficiency->grade = grade_worse(efficiency->grade, rank->useful_grade);
		if (i == job->first || share > efficiency->max_useful_ns) {
			efficiency->max_useful_ns = share;
			efficiency->max_rank = rank->rank;
		}
		if (i == job->first || share < efficiency->min_useful_ns) {
			efficiency->min_useful_ns = share;
			efficiency->min_rank = rank->rank;
		}
	}
	efficiency->average_useful_ns = useful / (double)efficiency->units;
	efficiency->elapsed_ns = last - first;
	efficiency->average_active = useful / efficiency->elapsed_ns;
}

static struct mpi_efficiency nothing(void)
{
	return (struct mpi_efficiency){
		.parallel = NAN,
		.load_balance = NAN,
		.communication = NAN,
		.inner_load_balance = NAN,
		.outer_load_balance = NAN,
		.average_active = NAN,
		.max_rank = MPI_NO_RANK,
		.min_rank = MPI_NO_RANK,
	};
}

static void divide(struct mpi_efficiency *efficiency)
{
	if (efficiency->elapsed_ns > 0) {
		efficiency->parallel = efficiency->average_useful_ns / efficiency->elapsed_ns;
		efficiency->communication = efficiency->max_useful_ns / efficiency->elapsed_ns;
	}
	if (efficiency->max_useful_ns > 0)
		efficiency->load_balance =
			efficiency->average_useful_ns / efficiency->max_useful_ns;
}

static bool has_hosts(const struct job_ranks *job)
{
	for (size_t i = job->first + 1; i < job->end; i++)
		if (job->clocks->host_of[i] != job->clocks->host_of[job->first])
			return true;
	return false;
}

struct mpi_efficiency mpi_efficiency_of_job(const struct mpi_ranks *ranks,
					    const struct mpi_clocks *clocks, size_t first,
					    size_t count)
{
	struct job_ranks job = {ranks, clocks, first, first + count};
	struct mpi_efficiency efficiency = nothing();

	if (!count)
		return efficiency;
	add_ranks(&efficiency, &job);
	divide(&efficiency);
	if (efficiency.max_useful_ns > 0 && has_hosts(&job)) {
		double largest = largest_mean(&job);

		efficiency.inner_load_balance = largest / efficiency.max_useful_ns;
		efficiency.outer_load_balance = efficiency.average_useful_ns / largest;
	}
	return efficiency;
}

/* While jobs are added the times are sums over units. */
static void add_job(struct mpi_efficiency *sum, const struct mpi_efficiency *job)
{
	double units = (double)job->units;

	sum->units += job->units;
	sum->elapsed_ns += job->elapsed_ns * units;
	sum->average_useful_ns += job->average_useful_ns * units;
	sum->max_useful_ns += job->max_useful_ns * units;
	sum->min_useful_ns += job->min_useful_ns * units;
	sum->grade = grade_worse(sum->grade, job->grade);
	if (sum->max_rank == MPI_NO_RANK)
		sum->max_rank = job->max_rank;
	if (sum->min_rank == MPI_NO_RANK)
		sum->min_rank = job->min_rank;
}

struct mpi_efficiency mpi_efficiency_of(const struct mpi_ranks *ranks,
					const struct mpi_clocks *clocks)
{
	struct mpi_efficiency all = mpi_efficiency_of_job(ranks, clocks, 0, ranks->count);
	struct mpi_efficiency sum = nothing();

	for (size_t first = 0, end; first < ranks->count; first = end) {
		for (end = first; end < ranks->count; end++)
			if (ranks->rows[end].job != ranks->rows[first].job)
				break;
		if (end - first == ranks->count)
			return all;
		struct mpi_efficiency job =
			mpi_efficiency_of_job(ranks, clocks, first, end - first);
		add_job(&sum, &job);
	}
	if (!sum.units)
		return sum;
	sum.elapsed_ns /= (double)sum.units;
	sum.average_useful_ns /= (double)sum.units;
	sum.max_useful_ns /= (double)sum.units;
	sum.min_useful_ns /= (double)sum.units;
	sum.average_active = all.average_active;
	divide(&sum);
	return sum;
}

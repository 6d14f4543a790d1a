/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi_efficiency.h"

#include "analyze/memory.h"

#include <math.h>
#include <stdlib.h>

static double share_of(const struct mpi_rank *rank)
{
	return rank->useful_ns / (double)rank->units;
}

static double largest_mean(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks)
{
	double *sums = memory_allocate(clocks->host_count, sizeof *sums), largest = 0;
	uint64_t *counts = memory_allocate(clocks->host_count, sizeof *counts);

	for (size_t i = 0; i < ranks->count; i++) {
		sums[clocks->host_of[i]] += ranks->rows[i].useful_ns;
		counts[clocks->host_of[i]] += ranks->rows[i].units;
	}
	for (size_t i = 0; i < clocks->host_count; i++)
		if (counts[i])
			largest = fmax(largest, sums[i] / (double)counts[i]);
	free(sums);
	free(counts);
	return largest;
}

static void add_ranks(struct mpi_efficiency *efficiency, const struct mpi_ranks *ranks,
		      const struct mpi_clocks *clocks)
{
	double first = INFINITY, last = -INFINITY, useful = 0;

	for (size_t i = 0; i < ranks->count; i++) {
		const struct mpi_rank *rank = &ranks->rows[i];
		double offset = mpi_clocks_offset(clocks, i), share = share_of(rank);

		first = fmin(first, (double)rank->start_ns + offset);
		last = fmax(last, (double)rank->end_ns + offset);
		useful += rank->useful_ns;
		efficiency->units += rank->units;
		efficiency->grade = grade_worse(efficiency->grade, rank->useful_grade);
		if (!i || share > efficiency->max_useful_ns) {
			efficiency->max_useful_ns = share;
			efficiency->max_rank = rank->rank;
		}
	}
	efficiency->average_useful_ns = useful / (double)efficiency->units;
	efficiency->elapsed_ns = last - first;
	efficiency->average_active = useful / efficiency->elapsed_ns;
}

struct mpi_efficiency mpi_efficiency_of(const struct mpi_ranks *ranks,
					const struct mpi_clocks *clocks)
{
	struct mpi_efficiency efficiency = {
		.parallel = NAN,
		.load_balance = NAN,
		.communication = NAN,
		.inner_load_balance = NAN,
		.outer_load_balance = NAN,
		.average_active = NAN,
		.max_rank = MPI_NO_RANK,
	};

	if (!ranks->count)
		return efficiency;
	add_ranks(&efficiency, ranks, clocks);
	if (efficiency.elapsed_ns > 0) {
		efficiency.parallel = efficiency.average_useful_ns / efficiency.elapsed_ns;
		efficiency.communication = efficiency.max_useful_ns / efficiency.elapsed_ns;
	}
	if (efficiency.max_useful_ns <= 0)
		return efficiency;
	efficiency.load_balance = efficiency.average_useful_ns / efficiency.max_useful_ns;
	if (clocks->host_count > 1) {
		double largest = largest_mean(ranks, clocks);

		efficiency.inner_load_balance = largest / efficiency.max_useful_ns;
		efficiency.outer_load_balance = efficiency.average_useful_ns / largest;
	}
	return efficiency;
}

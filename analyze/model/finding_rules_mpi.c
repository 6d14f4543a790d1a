/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules_mpi.h"

#include "analyze/memory.h"
#include "analyze/model/run.h"

#include <math.h>
#include <stdlib.h>

static double rank_time(const struct mpi *mpi)
{
	return mpi->efficiency.elapsed_ns * (double)mpi->efficiency.units;
}

/* What would be won if all ranks were as long useful as the average. */
double judge_ranks(const struct run *run, struct finding *finding)
{
	const struct mpi_efficiency *efficiency = &run->mpi.efficiency;

	if (run->mpi.ranks.count < 2 || !isfinite(efficiency->load_balance))
		return NAN;
	finding->evidence = memory_print(
		"rank %llu was useful for %.3g s, the ranks on average for %.3g s: load balance "
		"%.0f %%",
		(unsigned long long)efficiency->max_rank, efficiency->max_useful_ns / 1e9,
		efficiency->average_useful_ns / 1e9, 100 * efficiency->load_balance);
	return 100 * (efficiency->max_useful_ns - efficiency->average_useful_ns) /
	       efficiency->elapsed_ns;
}

/* Rows come with the most lost time first. */
double judge_collectives(const struct run *run, struct finding *finding)
{
	const struct mpi_collective *worst = run->mpi.collectives.rows;
	double lost_ns = 0;

	for (size_t i = 0; i < run->mpi.collectives.count; i++)
		lost_ns += run->mpi.collectives.rows[i].lost_ns;
	if (!run->mpi.collectives.count || !worst->late_count || lost_ns <= 0)
		return NAN;
	const struct mpi_late *late = worst->late;
	char *place = names_place_text(run->names, late->routine, late->line);

	finding->evidence = memory_print(
		"%.3g s of waiting for the last rank, most in %s: rank %llu was last for %.0f %% "
		"of it, at %s",
		lost_ns / 1e9, worst->call, (unsigned long long)late->rank,
		100 * late->lost_ns / worst->lost_ns, place);
	free(place);
	return 100 * lost_ns / rank_time(&run->mpi);
}

/* Start and end of MPI are nothing that a program could do better. */
double judge_mpi_site(const struct run *run, struct finding *finding)
{
	const struct mpi_site *worst = NULL;

	for (size_t i = 0; i < run->mpi.lists.site_count && !worst; i++)
		if (run->mpi.lists.sites[i].class != MPI_CLASS_LIFE)
			worst = &run->mpi.lists.sites[i];
	if (!worst || !worst->spread.ranks)
		return NAN;
	char *place = names_place_text(run->names, worst->routine, worst->line);

	finding->evidence = memory_print(
		"%.3g s in %s called at %s, the most (%.3g s) on rank %llu",
		(double)worst->figures.sum_ns / 1e9, worst->call, place, worst->spread.max_ns / 1e9,
		(unsigned long long)worst->spread.max_rank);
	free(place);
	return 100 * (double)worst->figures.sum_ns / rank_time(&run->mpi);
}

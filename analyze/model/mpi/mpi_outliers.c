/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_outliers.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define DEVIATIONS_MIN 2
#define SHARE_MIN      0.05

static double elapsed(const struct mpi_rank *rank)
{
	return (double)(rank->end_ns - rank->start_ns);
}

static double useful(const struct mpi_rank *rank)
{
	return rank->useful_ns / (double)rank->units;
}

static double in_mpi(const struct mpi_rank *rank)
{
	return (double)rank->mpi_ns;
}

static double in_waits(const struct mpi_rank *rank)
{
	return (double)rank->wait_ns;
}

static double ready(const struct mpi_rank *rank)
{
	return (double)rank->ready_ns;
}

/* Ordered by how well they explain a rank: one with more work waits less in MPI. */
static const struct {
	double (*of)(const struct mpi_rank *rank);
	const char *more, *less;
} times[] = {
	{useful, "more useful time", "less useful time"},
	{in_waits, "more other waits", "fewer other waits"},
	{ready, "more ready time", "less ready time"},
	{in_mpi, "more time in MPI", "less time in MPI"},
	{elapsed, "longer elapsed time", "shorter elapsed time"},
};

static double mean_of(const struct mpi_ranks *ranks, double (*of)(const struct mpi_rank *))
{
	double sum = 0;

	for (size_t i = 0; i < ranks->count; i++)
		sum += of(&ranks->rows[i]);
	return sum / (double)ranks->count;
}

static double deviation_of(const struct mpi_ranks *ranks, double (*of)(const struct mpi_rank *),
			   double mean)
{
	double squares = 0;

	for (size_t i = 0; i < ranks->count; i++)
		squares += pow(of(&ranks->rows[i]) - mean, 2);
	return sqrt(squares / (double)ranks->count);
}

/* The first of the times in which it is an outlier is the reason. */
static void judge(struct mpi_outlier *outliers, const struct mpi_ranks *ranks, size_t time,
		  double mean_elapsed)
{
	double mean = mean_of(ranks, times[time].of);
	double deviation = deviation_of(ranks, times[time].of, mean);

	for (size_t i = 0; i < ranks->count && deviation > 0; i++) {
		double more = times[time].of(&ranks->rows[i]) - mean;
		double distance = fabs(more) / deviation;

		outliers[i].distance = fmax(outliers[i].distance, distance);
		if (!outliers[i].why && distance > DEVIATIONS_MIN &&
		    fabs(more) > SHARE_MIN * mean_elapsed)
			outliers[i].why = more > 0 ? times[time].more : times[time].less;
	}
}

static int compare_outliers(const void *left, const void *right)
{
	const struct mpi_outlier *a = left, *b = right;

	if (!a->why != !b->why)
		return a->why ? -1 : 1;
	/* differences within rounding are no order */
	if (fabs(a->distance - b->distance) > 1e-9)
		return a->distance > b->distance ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

struct mpi_outlier *mpi_outliers_of(const struct mpi_ranks *ranks)
{
	struct mpi_outlier *outliers = memory_allocate(ranks->count, sizeof *outliers);
	double mean_elapsed = mean_of(ranks, elapsed);

	for (size_t i = 0; i < ranks->count; i++)
		outliers[i].index = i;
	for (size_t time = 0; time < sizeof times / sizeof *times; time++)
		judge(outliers, ranks, time, mean_elapsed);
	if (ranks->count)
		qsort(outliers, ranks->count, sizeof *outliers, compare_outliers);
	return outliers;
}

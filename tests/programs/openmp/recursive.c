/* SPDX-License-Identifier: MIT */
/* A region whose body executes the same region again, 20 levels deep: a team of two at the first
 * two levels, of one below. Known: how often the region is executed in all, and that it ends. A
 * profiler that gives each level a region of its own has to stop somewhere. */
#include "omp_truth.h"

enum { LEVELS = 20, ACTIVE = 2, EXECUTIONS = 3 };
static const double part = 0.002;
static int bodies;

static NOINLINE void deeper(int level)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(2)
	{
		increment(&bodies);
		if (level + 1 < LEVELS)
			deeper(level + 1);
		else
			burn(part);
	}
	region_end(&run);
	KEEP;
}

/* The same region from two others: it has two parents. */
static NOINLINE void first_parent(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(1)
	deeper(LEVELS - 1);
	region_end(&run);
	KEEP;
}

static NOINLINE void second_parent(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(1)
	for (int i = 0; i < 2; i++)
		deeper(LEVELS - 1);
	region_end(&run);
	KEEP;
}

int main(void)
{
	omp_set_dynamic(0);
	omp_set_max_active_levels(ACTIVE);
	/* 1 region at the first level, 2 at the second, 4 from there on */
	int regions = 1 + 2 + 4 * (LEVELS - 2);
	for (int i = 0; i < EXECUTIONS; i++)
		deeper(0);
	check(bodies == EXECUTIONS * (2 + 4 + 4 * (LEVELS - 2)), "bodies of all levels");
	check(region_truths[0].executions == (long long)EXECUTIONS * regions, "executions");
	truth("recursive", (double)EXECUTIONS * regions);
	omp_set_max_active_levels(1);
	first_parent();
	second_parent();
	counted("parallel", (long long)EXECUTIONS * regions + 2 + 3);
	truth("levels", LEVELS);
	return end();
}

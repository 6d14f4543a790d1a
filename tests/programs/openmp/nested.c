/* SPDX-License-Identifier: MIT */
/* Two threads that each open regions of two threads: four at work. Known: the outer region is
 * executed twice, the inner one three times by each thread of each outer one, and what every leaf
 * burns. The threads of the inner region are told by their number in their own team. */
#include "omp_truth.h"

enum { OUTER = 2, INNER = 2, EXECUTIONS = 2, INNER_EXECUTIONS = 3 };
static const double leaf = 0.005;
static int leaves;

static NOINLINE void inner(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(INNER)
	{
		struct stretch mine = stretch_begin();
		burn(leaf * (1 + omp_get_thread_num()));
		increment(&leaves);
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

static NOINLINE void outer(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(OUTER)
	{
		struct stretch mine = stretch_begin();
		for (int i = 0; i < INNER_EXECUTIONS; i++)
			inner();
		stretch_end(&run, &mine); /* with the waits of inner regions */
	}
	region_end(&run);
	KEEP;
}

/* One level more than is active: a team of one. */
static NOINLINE void too_deep(void)
{
	int team = 0;
	omp_set_max_active_levels(1);
	struct region_run run = REGION();
#pragma omp parallel num_threads(OUTER)
	{
#pragma omp parallel num_threads(INNER)
		{
#pragma omp atomic
			team += omp_get_num_threads();
		}
	}
	region_end(&run);
	check(team == OUTER, "teams of one below the last active level");
	KEEP;
}

int main(void)
{
	omp_set_max_active_levels(2);
	for (int i = 0; i < EXECUTIONS; i++)
		outer();
	too_deep();
	check(leaves == EXECUTIONS * OUTER * INNER_EXECUTIONS * INNER, "the number of leaves");
	check(region_truths[1].executions == EXECUTIONS * OUTER * INNER_EXECUTIONS,
	      "inner regions");
	counted("parallel", EXECUTIONS + EXECUTIONS * OUTER * INNER_EXECUTIONS + 1 + OUTER);
	truth("leaf", leaf);
	truth("inner_imbalance_percent", 25);
	truth("work", 1.5 * leaf * leaves);
	return end();
}

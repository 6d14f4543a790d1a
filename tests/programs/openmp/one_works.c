/* SPDX-License-Identifier: MIT */
/* Regions in which the first thread of the team has all of the work. Known: its work, and that of
 * nobody else. */
#include "omp_truth.h"

enum { EXECUTIONS = 5 };

static NOINLINE void one_works(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		struct stretch mine = stretch_begin();
		if (!omp_get_thread_num())
			burn(0.04);
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)
		one_works();
	check(region_truths[0].executions == EXECUTIONS, "executions");
	return end();
}

/* SPDX-License-Identifier: MIT */
/* Regions whose members have given shares of CPU time: shares EXECUTIONS MILLISECONDS..., one for
 * each member. Known: the CPU time of each, whatever other programs do to the processors. */
#include "omp_truth.h"

static double shares[THREADS_MOST];

static NOINLINE void share_out(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		struct stretch mine = stretch_begin();
		burn(shares[omp_get_thread_num()]);
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

int main(int argc, char **argv)
{
	int team = argc - 2;

	if (team < 1 || team > THREADS_MOST)
		return 2;
	for (int i = 0; i < team; i++)
		shares[i] = atof(argv[i + 2]) / 1000;
	omp_set_num_threads(team);
	for (int i = 0; i < atoi(argv[1]); i++)
		share_out();
	check(region_truths[0].executions == atoi(argv[1]), "executions");
	return end();
}

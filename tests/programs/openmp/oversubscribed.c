/* SPDX-License-Identifier: MIT */
/* Eight threads, on a machine that may have fewer processors. Known: the CPU time of each thread,
 * the same for all. What they wait at barriers, and whether they spin or sleep, is the scheduler's
 * doing: a profiler must not take the time in which a thread is ready, but not running, for work.
 */
#include "omp_truth.h"

enum { TEAM = 8, EXECUTIONS = 3, BARRIERS = 2 };
static const double part = 0.005;

static NOINLINE void crowd(void)
{
	int team = 0;
	struct region_run run = REGION();
#pragma omp parallel num_threads(TEAM) reduction(max : team)
	{
		team = omp_get_num_threads();
		for (int i = 0; i < BARRIERS; i++) {
			struct stretch mine = stretch_begin();
			burn(part);
			stretch_end(&run, &mine);
#pragma omp barrier
		}
	}
	region_end(&run);
	check(team == TEAM, "the size of the team");
	KEEP;
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < EXECUTIONS; i++)
		crowd();
	for (int i = 0; i < TEAM; i++)
		check(region_truths[0].threads[i].stretches == EXECUTIONS * BARRIERS, "stretches");
	counted("barrier", TEAM * EXECUTIONS * BARRIERS);
	truth("work_per_thread", part * EXECUTIONS * BARRIERS);
	return end();
}

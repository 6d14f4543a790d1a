/* SPDX-License-Identifier: MIT */
/* Leagues of teams on the host, after an ordinary region: regions in a league's teams are met in
 * none. Known: how often each is met (the runtime says how many teams there are), the teams' sizes,
 * and that threads have nothing to do while the program naps between leagues. */
#include "omp_truth.h"

enum { TIMES = 10, ITERATIONS = 12 };

static int met, done;

static NOINLINE void first(void)
{
	for (int i = 0; i < TIMES; i++) {
		struct region_run run = REGION();
#pragma omp parallel num_threads(2)
		{
			struct stretch mine = stretch_begin();
			burn(100e-6);
			stretch_end(&run, &mine);
		}
		region_end(&run);
	}
	KEEP;
}

/* The region is not the last call of the league's body. */
static NOINLINE void inside(void)
{
	for (int i = 0; i < TIMES; i++) {
#pragma omp teams num_teams(2) thread_limit(2)
		{
#pragma omp parallel num_threads(1)
			{
				burn(100e-6);
				increment(&met);
			}
			burn(50e-6);
		}
		nap_raw(0.005);
	}
	counted("inside", met);
	met = 0;
	KEEP;
}

static NOINLINE void several(void)
{
	for (int i = 0; i < TIMES; i++) {
#pragma omp teams num_teams(2) thread_limit(2)
		{
			for (int k = 0; k < 3; k++) {
#pragma omp parallel num_threads(2)
#pragma omp master
				increment(&met);
			}
			burn(50e-6);
		}
	}
	counted("several", met);
	met = 0;
	KEEP;
}

static NOINLINE void distributed(void)
{
	int teams = 0;

	for (int i = 0; i < TIMES; i++) {
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2)
		for (int k = 0; k < ITERATIONS; k++) {
			if (!k)
				teams = omp_get_num_teams();
			increment(&done);
		}
	}
	check(done == TIMES * ITERATIONS, "iterations");
	counted("distributed", TIMES * teams);
	KEEP;
}

static NOINLINE void of_one(void)
{
	for (int i = 0; i < TIMES; i++) {
#pragma omp teams num_teams(1) thread_limit(2)
		{
#pragma omp parallel num_threads(2)
			{
				burn(20e-6);
#pragma omp for
				for (int k = 0; k < 4; k++)
					increment(&met);
			}
			burn(20e-6);
		}
	}
	counted("of_one", met / 4);
	met = 0;
	KEEP;
}

/* Without a region in it. */
static NOINLINE void alone(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
	burn(1e-3);
	KEEP;
}

int main(void)
{
	first();
	inside();
	several();
	distributed();
	of_one();
	alone();
	nap_raw(0.1);
	first();
	counted("parallel", 2 * TIMES);
	return end();
}

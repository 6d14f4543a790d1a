/* SPDX-License-Identifier: MIT */
/* A static loop whose iteration i costs i units of CPU time. Known: which iterations each thread
 * gets, thus the exact share of each, and what the region loses at its closing barrier. The loop
 * itself calls no runtime in programs of gcc: only the region and its end can be seen. */
#include "omp_truth.h"

enum { ITERATIONS = 120, EXECUTIONS = 6 };
static const double unit = 10e-6;
static long long iterations[THREADS_MOST];

static NOINLINE void ramp(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		struct stretch mine = stretch_begin();
#pragma omp for schedule(static) nowait
		for (int i = 1; i <= ITERATIONS; i++) {
			burn(i * unit);
			iterations[omp_get_thread_num()]++;
		}
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

/* The first ITERATIONS % team threads get one iteration more. */
static int iterations_of(int thread, int team)
{
	return ITERATIONS / team + (thread < ITERATIONS % team);
}

/* Units of the block of that length that begins after iteration `done`. */
static double units(int done, int length)
{
	return (double)length * done + 0.5 * length * (length + 1);
}

int main(void)
{
	int team = omp_get_max_threads(), done = 0;
	double most = 0;

	for (int i = 0; i < EXECUTIONS; i++)
		ramp();
	for (int i = 0; i < team; i++) {
		int length = iterations_of(i, team);
		double share = units(done, length);
		char name[32];
		snprintf(name, sizeof name, "work_%d", i);
		truth(name, share * unit * EXECUTIONS);
		check(iterations[i] == (long long)length * EXECUTIONS, "a thread's iterations");
		check(region_truths[0].threads[i].cpu >= share * unit * EXECUTIONS, "its work");
		most = share > most ? share : most;
		done += length;
	}
	truth("iterations", ITERATIONS);
	truth("imbalance_percent", 100 * (1 - units(0, ITERATIONS) / (team * most)));
	counted("for", (long long)EXECUTIONS * team);
	return end();
}

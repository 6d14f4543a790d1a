/* SPDX-License-Identifier: MIT */
/* A routine that runs alone between phases in which two threads work. Truth: the CPU time of each
 * routine. */
#include "truth.h"

static pthread_barrier_t phase;
static double parallel[2], parallel_wall, alone_cpu;

static NOINLINE void parallel_work(double *used)
{
	double before = cpu();
	SPIN(0.15);
	*used += cpu() - before;
}

static NOINLINE void alone_work(void)
{
	double before = cpu();
	BURN(0.5);
	alone_cpu += cpu() - before;
}

static void *helper(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_barrier_wait(&phase);
		parallel_work(&parallel[1]);
		pthread_barrier_wait(&phase);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&phase, NULL, 2);
	pthread_create(&thread, NULL, helper, NULL);
	for (int i = 0; i < 2; i++) {
		alone_work();
		double begin = now();
		pthread_barrier_wait(&phase);
		parallel_work(&parallel[0]);
		pthread_barrier_wait(&phase);
		parallel_wall += now() - begin;
	}
	pthread_join(thread, NULL);
	truth("alone", alone_cpu);
	truth("parallel", parallel[0] + parallel[1]);
	truth("parallel_wall", parallel_wall);
	truth_end();
	return 0;
}

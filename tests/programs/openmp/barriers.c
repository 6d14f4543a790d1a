/* SPDX-License-Identifier: MIT */
/* Three regions of one team, each with something else at its closing barrier: tasks that compute,
 * short waits in which a runtime spins, and a wait for a member that sleeps. Known: how long the
 * thread that starts them was in each; the member sleeps in no wrapped call. */
#include "omp_truth.h"

enum { TASKS = 8, ROUNDS = 200 };

static NOINLINE void compute_in_barrier(void)
{
	double begin = now();
#pragma omp parallel
	{
#pragma omp single nowait
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			burn(0.05);
		}
	}
	truth("compute_in_barrier", now() - begin);
	KEEP;
}

static NOINLINE void spin_in_barrier(void)
{
	double begin = now();
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel
		burn(omp_get_thread_num() ? 0.001 : 0.0001);
	}
	truth("spin_in_barrier", now() - begin);
	KEEP;
}

static NOINLINE void wait_in_barrier(void)
{
	double begin = now();
#pragma omp parallel
	if (omp_get_thread_num())
		nap_raw(0.6);
	truth("wait_in_barrier", now() - begin);
	KEEP;
}

int main(void)
{
	compute_in_barrier();
	spin_in_barrier();
	wait_in_barrier();
	return end();
}

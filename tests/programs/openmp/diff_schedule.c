/* SPDX-License-Identifier: MIT */
/* A loop whose iterations take longer and longer, in the schedule that OMP_SCHEDULE says: static
 * gives the second half, three quarters of the time, to one thread of two. The time is slept. */
#include "omp_truth.h"

enum { ITERATIONS = 64, EXECUTIONS = 3 };

static NOINLINE void triangle(void)
{
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < ITERATIONS; i++)
		nap_raw(100e-6 * i);
	KEEP;
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)
		triangle();
	return end();
}

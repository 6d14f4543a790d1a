/* SPDX-License-Identifier: MIT */
/* Two threads that use the same CPU time in the same routine. Truth: the CPU time of each. */
#include "truth.h"

static double used[2];

static NOINLINE void equal_work(double *mine)
{
	double before = cpu();
	BURN(0.4);
	*mine = cpu() - before;
}

static void *run(void *mine)
{
	equal_work(mine);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, &used[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	truth("first", used[0]);
	truth("second", used[1]);
	truth_end();
	return 0;
}

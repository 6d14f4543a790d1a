/* SPDX-License-Identifier: MIT */
/* One routine for nearly all of the CPU time: first alone, then by two threads at once for as long.
 * Truth: its CPU time. Undisturbed it has an average concurrency of 3 / 2: three times the CPU time
 * of the first part in twice its elapsed time. */
#include "truth.h"

static pthread_barrier_t together;
static double used[2];

static NOINLINE void shared_work(double *sum)
{
	double before = cpu();
	BURN(0.3);
	*sum += cpu() - before;
}

static void *helper(void *unused)
{
	pthread_barrier_wait(&together);
	shared_work(&used[1]);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&together, NULL, 2);
	pthread_create(&thread, NULL, helper, NULL);
	shared_work(&used[0]);
	pthread_barrier_wait(&together);
	shared_work(&used[0]);
	pthread_join(thread, NULL);
	truth("shared", used[0] + used[1]);
	truth_end();
	return 0;
}

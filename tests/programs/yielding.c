/* SPDX-License-Identifier: MIT */
/* Four threads yield the processor inside and outside of one mutex: as many context switches as a
 * program can have. Truth: how often the mutex was locked and the processor yielded. */
#include "truth.h"
#include <sched.h>

enum { THREADS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds[THREADS];

static void *yield_around(void *number)
{
	long *mine = &rounds[(long)number];
	for (double end = now() + 0.8; now() < end; ++*mine) {
		pthread_mutex_lock(&lock);
		sched_yield();
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	long sum = 0;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, yield_around, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += rounds[i];
	}
	truth("MUTEX_LOCK", (double)sum);
	truth("UNLOCKS", (double)sum);
	truth("YIELD", 2.0 * (double)sum);
	truth_end();
	return 0;
}

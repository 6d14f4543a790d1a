/* SPDX-License-Identifier: MIT */
/* The other object of tail_calls.c. */
#include <pthread.h>

void outside_hog(pthread_mutex_t *mutex, volatile long *sum);
void outside_step(void (*then)(void));

static volatile long steps;

/* Long enough to be sampled: only objects with samples are known. */
void outside_hog(pthread_mutex_t *mutex, volatile long *sum)
{
	pthread_mutex_lock(mutex);
	for (int i = 0; i < 6000000; i++)
		(*sum)++;
	pthread_mutex_unlock(mutex); /* 19 */
}

void outside_step(void (*then)(void))
{
	steps++;
	then();
}

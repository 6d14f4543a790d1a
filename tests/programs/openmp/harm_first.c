/* SPDX-License-Identifier: MIT */
/* harm_first: plain threads enter a critical section, one after the other and then some at once; the
 * one that used the runtime first has ended by then. The first thread of the process never does. */
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 20000, THREADS = 4 };
static long count;

static void *enter(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
		count++;
	}
	return unused;
}

int main(void)
{
	pthread_t t[THREADS];
	for (int i = 0; i < 2; i++) {
		pthread_create(&t[0], NULL, enter, NULL);
		pthread_join(t[0], NULL);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, enter, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", count);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Threads that count under a C11 lock, which one library or another provides. */
#include "truth.h"

#include <threads.h>

enum { THREADS = 4, ROUNDS = 1000 };

static mtx_t mutex; /* all zero: what every library takes for a free one */
static int count;

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		mtx_lock(&mutex);
		count++;
		mtx_unlock(&mutex);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", count);
	fflush(stdout);
	return 0;
}

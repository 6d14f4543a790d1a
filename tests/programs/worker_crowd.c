/* SPDX-License-Identifier: MIT */
/* A process that gives up root, and then starts more threads, each with locks of its own, than the
 * room that was kept for its profile is enough for. Truth: how many locks. */
#include "truth.h"

enum { THREADS = 600, MUTEXES = 40, ROUNDS = 3 };

static pthread_mutex_t mutexes[THREADS][MUTEXES];
static pthread_barrier_t barrier;

static void *lock(void *number)
{
	pthread_mutex_t *own = mutexes[(long)number];

	pthread_barrier_wait(&barrier); /* all are alive at once */
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < MUTEXES; i++) {
			pthread_mutex_lock(&own[i]);
			pthread_mutex_unlock(&own[i]);
		}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 << 10);
	pthread_barrier_init(&barrier, NULL, THREADS);
	truth("locks", THREADS * MUTEXES * ROUNDS);
	truth_end(); /* nobody may not */
	if (setgid(65534) || setuid(65534))
		return 77;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], &small, lock, (void *)i))
			_exit(78);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* More static mutexes than a profile has rows for, each taken five times by each of two threads.
 * Truth: mutexes, how often each was taken. */
#include "truth.h"

enum { LOCKS = 3000, ROUNDS = 5, THREADS = 2 };
static pthread_mutex_t locks[LOCKS];

static NOINLINE void take_all(void)
{
	for (int i = 0; i < LOCKS; i++) {
		pthread_mutex_lock(&locks[i]);
		pthread_mutex_unlock(&locks[i]);
	}
}

static void *work(void *unused)
{
	for (int round = 0; round < ROUNDS; round++)
		take_all();
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	truth("mutexes", LOCKS);
	truth("each", ROUNDS * THREADS);
	truth_end();
	return 0;
}

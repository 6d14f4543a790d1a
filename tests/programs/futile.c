/* SPDX-License-Identifier: MIT */
/* Broadcasts wake two threads, but what they wait for has not happened. Truth: how often each
 * waited again at once. */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int done, waiting, again;

static void *waiter(void *unused)
{
	int first = 1;
	pthread_mutex_lock(&lock);
	while (!done) {
		again += !first;
		first = 0;
		waiting++;
		pthread_cond_wait(&changed, &lock);
		waiting--;
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void broadcast_when_both_wait(int last)
{
	int both = 0;
	while (!both) {
		nap_raw(0.001);
		pthread_mutex_lock(&lock);
		both = waiting == 2;
		if (both) {
			done = last;
			pthread_cond_broadcast(&changed);
		}
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, waiter, NULL);
	for (int i = 0; i < 20; i++)
		broadcast_when_both_wait(0);
	broadcast_when_both_wait(1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	truth("again", again);
	truth("waits", again + 2);
	truth_end();
	return 0;
}

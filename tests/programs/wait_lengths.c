/* SPDX-License-Identifier: MIT */
/* Waits for a mutex of lengths from 0.4 to 7 ms, each a few percent longer than the one before.
 * Truth: the length of each, as the thread that waits measures it. */
#include "truth.h"

enum { WAITS = 70 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int held, taken;
static double lengths[WAITS];

static NOINLINE void wait_once(int i)
{
	double begin = now();
	pthread_mutex_lock(&lock);
	lengths[i] = now() - begin;
	pthread_mutex_unlock(&lock);
	KEEP;
}

static NOINLINE void *wait_for_it(void *unused)
{
	for (int i = 0; i < WAITS; i++) {
		await_raw(&held, i + 1);
		wait_once(i);
		increment(&taken);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	double hold = 0.0007;
	char name[16];

	pthread_create(&thread, NULL, wait_for_it, NULL);
	for (int i = 0; i < WAITS; i++, hold *= 1.033) {
		pthread_mutex_lock(&lock);
		increment(&held);
		nap_raw(hold);
		pthread_mutex_unlock(&lock);
		await_raw(&taken, i + 1);
	}
	pthread_join(thread, NULL);
	for (int i = 0; i < WAITS; i++) {
		snprintf(name, sizeof name, "wait_%d", i);
		truth(name, lengths[i]);
	}
	truth_end();
	return 0;
}

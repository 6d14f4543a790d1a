/* SPDX-License-Identifier: MIT */
/* A condition whose signaller is late, and then keeps the mutex. Truth: the wait until the signal,
 * and from it. */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static volatile int is_ready, is_waiting;
static double begin, signalled, end;

static NOINLINE void signal_and_keep(void)
{
	SPIN(0.1);
	pthread_mutex_lock(&lock);
	is_ready = 1;
	signalled = now();
	pthread_cond_signal(&ready);
	SPIN(0.15);
	pthread_mutex_unlock(&lock);
	KEEP;
}

static NOINLINE void *wait_for_it(void *unused)
{
	pthread_mutex_lock(&lock);
	begin = now();
	increment(&is_waiting);
	while (!is_ready)
		pthread_cond_wait(&ready, &lock);
	end = now();
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait_for_it, NULL);
	await_raw(&is_waiting, 1);
	signal_and_keep();
	pthread_join(thread, NULL);
	truth("before", signalled - begin);
	truth("after", end - signalled);
	truth_end();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Real-time threads of six priorities on one processor lock new objects all the time, so that tables
 * and the profile grow: one that waits for another inside the profiler, without sleeping, would keep
 * that from its processor for ever. Status 77: the system refuses SCHED_FIFO. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MUTEXES = 3000, THREADS = 6, PASSES = 1500 };

static pthread_mutex_t mutexes[MUTEXES];

static void lock_once(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
}

static void *work(void *argument)
{
	struct sched_param priority = {.sched_priority = (int)(long)argument};
	unsigned next = (unsigned)(long)argument;

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority))
		_exit(77);
	for (int pass = 0; pass < PASSES; pass++) {
		pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
		for (int i = 0; i < 8; i++)
			lock_once(&mutexes[(next = next * 1103515245 + 12345) % MUTEXES]);
		lock_once(&own);
		pthread_mutex_destroy(&own);
		if (pass % 20 == 0)
			usleep(100 + (unsigned)priority.sched_priority * 7);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t threads[THREADS];
	cpu_set_t one;

	alarm(60);
	sched_getaffinity(0, sizeof one, &one);
	for (int i = 0, found = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &one) && found++)
			CPU_CLR(i, &one);
	sched_setaffinity(0, sizeof one, &one);
	for (int i = 0; i < MUTEXES; i++)
		pthread_mutex_init(&mutexes[i], NULL);
	if (count > 1 && *arguments[1] == 'w') /* until it is attached to */
		getchar();
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i * 10 + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}

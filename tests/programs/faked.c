/* SPDX-License-Identifier: MIT */
/* Uses clocks and limits of time in some threads, says the year and how it went, and ends by the
 * word: return, exit, _exit, thread (pthread_exit of the first one); sleep: it only sleeps. */
#include "truth.h"

#include <semaphore.h>

enum { THREADS = 3, ROUNDS = 5 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static struct timespec soon(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += 2000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static void *work(void *timeouts)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct timespec limit = soon();
		for (volatile int j = 0; j < 2000000; j++)
			;
		pthread_mutex_lock(&mutex);
		while (pthread_cond_timedwait(&condition, &mutex, &limit) != ETIMEDOUT)
			;
		pthread_mutex_unlock(&mutex);
		limit = soon();
		while (sem_timedwait(&semaphore, &limit) && errno == EINTR)
			;
		__atomic_add_fetch((int *)timeouts, errno == ETIMEDOUT, __ATOMIC_RELAXED);
		usleep(500);
	}
	return NULL;
}

static int count_timeouts(void)
{
	pthread_t threads[THREADS];
	int timeouts = 0;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, &timeouts);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return timeouts;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "return";

	sem_init(&semaphore, 0, 0);
	int timeouts = strcmp(way, "sleep") ? count_timeouts() : usleep(900000);
	time_t now_is = time(NULL);
	printf("%d, %d timeouts\n", 1900 + gmtime(&now_is)->tm_year, timeouts);
	fflush(stdout);
	if (!strcmp(way, "exit"))
		exit(5);
	if (!strcmp(way, "_exit"))
		_exit(6);
	if (!strcmp(way, "thread"))
		pthread_exit(NULL);
	return 7;
}

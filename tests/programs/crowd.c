/* SPDX-License-Identifier: MIT */
/* crowd waits N: one thread waits for each of N semaphores, more than a thread has rows for, and
 * then sleeps. crowd locks N: N mutexes are taken once by each of four threads, then one more is
 * fought for. Truth: the calls, and in `locks` how long the one that fights last was kept out
 * (kept). */
#include "truth.h"
#include <semaphore.h>

enum { THREADS = 4, SLEEPS = 7 };

static int number;
static sem_t *semaphores, taken;
static pthread_mutex_t *mutexes, fought_for = PTHREAD_MUTEX_INITIALIZER;
static double given;

static void *post_all(void *unused)
{
	for (int i = 0; i < number; i++) {
		nap_raw(0.0001);
		sem_post(&semaphores[i]);
	}
	return unused;
}

static void waits(void)
{
	pthread_t poster;

	semaphores = calloc((size_t)number, sizeof *semaphores);
	for (int i = 0; i < number; i++)
		sem_init(&semaphores[i], 0, 0);
	pthread_create(&poster, NULL, post_all, NULL);
	for (int i = 0; i < number; i++)
		sem_wait(&semaphores[i]);
	pthread_join(poster, NULL);
	for (int i = 0; i < SLEEPS; i++) {
		struct timespec t = span(0.001);
		nanosleep(&t, NULL);
	}
	truth("waits", number);
	truth("posts", number);
	truth("sleeps", SLEEPS);
}

static void *take_each(void *unused)
{
	for (int i = 0; i < number; i++) {
		pthread_mutex_lock(&mutexes[i]);
		pthread_mutex_unlock(&mutexes[i]);
	}
	return unused;
}

static NOINLINE void keep(void)
{
	pthread_mutex_lock(&fought_for);
	sem_post(&taken);
	nap_raw(0.1);
	given = now();
	pthread_mutex_unlock(&fought_for);
	KEEP;
}

static void *keep_from(void *unused)
{
	keep();
	return unused;
}

static void locks(void)
{
	pthread_t threads[THREADS];

	mutexes = calloc((size_t)number, sizeof *mutexes);
	sem_init(&taken, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_each, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_create(&threads[0], NULL, keep_from, NULL);
	sem_wait(&taken);
	double begin = now();
	pthread_mutex_lock(&fought_for);
	truth("waited", now() - begin);
	truth("kept", given - begin);
	pthread_mutex_unlock(&fought_for);
	pthread_join(threads[0], NULL);
	truth("locks", THREADS * number + 2);
}

int main(int argc, char **argv)
{
	number = argc == 3 ? atoi(argv[2]) : 0;
	if (number < 1)
		return 2;
	if (strcmp(argv[1], "waits") == 0)
		waits();
	else
		locks();
	truth_end();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* crowd waits N: one thread waits for each of N semaphores, more than a thread has rows for, and
 * then sleeps. crowd locks N: N mutexes are taken once by each of four threads, then one more is
 * contended. crowd idle N: N threads wait for a semaphore each while two others hand over to each
 * other, and are woken one by one in the end, to sleep. Truth: the calls, how long those N waited
 * and slept in total (idled, slept; asked for), and in `locks` how long the one that waits last was
 * kept waiting (kept). crowd turns N: one of N threads works at a time, for two seconds (passed):
 * each passes the turn on to the next one. */
#include "truth.h"
#include <semaphore.h>

enum { THREADS = 4, SLEEPS = 7, HAND_OVERS = 100 };

/* Between the births of those that idle: so few switches a second are recorded all the time. */
#define PAUSE 0.001

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

/* ---- many that idle, two that hand over ---- */

struct idler {
	sem_t semaphore;
	double waited, slept;
};

static struct idler *idlers;
static sem_t turns[2];
static int ready;

static void *idle(void *argument)
{
	struct idler *self = argument;
	struct timespec pause = span(PAUSE);

	__atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
	double begin = now();
	sem_wait(&self->semaphore);
	double woken = now();
	nanosleep(&pause, NULL);
	self->waited = woken - begin;
	self->slept = now() - woken;
	return NULL;
}

static void *hand_over(void *argument)
{
	int self = argument != NULL;

	for (int i = 0; i < HAND_OVERS; i++) {
		sem_wait(&turns[self]);
		nap_raw(0.001);
		sem_post(&turns[!self]);
	}
	return NULL;
}

static void run_two(void)
{
	pthread_t threads[2];

	sem_init(&turns[0], 0, 1);
	sem_init(&turns[1], 0, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hand_over, i ? &turns : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void begin_idlers(pthread_t *threads)
{
	for (int i = 0; i < number; i++) {
		sem_init(&idlers[i].semaphore, 0, 0);
		pthread_create(&threads[i], NULL, idle, &idlers[i]);
		nap_raw(PAUSE);
	}
	await_raw(&ready, number);
}

static void idles(void)
{
	pthread_t *threads = calloc((size_t)number, sizeof *threads);
	double idled = 0, slept = 0;

	idlers = calloc((size_t)number, sizeof *idlers);
	begin_idlers(threads);
	run_two();
	for (int i = 0; i < number; i++) {
		sem_post(&idlers[i].semaphore);
		pthread_join(threads[i], NULL);
		nap_raw(PAUSE);
		idled += idlers[i].waited;
		slept += idlers[i].slept;
	}
	truth("idled", idled);
	truth("slept", slept);
	truth("asked", number * PAUSE);
	truth("waits", number + 2 * HAND_OVERS);
}

/* ---- one of many works */

static int is_over;

static void *pass_on(void *own)
{
	sem_t *semaphore = own;
	sem_t *next = semaphore + 1 < semaphores + number ? semaphore + 1 : semaphores;

	for (;;) {
		sem_wait(semaphore);
		if (__atomic_load_n(&is_over, __ATOMIC_SEQ_CST))
			break;
		for (volatile int i = 0; i < 60000; i++)
			;
		sem_post(next);
	}
	return NULL;
}

static void turns_of_one(void)
{
	pthread_t *threads = calloc((size_t)number, sizeof *threads);

	semaphores = calloc((size_t)number, sizeof *semaphores);
	for (int i = 0; i < number; i++)
		sem_init(&semaphores[i], 0, 0);
	for (int i = 0; i < number; i++)
		pthread_create(&threads[i], NULL, pass_on, &semaphores[i]);
	double begin = now();
	sem_post(&semaphores[0]);
	nap_raw(2);
	__atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
	truth("passed", now() - begin);
	for (int i = 0; i < number; i++) {
		sem_post(&semaphores[i]);
		pthread_join(threads[i], NULL);
	}
}

int main(int argc, char **argv)
{
	number = argc == 3 ? atoi(argv[2]) : 0;
	if (number < 1)
		return 2;
	if (strcmp(argv[1], "waits") == 0)
		waits();
	else if (strcmp(argv[1], "turns") == 0)
		turns_of_one();
	else if (strcmp(argv[1], "idle") == 0)
		idles();
	else
		locks();
	truth_end();
	return 0;
}

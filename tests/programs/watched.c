/* SPDX-License-Identifier: MIT */
/* Threads whose states stay as they are, to be looked at while they run: "keeper" holds a lock that
 * "wanter" waits for, "burner" computes, "half" computes and sleeps by turns, the first one joins
 * them. Says its process number when they are there. Usage: watched SECONDS */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held;
static double end_seconds;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void sleep_until(double seconds)
{
	double left = seconds - now();

	if (left > 0)
		usleep((useconds_t)(left * 1e6));
}

static void *keep(void *argument)
{
	pthread_mutex_lock(&held_lock);
	pthread_barrier_wait(&held);
	sleep_until(end_seconds);
	pthread_mutex_unlock(&held_lock);
	return argument;
}

static void *want(void *argument)
{
	pthread_barrier_wait(&held);
	pthread_mutex_lock(&held_lock);
	pthread_mutex_unlock(&held_lock);
	return argument;
}

__attribute__((noinline)) static void burn(double until)
{
	volatile double sum = 0;

	while (now() < until)
		for (int i = 0; i < 100000; i++)
			sum += i;
}

static void *burn_all(void *argument)
{
	burn(end_seconds);
	return argument;
}

static void *burn_half(void *argument)
{
	while (now() < end_seconds) {
		burn(now() + 0.002);
		usleep(10000);
	}
	return argument;
}

int main(int count, char **words)
{
	static const struct {
		const char *name;
		void *(*run)(void *);
	} threads[] = {{"keeper", keep}, {"wanter", want}, {"burner", burn_all}, {"half", burn_half}};
	enum { THREADS = sizeof threads / sizeof *threads };
	pthread_t started[THREADS];

	end_seconds = now() + (count > 1 ? atof(words[1]) : 1);
	pthread_barrier_init(&held, NULL, 3);
	for (int i = 0; i < THREADS; i++) {
		pthread_create(&started[i], NULL, threads[i].run, NULL);
		pthread_setname_np(started[i], threads[i].name);
	}
	pthread_barrier_wait(&held);
	usleep(100000); /* until the lock is waited for */
	printf("%d\n", (int)getpid());
	fflush(stdout);
	for (int i = 0; i < THREADS; i++)
		pthread_join(started[i], NULL);
	return 0;
}

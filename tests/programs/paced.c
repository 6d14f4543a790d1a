/* SPDX-License-Identifier: MIT */
/* Threads that hardly compute, to be looked at while they run: "pacer" makes, turn after turn,
 * LOCKS lockings, WRITES writes and READS reads of BYTES each, and sleeps once; "keeper" holds a
 * lock that "wanter" waits for; the first one joins them. Says its process number when they are
 * there. Usage: paced SECONDS */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LOCKS = 8, WRITES = 4, READS = 2, BYTES = 100, TURN_US = 2000 };

static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held;
static time_t end;

static void *pace(void *argument)
{
	int null = open("/dev/null", O_WRONLY), zero = open("/dev/zero", O_RDONLY);
	char bytes[BYTES] = "";

	while (time(NULL) < end) {
		for (int i = 0; i < LOCKS; i++) {
			pthread_mutex_lock(&free_lock);
			pthread_mutex_unlock(&free_lock);
		}
		for (int i = 0; i < WRITES; i++)
			if (write(null, bytes, sizeof bytes) < 0)
				return NULL;
		for (int i = 0; i < READS; i++)
			if (read(zero, bytes, sizeof bytes) < 0)
				return NULL;
		usleep(TURN_US);
	}
	return argument;
}

static void *keep(void *argument)
{
	pthread_mutex_lock(&held_lock);
	pthread_barrier_wait(&held);
	while (time(NULL) < end)
		sleep(1);
	pthread_mutex_unlock(&held_lock);
	return argument;
}

__attribute__((noinline)) static void want(void)
{
	pthread_mutex_lock(&held_lock);
	pthread_mutex_unlock(&held_lock);
}

static void *want_lock(void *argument)
{
	pthread_barrier_wait(&held);
	want();
	return argument;
}

int main(int count, char **words)
{
	static const struct {
		const char *name;
		void *(*run)(void *);
	} threads[] = {{"pacer", pace}, {"keeper", keep}, {"wanter", want_lock}};
	enum { THREADS = sizeof threads / sizeof *threads };
	pthread_t started[THREADS];

	end = time(NULL) + (count > 1 ? atoi(words[1]) : 1);
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

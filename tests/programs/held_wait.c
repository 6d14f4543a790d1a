/* SPDX-License-Identifier: MIT */
/* A chain of three threads: one works (slow); the middle one waits for it while it holds a lock;
 * the last one wants that lock. KIND is what the middle one waits for: mutex, semaphore, condition,
 * barrier. PLACE: held: under the lock; outside: before it takes the lock, under which it works.
 * Prints, in nanoseconds: how long the last one waited, and for how much of that the middle one
 * waited with the lock held. */
#include "held.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 30, SLOW_US = 8000, WORK_US = 2000 };

static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t far_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t far_condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t far_barrier;
static sem_t far_semaphore;
static int ready; /* under far_lock */
static atomic_int turns;
static const char *kind = "mutex";
static atomic_bool is_over;

static void pause_us(unsigned us)
{
	nanosleep(&(struct timespec){.tv_nsec = us * 1000L}, NULL);
}

static int is_kind(const char *name)
{
	return !strcmp(kind, name);
}

__attribute__((noinline)) static void slow(void)
{
	if (is_kind("mutex"))
		pthread_mutex_lock(&far_lock);
	work(SLOW_US);
	if (is_kind("mutex")) {
		int before = turns;

		pthread_mutex_unlock(&far_lock);
		while (turns == before && !is_over) /* the other one's turn */
			pause_us(WORK_US / 40);
	} else if (is_kind("semaphore")) {
		sem_post(&far_semaphore);
	} else if (is_kind("barrier")) {
		pthread_barrier_wait(&far_barrier);
	} else {
		pthread_mutex_lock(&far_lock);
		ready++;
		pthread_cond_signal(&far_condition);
		pthread_mutex_unlock(&far_lock);
	}
}

static void *first(void *unused)
{
	(void)unused;
	for (int i = 0; is_kind("mutex") ? !is_over : i < ROUNDS; i++)
		slow();
	return NULL;
}

static void wait_for_first(void)
{
	if (is_kind("semaphore")) {
		sem_wait(&far_semaphore);
	} else if (is_kind("barrier")) {
		pthread_barrier_wait(&far_barrier);
	} else {
		pthread_mutex_lock(&far_lock);
		while (is_kind("condition") && !ready)
			pthread_cond_wait(&far_condition, &far_lock);
		ready--;
		turns++;
		pthread_mutex_unlock(&far_lock);
	}
}

/* Of the wait for the first thread, what the last one had to wait for the lock. */
static void wait_under_lock(void)
{
	uint64_t begin_ns = now_ns();

	wait_for_first();
	add_held(begin_ns);
}

__attribute__((noinline)) static void middle(int is_held)
{
	if (!is_held)
		wait_for_first();
	pthread_mutex_lock(&held_lock);
	if (is_held)
		wait_under_lock();
	else
		work(WORK_US);
	pthread_mutex_unlock(&held_lock);
	work(WORK_US / 4);
}

static void *last(void *unused)
{
	(void)unused;
	while (!is_over) {
		wait_since_ns = now_ns();
		pthread_mutex_lock(&held_lock);
		waited_ns += now_ns() - wait_since_ns;
		wait_since_ns = 0;
		pthread_mutex_unlock(&held_lock);
		pause_us(WORK_US / 4);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int is_held = argc < 3 || strcmp(argv[2], "outside") != 0;
	pthread_t threads[2];

	if (argc > 1)
		kind = argv[1];
	pthread_barrier_init(&far_barrier, NULL, 2);
	sem_init(&far_semaphore, 0, 0);
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, last, NULL);
	for (int i = 0; i < ROUNDS; i++)
		middle(is_held);
	is_over = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%llu %llu\n", (unsigned long long)waited_ns, (unsigned long long)held_ns);
	return 0;
}

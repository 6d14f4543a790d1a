/* SPDX-License-Identifier: MIT */
/* What is at stake of waits, and where: programs whose truth is known however many others use the
 * processors. Truth: CPU time of the scene's own waiting, where there is any. */
#include "truth.h"

#include <sched.h>
#include <semaphore.h>

/* ---- barrier: a main thread without work waits at the barrier of a worker; nothing is to gain */

static pthread_barrier_t meeting;

static void *work_between(void *unused)
{
	for (int i = 0; i < 4; i++) {
		BURN(0.05);
		pthread_barrier_wait(&meeting);
	}
	return unused;
}

static void barrier(void)
{
	pthread_t thread;

	pthread_barrier_init(&meeting, NULL, 2);
	pthread_create(&thread, NULL, work_between, NULL);
	for (int i = 0; i < 4; i++)
		pthread_barrier_wait(&meeting);
	pthread_join(thread, NULL);
}

/* ---- spin: eight threads share a spinlock, and most of them have no processor to spin on */

#define SPINNERS 8

static pthread_spinlock_t shared_spin;
static double spun[SPINNERS];

static void *spin_for_it(void *number)
{
	double *mine = number;

	for (int i = 0; i < 6; i++) {
		double before = cpu();

		pthread_spin_lock(&shared_spin);
		*mine += cpu() - before;
		BURN(0.002);
		pthread_spin_unlock(&shared_spin);
	}
	return NULL;
}

static void spin(void)
{
	pthread_t threads[SPINNERS];
	double sum = 0;

	pthread_spin_init(&shared_spin, PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < SPINNERS; i++)
		pthread_create(&threads[i], NULL, spin_for_it, &spun[i]);
	for (int i = 0; i < SPINNERS; i++) {
		pthread_join(threads[i], NULL);
		sum += spun[i];
	}
	truth("spun", sum);
}

/* ---- objects: one routine waits for twelve locks, one after the other */

#define BOXES 12

static struct box {
	long content;
	pthread_mutex_t lock;
} boxes[BOXES];
static sem_t is_held, is_put;

static NOINLINE void put(struct box *box)
{
	pthread_mutex_lock(&box->lock);
	box->content++;
	pthread_mutex_unlock(&box->lock);
}

// The thread that puts may not have had a processor yet: glibc's word of a mutex says 2 once
// somebody waits.
static void await_waiter(const pthread_mutex_t *lock)
{
	for (int i = 0; i < 10000 && __atomic_load_n(&lock->__data.__lock, __ATOMIC_RELAXED) != 2;
	     i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static NOINLINE void hold(struct box *box)
{
	pthread_mutex_lock(&box->lock);
	sem_post(&is_held);
	await_waiter(&box->lock);
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	pthread_mutex_unlock(&box->lock);
	sem_wait(&is_put);
}

static void *put_all(void *unused)
{
	for (int i = 0; i < BOXES; i++) {
		sem_wait(&is_held);
		put(&boxes[i]);
		sem_post(&is_put);
	}
	return unused;
}

static void objects(void)
{
	pthread_t thread;

	sem_init(&is_held, 0, 0);
	sem_init(&is_put, 0, 0);
	for (int i = 0; i < BOXES; i++)
		pthread_mutex_init(&boxes[i].lock, NULL);
	pthread_create(&thread, NULL, put_all, NULL);
	for (int i = 0; i < BOXES; i++)
		hold(&boxes[i]);
	pthread_join(thread, NULL);
}

/* ---- two threads, each on one of the processors that the program may use */

struct pinned {
	int number;    /* of its processor among these */
	double burn_s; /* CPU time between two meetings */
	int meetings;
	pthread_barrier_t *where; /* NULL: nowhere, it only works */
};

static void stay_on(int number)
{
	cpu_set_t all, one;

	CPU_ZERO(&one);
	sched_getaffinity(0, sizeof all, &all);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all) && !number--)
			CPU_SET(i, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void *work_pinned(void *argument)
{
	const struct pinned *mine = argument;

	stay_on(mine->number);
	for (int i = 0; i < mine->meetings; i++) {
		BURN(mine->burn_s);
		if (mine->where)
			pthread_barrier_wait(mine->where);
	}
	return NULL;
}

static void run_two(struct pinned *two)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work_pinned, &two[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void even_barrier(void)
{
	struct pinned two[] = {{0, 0.02, 8, &meeting}, {1, 0.02, 8, &meeting}};

	pthread_barrier_init(&meeting, NULL, 2);
	run_two(two);
}

static void uneven_threads(void)
{
	struct pinned two[] = {{0, 0.02, 6, NULL}, {1, 0.02, 2, NULL}};

	run_two(two);
}

static const struct {
	const char *name;
	void (*run)(void);
} scenes[] = {{"barrier", barrier},
	      {"spin", spin},
	      {"objects", objects},
	      {"even_barrier", even_barrier},
	      {"uneven_threads", uneven_threads}};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof scenes / sizeof *scenes; i++)
		if (!strcmp(argv[1], scenes[i].name)) {
			scenes[i].run();
			truth_end();
			return 0;
		}
	return 2;
}

/* SPDX-License-Identifier: MIT */
/* finding_scenes SCENE: a program with exactly one problem, or with none ("even"), for about half a
 * second on two processors. No truth but the name of the scene: the finding has to come first. */
#include "truth.h"
#include <sched.h>

#define THREADS 2
#define SECONDS 0.5

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t shared_spin;
static pthread_barrier_t meeting;
static volatile int done;
static volatile long turn;

/* The start routine is told the number of its thread. */
static void run_threads(void *(*start)(void *), long count)
{
	pthread_t threads[64];

	for (long i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, start, (void *)i);
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static NOINLINE void *work(void *number)
{
	(void)number;
	BURN(SECONDS);
	return NULL;
}

static NOINLINE void *work_a_little(void *number)
{
	(void)number;
	BURN(0.2);
	return NULL;
}

/* 40 times 10 ms under the one lock. */
static NOINLINE void *work_locked(void *number)
{
	(void)number;
	for (int i = 0; i < 40; i++) {
		pthread_mutex_lock(&shared_lock);
		SPIN(0.01);
		pthread_mutex_unlock(&shared_lock);
		sched_yield();
	}
	return NULL;
}

/* The same work with a lock that is held for a moment only. */
static NOINLINE void *work_beside_lock(void *number)
{
	(void)number;
	for (int i = 0; i < 40; i++) {
		pthread_mutex_lock(&shared_lock);
		pthread_mutex_unlock(&shared_lock);
		BURN(0.01);
	}
	return NULL;
}

static NOINLINE void *work_spinning(void *number)
{
	(void)number;
	for (int i = 0; i < 40; i++) {
		pthread_spin_lock(&shared_spin);
		SPIN(0.01);
		pthread_spin_unlock(&shared_spin);
		nap_raw(0.0001); /* so that the other one gets it */
	}
	return NULL;
}

static NOINLINE void await_turn(long mine)
{
	while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) % THREADS != mine)
		sched_yield();
}

/* They work by turns, and ask again and again whether it is their turn. Who yields to another
 * program is not on a processor and loses nothing: there has to be a processor that nobody wants.
 */
static NOINLINE void *work_yielding(void *number)
{
	for (int i = 0; i < 20; i++) {
		await_turn((long)number);
		SPIN(0.01);
		__atomic_add_fetch(&turn, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* All but one spin while it works: however many processors the program gets, most of them spin. */
static NOINLINE void *work_in_a_ring(void *number)
{
	(void)number;
	for (int i = 0; i < 3; i++) {
		pthread_spin_lock(&shared_spin);
		BURN(0.005);
		pthread_spin_unlock(&shared_spin);
	}
	return NULL;
}

/* Who has more changes from step to step: only the steps are uneven. */
static NOINLINE void *work_in_steps(void *number)
{
	for (long i = 0; i < 20; i++) {
		if (i % 2 == (long)number)
			SPIN(0.03);
		pthread_barrier_wait(&meeting);
	}
	return NULL;
}

static NOINLINE void *work_unevenly(void *number)
{
	if (number)
		BURN(0.1);
	else
		BURN(SECONDS);
	return NULL;
}

static NOINLINE void sleep_long(void)
{
	struct timespec t = span(0.1);

	nanosleep(&t, NULL);
}

static NOINLINE void *work_and_sleep(void *number)
{
	(void)number;
	for (int i = 0; i < 4; i++) {
		BURN(0.03);
		sleep_long();
	}
	return NULL;
}

static int pipe_ends[2];

/* Thread 0 sleeps and tells the other one, which reads. */
static NOINLINE void *sleep_or_read(void *number)
{
	char byte = 0;
	ssize_t moved = 1;

	for (int i = 0; i < 6 && moved == 1; i++) {
		if (number) {
			moved = read(pipe_ends[0], &byte, 1);
			continue;
		}
		sleep_long();
		moved = write(pipe_ends[1], &byte, 1);
	}
	return NULL;
}

static NOINLINE void *work_and_poll(void *number)
{
	struct timespec t = span(0.001);

	(void)number;
	for (int i = 0; i < 200; i++) {
		BURN(0.0005);
		nanosleep(&t, NULL);
	}
	return NULL;
}

/* What no wrapper sees stands for input and output. */
static NOINLINE void *work_and_read(void *number)
{
	(void)number;
	for (int i = 0; i < 20; i++) {
		BURN(0.005);
		nap_raw(0.02);
	}
	return NULL;
}

static NOINLINE void *nothing(void *number)
{
	return number;
}

static NOINLINE void *work_with_tiny_locks(void *number)
{
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	double end = cpu() + SECONDS;

	(void)number;
	while (cpu() < end)
		for (int i = 0; i < 100000; i++) {
			pthread_mutex_lock(&own);
			pthread_mutex_unlock(&own);
		}
	return NULL;
}

/* Beside the work a thread that looks once in a while: it is meant to sleep. */
static NOINLINE void *tick(void *number)
{
	(void)number;
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		sleep_long();
	return NULL;
}

static void even(void)
{
	run_threads(work, THREADS);
}
static void beside_lock(void)
{
	run_threads(work_beside_lock, THREADS);
}
static void ticker(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, tick, NULL);
	run_threads(work, THREADS);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}
static void lock(void)
{
	run_threads(work_locked, THREADS);
}
static void spin(void)
{
	pthread_spin_init(&shared_spin, PTHREAD_PROCESS_PRIVATE);
	run_threads(work_spinning, THREADS);
}
static void spinners(void)
{
	pthread_spin_init(&shared_spin, PTHREAD_PROCESS_PRIVATE);
	run_threads(work_in_a_ring, 12);
}
static void yield(void)
{
	run_threads(work_yielding, THREADS);
}
static void barrier(void)
{
	pthread_barrier_init(&meeting, NULL, THREADS);
	run_threads(work_in_steps, THREADS);
}
static void imbalance(void)
{
	run_threads(work_unevenly, THREADS);
}
static NOINLINE void serial_part(void)
{
	BURN(SECONDS);
}
static void serial(void)
{
	serial_part();
	run_threads(work_a_little, THREADS);
}
static void single(void)
{
	serial_part();
}
static void asleep(void)
{
	run_threads(work_and_sleep, THREADS);
}
static void asleep_before_pipe(void)
{
	if (!pipe(pipe_ends))
		run_threads(sleep_or_read, 2);
}
static void poll(void)
{
	run_threads(work_and_poll, THREADS);
}
static void blocked(void)
{
	run_threads(work_and_read, THREADS);
}
static void short_threads(void)
{
	for (int i = 0; i < 5000; i++)
		run_threads(nothing, 1);
}
static void fine_locks(void)
{
	run_threads(work_with_tiny_locks, THREADS);
}
static void crowd(void)
{
	run_threads(work, 6);
}
static void short_run(void)
{
	BURN(0.02);
}

#define SCENE(name)                                                                                \
	{                                                                                          \
#name, name                                                                        \
	}
static const struct scene {
	const char *name;
	void (*play)(void);
} scenes[] = {SCENE(even),
	      SCENE(beside_lock),
	      SCENE(ticker),
	      SCENE(lock),
	      SCENE(spin),
	      SCENE(spinners),
	      SCENE(yield),
	      SCENE(barrier),
	      SCENE(imbalance),
	      SCENE(serial),
	      SCENE(single),
	      SCENE(asleep),
	      SCENE(poll),
	      SCENE(blocked),
	      SCENE(short_threads),
	      SCENE(fine_locks),
	      SCENE(crowd),
	      SCENE(short_run),
	      SCENE(asleep_before_pipe)};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof scenes / sizeof *scenes; i++)
		if (!strcmp(argv[1], scenes[i].name)) {
			scenes[i].play();
			return 0;
		}
	return 2;
}

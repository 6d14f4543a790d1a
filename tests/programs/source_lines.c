/* SPDX-License-Identifier: MIT */
/* CPU time, waits and blame at known lines: those with a mark such as "HOT 3". Truth: the CPU time
 * of the two loops, and how long `hold` kept the other thread waiting, seconds. */
#include "truth.h"

#include <stdint.h>
#include <unistd.h>

enum { ROUNDS = 10, TURNS = 4000000 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t start;
static volatile uint64_t value = 1;

/* Inlined into both loops of `two_loops`, whatever is optimised. */
static inline __attribute__((always_inline)) uint64_t stir(uint64_t x)
{
	return x * 6364136223846793005u + 1442695040888963407u; /* INLINED */
}

/* 9 cycles that cannot be left out. */
#define STEP(x) __asm__ volatile("imul $3, %0, %0\n\timul $5, %0, %0\n\timul $7, %0, %0" : "+r"(x))

static NOINLINE void two_loops(double *three, double *one)
{
	uint64_t x = value;
	double before = cpu();

	for (int i = 0; i < 3 * TURNS; i++)
		STEP(x); /* HOT 3 */
	double between = cpu();
	for (int i = 0; i < TURNS; i++)
		STEP(x); /* HOT 1 */
	*three += between - before;
	*one += cpu() - between;
	value = x;
}

static NOINLINE void stir_much(void)
{
	uint64_t x = value;

	for (int i = 0; i < 4 * TURNS; i++)
		x = stir(x); /* CALL */
	value = x;
}

static NOINLINE void hold(void)
{
	pthread_mutex_lock(&gate); /* TAKES */
	usleep(20000);
	pthread_mutex_unlock(&gate); /* RELEASES */
	value++;
}

static void *waiter(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&start);
		usleep(5000);
		pthread_mutex_lock(&gate); /* WAITS */
		pthread_mutex_unlock(&gate);
		pthread_barrier_wait(&start);
	}
	return unused;
}

int main(void)
{
	double three = 0, one = 0;
	pthread_t thread;

	pthread_barrier_init(&start, NULL, 2);
	pthread_create(&thread, NULL, waiter, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&start);
		hold();
		pthread_barrier_wait(&start);
		two_loops(&three, &one);
		stir_much();
	}
	pthread_join(thread, NULL);
	truth("three", three);
	truth("one", one);
	truth_end();
	return 0;
}

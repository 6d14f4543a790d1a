/* SPDX-License-Identifier: MIT */
/* A simulation in which two threads roll dice by rand(): its only state has a lock within the C
 * library, which no wrapper sees. Fixed, each thread has a state of its own (rand_r). Innocent: the
 * lock of the totals.
 *
 * cause: both threads wait for the lock of rand
 * finding: libc-locks
 * place: roll
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, GAMES = 4000, ROLLS = 3000 };

static bool is_fixed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long games, pips;

__attribute__((noinline)) static int roll(unsigned *state)
{
	return 1 + (is_fixed ? rand_r(state) : rand()) % 6;
}

static void *play(void *number)
{
	unsigned state = 1 + *(unsigned *)number;

	for (int game = 0; game < GAMES; game++) {
		long sum = 0;

		for (int i = 0; i < ROLLS; i++)
			sum += roll(&state);
		pthread_mutex_lock(&lock);
		pips += sum;
		games++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	unsigned numbers[THREADS];

	(void)argv;
	is_fixed = argc > 1;
	for (unsigned i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, play, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%ld games, %.1f pips on average\n", games, (double)pips / games / ROLLS);
	return 0;
}

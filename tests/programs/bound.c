/* SPDX-License-Identifier: MIT */
/* Two threads on one processor, to which the first thread is bound before they begin:
 *   bound turns   they hand on to each other, 5000 times each: none could run sooner
 *   bound freed   both work for as long as it takes, and are set free when they are done */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TURNS = 5000, TURN = 50000, WORK = 400000000 };

static cpu_set_t all;
static sem_t mine[2];
static bool is_freed;

static void work(int steps)
{
	uint64_t state = 1;

	for (int i = 0; i < steps; i++) {
		state = state * 6364136223846793005u + 1;
		__asm__ volatile("" ::"r"(state));
	}
}

static void take_turns(int own)
{
	for (int i = 0; i < TURNS; i++) {
		sem_wait(&mine[own]);
		work(TURN);
		sem_post(&mine[!own]);
	}
}

static void *run(void *own)
{
	if (!is_freed) {
		take_turns(own != NULL);
		return NULL;
	}
	work(WORK);
	sched_setaffinity(0, sizeof all, &all);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	cpu_set_t one;
	int last = CPU_SETSIZE - 1;

	is_freed = argc > 1 && !strcmp(argv[1], "freed");
	sched_getaffinity(0, sizeof all, &all);
	while (!CPU_ISSET(last, &all))
		last--;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	sched_setaffinity(0, sizeof one, &one);
	sem_init(&mine[0], 0, 1);
	sem_init(&mine[1], 0, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, i ? mine : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Mixes the tracks of a song in two threads. The sound library, when it is opened, binds the
 * calling thread to one processor so that its own clock does not jump; threads that are started
 * later inherit that.
 *
 * cause: a library binds the first thread to one processor, and all workers inherit that
 * finding: bound-threads
 * place: run_worker
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORKERS = 2, TRACKS = 16, FRAMES = 6000000 };

struct worker {
	pthread_t thread;
	int first;
	uint64_t loudness;
};

/* Of a library: its caller does not know. */
static void open_sound(void)
{
	cpu_set_t all, one;

	CPU_ZERO(&one);
	sched_getaffinity(0, sizeof all, &all);
	for (int i = CPU_SETSIZE; i-- > 0 && !CPU_COUNT(&one);)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

static uint64_t mix_track(int track)
{
	uint32_t noise = 2463534242u + (uint32_t)track;
	int64_t low = 0;
	uint64_t loudness = 0;

	for (int i = 0; i < FRAMES; i++) {
		noise ^= noise << 13;
		noise ^= noise >> 17;
		noise ^= noise << 5;
		low += ((int64_t)(noise & 0xffff) - low) / 8;
		loudness += (uint64_t)(low * low) >> 16;
	}
	return loudness;
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;

	for (int track = worker->first; track < TRACKS; track += WORKERS)
		worker->loudness += mix_track(track);
	return NULL;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	struct worker workers[WORKERS];
	uint64_t loudness = 0;

	if (!fixed)
		open_sound();
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){.first = i};
		pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]);
	}
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		loudness += workers[i].loudness;
	}
	printf("%llu\n", (unsigned long long)loudness);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* A control of another kind: two threads count packets, each in counters of its own, which share a
 * cache line with the other one's. Both are busy all the time and wait for nothing, so that there
 * is no waiting to remove: that their time is not well spent (false sharing; `fixed` has a line for
 * each) is beyond what is measured. Innocent: the lock of the totals, a thread that reads them.
 * A processor may get the line more often than the other one, so each thread takes the next batch
 * when it is done with one: both end at the same time on any machine.
 *
 * cause: none that waits (the counters of both threads share cache lines)
 * finding: nothing
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	THREADS = 2,
	KINDS = 4,
	BATCHES = 720,
	PACKETS = 500000, /* in each */
	LINE = 128 / sizeof(uint64_t),
};

static struct {
	pthread_mutex_t lock;
	uint64_t counts[KINDS], readings;
} totals = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t lines[THREADS * LINE] __attribute__((aligned(128)));
static size_t distance = KINDS;
static atomic_int is_finished, next_batch;

static void count_batch(volatile uint64_t *counts, uint32_t state)
{
	for (int i = 0; i < PACKETS; i++) {
		state = state * 1664525 + 1013904223;
		counts[state >> 30]++;
	}
}

static void *count_packets(void *number)
{
	volatile uint64_t *counts = lines + *(int *)number * distance;

	for (int batch; (batch = next_batch++) < BATCHES;)
		count_batch(counts, (uint32_t)batch + 7);
	pthread_mutex_lock(&totals.lock);
	for (int i = 0; i < KINDS; i++)
		totals.counts[i] += counts[i];
	pthread_mutex_unlock(&totals.lock);
	return NULL;
}

static void *read_totals(void *unused)
{
	while (!is_finished) {
		usleep(40000);
		pthread_mutex_lock(&totals.lock);
		totals.readings++;
		pthread_mutex_unlock(&totals.lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS], reader;
	int numbers[THREADS];

	(void)argv;
	if (argc > 1)
		distance = LINE;
	pthread_create(&reader, NULL, read_totals, NULL);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, count_packets, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	is_finished = 1;
	pthread_join(reader, NULL);
	for (int i = 0; i < KINDS; i++)
		printf("%lu ", (unsigned long)totals.counts[i]);
	printf("packets\n");
	return 0;
}

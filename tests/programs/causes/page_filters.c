/* SPDX-License-Identifier: MIT */
/* Filters scanned pages in two threads. Each page gets a buffer of its own, which is so large that
 * malloc maps it and free gives it back: each time the kernel has to clear its pages anew, and both
 * threads need the lock of the process's memory map for each of them.
 *
 * cause: a large buffer is allocated and freed for each page
 * finding: memory-maps
 * place: filter_page|new_buffer|drop_buffer
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WORKERS = 2, PAGES = 3000, BYTES = 1 << 20, STRIDE = 4096 };

struct worker {
	pthread_t thread;
	uint64_t sum;
};

static bool fixed;

static uint8_t *new_buffer(void)
{
	static __thread uint8_t *kept;
	uint8_t *buffer = kept;

	if (!buffer)
		buffer = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
	if (buffer == MAP_FAILED)
		abort();
	kept = fixed ? buffer : NULL;
	return buffer;
}

static void drop_buffer(uint8_t *buffer)
{
	if (!fixed)
		munmap(buffer, BYTES);
}

static uint64_t filter_page(int page)
{
	uint8_t *buffer = new_buffer();
	uint64_t sum = 0;

	for (int i = 0; i < BYTES; i += STRIDE)
		buffer[i] = (uint8_t)(page * 31 + i / STRIDE);
	for (int i = STRIDE; i < BYTES; i += STRIDE)
		sum += (uint64_t)(buffer[i] ^ buffer[i - STRIDE]);
	drop_buffer(buffer);
	return sum;
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;

	for (int page = 0; page < PAGES; page++)
		worker->sum += filter_page(page);
	return NULL;
}

int main(int count, char **arguments)
{
	struct worker workers[WORKERS] = {0};
	uint64_t sum = 0;

	fixed = count > 1 && !strcmp(arguments[1], "fixed");
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]);
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		sum += workers[i].sum;
	}
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Puts pictures together to a panorama: of each the light is evened out by OpenMP, and its place is
 * found by a library that has a thread of its own beside the one that calls it. Threads of OpenMP
 * spin for some milliseconds when a region has ended, the library's spin until the next call: of
 * three threads one never has a processor of two. (In the fixed program the library uses no thread
 * of its own.) Innocent: the library checks each eighth picture by itself, and the caller waits for
 * the library's thread.
 *
 * cause: the threads of OpenMP and that of the library spin while the other ones work
 * finding: spinning-pools
 * place: serve
 * launch: OMP_NUM_THREADS=2
 * build: openmp
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PICTURES = 600, PIXELS = 60000, PASSES = 8, SHIFTS = 150000, HALVES = 2 };

static float picture[PIXELS], even[PIXELS];

/* ---- the library ---- */

static atomic_int asked, answered;
static atomic_bool is_over;
static uint64_t best[HALVES];

static void try_shifts(int half, int number)
{
	uint64_t state = (uint64_t)number * HALVES + (uint64_t)half;

	for (int i = 0; i < SHIFTS; i++)
		state = state * 6364136223846793005u + 1442695040888963407u;
	best[half] += state >> 40;
}

static void *serve(void *unused)
{
	for (int number = 1;; number++) {
		while (atomic_load(&asked) < number && !atomic_load(&is_over))
			sched_yield();
		if (atomic_load(&asked) < number)
			return unused;
		try_shifts(1, number);
		atomic_store(&answered, number);
	}
}

static void find_place(int number, bool has_thread)
{
	if (has_thread)
		atomic_store(&asked, number);
	else
		try_shifts(1, number);
	try_shifts(0, number);
	while (has_thread && atomic_load(&answered) < number)
		sched_yield();
	if (number % 8 == 0)
		best[0] ^= best[1];
}

/* ---- the program ---- */

static void take_picture(int number)
{
	for (int i = 0; i < PIXELS; i += 16)
		picture[i] = (float)((number * 31 + i) % 255);
}

static void even_out(void)
{
#pragma omp parallel for
	for (int i = 1; i < PIXELS - 1; i++)
		for (int pass = 0; pass < PASSES; pass++)
			even[i] += (picture[i - 1] + picture[i] + picture[i + 1] + (float)pass) / 3;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t server;

	if (!fixed)
		pthread_create(&server, NULL, serve, NULL);
	for (int number = 1; number <= PICTURES; number++) {
		take_picture(number);
		even_out();
		find_place(number, !fixed);
	}
	atomic_store(&is_over, true);
	if (!fixed)
		pthread_join(server, NULL);
	printf("%g %llx\n", (double)even[PIXELS / 2], (unsigned long long)(best[0] ^ best[1]));
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Blurs pictures with two OpenMP threads, as it should be done: rows are shared out evenly, a pass
 * is long, all processors are busy, and nobody waits for anybody to speak of. With innocent things
 * all the same: bright pixels are counted in a critical section once a pass and thread, saturated
 * ones under a lock, seldom, a thread sleeps for a progress bar, another one waits for pictures to
 * save.
 *
 * cause: none
 * finding: nothing
 * launch: OMP_NUM_THREADS=2
 * build: openmp
 */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 1600, HEIGHT = 1200, REACH = 4, PICTURES = 4, PASSES = 12 };

struct saver {
	pthread_mutex_t mutex;
	pthread_cond_t more;
	int waiting, saved;
	bool closed;
};

static uint16_t pictures[2][HEIGHT][WIDTH];
static omp_lock_t saturated_lock;
static long bright, saturated;
static atomic_int passes_done;
static struct saver saver = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, false};

static void load_row(uint16_t *row, int y, int number)
{
	uint32_t state = (uint32_t)(y * 7919 + number) * 2654435761u + 1;

	for (int x = 0; x < WIDTH; x++) {
		state = state * 1664525u + 1013904223u;
		row[x] = (uint16_t)(state >> 17);
	}
}

static void load_picture(int number)
{
#pragma omp parallel for
	for (int y = 0; y < HEIGHT; y++)
		load_row(pictures[0][y], y, number);
}

static unsigned mean_around(uint16_t (*from)[WIDTH], int y, int x)
{
	unsigned sum = 0;

	for (int i = -REACH; i <= REACH; i++)
		sum += from[(y + i + HEIGHT) % HEIGHT][x] + from[y][(x + i + WIDTH) % WIDTH];
	return sum / (4 * REACH + 2);
}

static void note_saturated(void)
{
	omp_set_lock(&saturated_lock);
	saturated++;
	omp_unset_lock(&saturated_lock);
}

static long blur_row(int y, int pass)
{
	long count = 0;

	for (int x = 0; x < WIDTH; x++) {
		unsigned mean = mean_around(pictures[pass & 1], y, x);
		pictures[~pass & 1][y][x] = (uint16_t)mean;
		count += mean > 16384;
		if (mean > 24000)
			note_saturated();
	}
	return count;
}

static void blur(int pass)
{
#pragma omp parallel
	{
		long own = 0;
#pragma omp for schedule(static) nowait
		for (int y = 0; y < HEIGHT; y++)
			own += blur_row(y, pass);
#pragma omp critical(bright)
		bright += own;
	}
	atomic_fetch_add(&passes_done, 1);
}

static void *save_pictures(void *unused)
{
	pthread_mutex_lock(&saver.mutex);
	while (!saver.closed) {
		saver.saved += saver.waiting;
		saver.waiting = 0;
		pthread_cond_wait(&saver.more, &saver.mutex);
	}
	pthread_mutex_unlock(&saver.mutex);
	return unused;
}

static void save(bool last)
{
	pthread_mutex_lock(&saver.mutex);
	saver.waiting++;
	saver.closed = last;
	pthread_cond_signal(&saver.more);
	pthread_mutex_unlock(&saver.mutex);
}

static void *draw_progress(void *bar)
{
	struct timespec tenth = {.tv_nsec = 100000000};

	while (!nanosleep(&tenth, NULL))
		if (bar)
			fprintf(bar, "\r%d", atomic_load(&passes_done));
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	omp_init_lock(&saturated_lock);
	pthread_create(&threads[0], NULL, save_pictures, NULL);
	pthread_create(&threads[1], NULL, draw_progress, NULL);
	for (int number = 0; number < PICTURES; number++) {
		load_picture(number);
		for (int pass = 0; pass < PASSES; pass++)
			blur(pass);
		save(number == PICTURES - 1);
	}
	pthread_join(threads[0], NULL);
	printf("%ld %ld\n", bright, saturated);
	return 0;
}

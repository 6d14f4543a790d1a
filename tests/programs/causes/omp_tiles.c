/* SPDX-License-Identifier: MIT */
/* Renders a landscape in tiles: two OpenMP threads take tiles, and in each tile an inner team of
 * four works on its rows, since the library that renders tiles was parallel before its user was. On
 * two processors there are eight threads then, and the inner teams are made anew each time.
 * Innocent: heights are made first, peaks are noted in a critical section, seldom, and a thread
 * that would show a preview wakes four times a second.
 *
 * cause: inner teams of four in each of two outer threads, on two processors
 * finding: nested-teams omp-oversubscription
 * place: render_tile|render_landscape|2 x 4
 * launch: OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=2
 * build: openmp
 */
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 1024, TILE = 32, INNER = 4, VIEWS = 9, REACH = 12 };

static float heights[SIDE][SIDE];
static uint8_t shades[SIDE][SIDE];
static long peaks;
static atomic_int previews;

static void make_heights(void)
{
	uint32_t state = 11;

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++) {
			state = state * 1664525u + 1013904223u;
			heights[y][x] = (float)((x * 3 + y * 5) % 400) + (float)(state >> 26);
		}
}

/* How far the sun gets, from `slope` above the horizon. */
static uint8_t shade_of(int y, int x, float slope)
{
	float height = heights[y][x], light = 255;

	for (int i = 1; i <= REACH; i++) {
		float above = heights[y][(x + i) % SIDE] - height - slope * (float)i;
		light -= above > 0 ? sqrtf(above) : 0;
	}
	return (uint8_t)(light > 0 ? light : 0);
}

static void note_peak(void)
{
#pragma omp critical(peaks)
	peaks++;
}

static void render_row(int y, int left, float slope)
{
	for (int x = left; x < left + TILE; x++) {
		shades[y][x] = shade_of(y, x, slope);
		if (heights[y][x] > 460)
			note_peak();
	}
}

static void render_tile(int top, int left, float slope, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
	for (int y = top; y < top + TILE; y++)
		render_row(y, left, slope);
}

static uint64_t sum_shades(void)
{
	uint64_t sum = 0;

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			sum = sum * 31 + shades[y][x];
	return sum;
}

static void render_landscape(float slope, int inner)
{
#pragma omp parallel for schedule(dynamic) collapse(2)
	for (int top = 0; top < SIDE; top += TILE)
		for (int left = 0; left < SIDE; left += TILE)
			render_tile(top, left, slope, inner);
}

static void *show_preview(void *unused)
{
	struct timespec quarter = {.tv_nsec = 250000000};

	while (!nanosleep(&quarter, NULL))
		atomic_fetch_add(&previews, 1);
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t preview;
	uint64_t sum = 0;

	pthread_create(&preview, NULL, show_preview, NULL);
	make_heights();
	for (int view = 0; view < VIEWS; view++) {
		render_landscape(0.5f * (float)view, fixed ? 1 : INNER);
		sum ^= sum_shades();
	}
	printf("%llx %ld\n", (unsigned long long)sum, peaks);
	return 0;
}

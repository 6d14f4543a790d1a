/* SPDX-License-Identifier: MIT */
/* Corrects the tones of a series of pictures: each picture's histogram gives a curve, and each
 * pixel goes through it. The loop over the pixels is handed out one pixel at a time. Innocent:
 * histograms are made by an even loop with one table a thread, that are added in a critical section
 * once a picture; a thread that would write finished pictures sleeps on a semaphore, and is asked
 * for one of eight pictures.
 *
 * cause: schedule(dynamic, 1) hands out single pixels, each of which is some nanoseconds of work
 * finding: omp-small-pieces
 * place: correct_tones
 * launch: OMP_NUM_THREADS=2
 * build: openmp
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 400, PIXELS = WIDTH * HEIGHT, LEVELS = 256, PICTURES = 140 };

struct pixel {
	uint8_t red, green, blue, tone;
};

static struct pixel picture[PIXELS];
static long histogram[LEVELS];
static uint8_t curve[LEVELS];
static sem_t finished;
static bool closed;
static uint64_t archived;

static uint8_t tone_of(const struct pixel *pixel)
{
	return (uint8_t)((54 * pixel->red + 183 * pixel->green + 19 * pixel->blue) >> 8);
}

static void shoot(int number)
{
	uint32_t state = (uint32_t)number * 2654435761u + 1;

	for (int i = 0; i < PIXELS; i++) {
		state = state * 1664525u + 1013904223u;
		picture[i].red = (uint8_t)(state >> 26);
		picture[i].green = (uint8_t)(state >> 25);
		picture[i].blue = (uint8_t)(i % WIDTH >> 2);
	}
}

static void count_tones(void)
{
	memset(histogram, 0, sizeof histogram);
#pragma omp parallel
	{
		long own[LEVELS] = {0};
#pragma omp for schedule(static)
		for (int i = 0; i < PIXELS; i++) {
			picture[i].tone = tone_of(&picture[i]);
			own[picture[i].tone]++;
		}
#pragma omp critical(histogram)
		for (int level = 0; level < LEVELS; level++)
			histogram[level] += own[level];
	}
}

static void draw_curve(void)
{
	long below = 0;

	for (int level = 0; level < LEVELS; level++) {
		below += histogram[level];
		curve[level] = (uint8_t)(below * (LEVELS - 1) / PIXELS);
	}
}

static uint8_t scale(uint8_t colour, unsigned wanted, unsigned tone)
{
	unsigned value = (colour * wanted + tone / 2) / (tone + 1);

	return (uint8_t)(value > 255 ? 255 : value);
}

static void correct_pixel(struct pixel *pixel)
{
	unsigned wanted = curve[pixel->tone];

	pixel->red = scale(pixel->red, wanted, pixel->tone);
	pixel->green = scale(pixel->green, wanted, pixel->tone);
	pixel->blue = scale(pixel->blue, wanted, pixel->tone);
}

static void correct_tones(bool by_rows)
{
	if (by_rows) {
#pragma omp parallel for schedule(dynamic, 8 * WIDTH)
		for (int i = 0; i < PIXELS; i++)
			correct_pixel(&picture[i]);
	} else {
#pragma omp parallel for schedule(dynamic, 1)
		for (int i = 0; i < PIXELS; i++)
			correct_pixel(&picture[i]);
	}
}

static uint64_t sum_picture(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < PIXELS; i++)
		sum = sum * 31 + picture[i].red + picture[i].green * 3u + picture[i].blue * 7u;
	return sum;
}

static void *archive(void *unused)
{
	for (;;) {
		sem_wait(&finished);
		if (closed)
			return unused;
		archived++;
	}
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t archiver;
	uint64_t sum = 0;

	sem_init(&finished, 0, 0);
	pthread_create(&archiver, NULL, archive, NULL);
	for (int number = 0; number < PICTURES; number++) {
		shoot(number);
		count_tones();
		draw_curve();
		correct_tones(fixed);
		sum ^= sum_picture();
		if (number % 8 == 0)
			sem_post(&finished);
	}
	closed = true;
	sem_post(&finished);
	pthread_join(archiver, NULL);
	printf("%llx\n", (unsigned long long)sum);
	return 0;
}

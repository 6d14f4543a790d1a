/* SPDX-License-Identifier: MIT */
/* Finds movement in a film: each frame is decoded from runs of bytes, then compared with the one
 * before, block by block, by all OpenMP threads. The decoding, some calls deep, is done by the
 * master between two regions, although each row has its own place in the stream. Innocent: the film
 * is encoded first, moving blocks are listed under a lock, seldom, and a thread that adapts the
 * quality looks every 100 ms.
 *
 * cause: the frames are decoded by one thread while the team waits
 * finding: omp-serial
 * place: decode_frame|decode_row|next_frame
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

enum { WIDTH = 1280, HEIGHT = 704, BLOCK = 16, ROW_BYTES = 2 * WIDTH, FRAMES = 400, REACH = 2 };

struct stream {
	uint8_t rows[HEIGHT][ROW_BYTES];
};

struct decoder {
	const uint8_t *at;
	unsigned repeat, value, noise;
};

static struct stream stream;
static uint8_t frames[2][HEIGHT][WIDTH];
static omp_lock_t moving_lock;
static uint64_t moving_sum;
static atomic_int quality = 50;

static void encode_row(uint8_t *to, uint32_t *state)
{
	for (int i = 0; i < ROW_BYTES; i += 2) {
		*state = *state * 1664525u + 1013904223u;
		to[i] = 1 + (*state >> 28);
		to[i + 1] = (uint8_t)(*state >> 16);
	}
}

static void encode_film(void)
{
	uint32_t state = 99;

	for (int row = 0; row < HEIGHT; row++)
		encode_row(stream.rows[row], &state);
}

static void next_run(struct decoder *decoder)
{
	decoder->repeat = decoder->at[0];
	decoder->value = (decoder->value + decoder->at[1]) & 255;
	decoder->at += 2;
}

/* Each pixel is that of its run, with the grain that the encoder took off. */
static uint8_t next_pixel(struct decoder *decoder)
{
	if (!decoder->repeat)
		next_run(decoder);
	decoder->repeat--;
	decoder->noise = decoder->noise * 1103515245u + 12345u;
	return (uint8_t)(decoder->value + (decoder->noise >> 28));
}

static void decode_row(uint8_t *to, int row, int number)
{
	struct decoder decoder = {stream.rows[row], 0, (unsigned)(number / 4 * row), (unsigned)row};

	for (int column = 0; column < WIDTH; column++)
		to[column] = next_pixel(&decoder);
}

static void decode_frame(int number, bool by_team)
{
	if (by_team) {
#pragma omp parallel for schedule(static)
		for (int row = 0; row < HEIGHT; row++)
			decode_row(frames[number & 1][row], row, number);
	} else {
		for (int row = 0; row < HEIGHT; row++)
			decode_row(frames[number & 1][row], row, number);
	}
}

static void next_frame(int number, bool by_team)
{
	decode_frame(number, by_team);
}

static unsigned differ(int number, int row, int column, int shift)
{
	unsigned sum = 0;

	for (int y = row; y < row + BLOCK; y++)
		for (int x = column; x < column + BLOCK; x++)
			sum += (unsigned)abs(frames[number & 1][y][x] -
					     frames[~number & 1][y][(x + shift) % WIDTH]);
	return sum;
}

static void search_block(int number, int row, int column)
{
	unsigned least = ~0u;

	for (int shift = 0; shift < REACH; shift++) {
		unsigned sum = differ(number, row, column, shift);
		least = sum < least ? sum : least;
	}
	if (least % 1024)
		return;
	omp_set_lock(&moving_lock);
	moving_sum += least + (unsigned)column;
	omp_unset_lock(&moving_lock);
}

static void search_frame(int number)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int row = 0; row < HEIGHT; row += BLOCK)
		for (int column = 0; column < WIDTH; column += BLOCK)
			search_block(number, row, column);
}

static void *adapt_quality(void *unused)
{
	struct timespec tenth = {.tv_nsec = 100000000};

	while (!nanosleep(&tenth, NULL))
		atomic_store(&quality, 50 + omp_get_num_procs());
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t adapter;

	omp_init_lock(&moving_lock);
	pthread_create(&adapter, NULL, adapt_quality, NULL);
	encode_film();
	for (int number = 0; number < FRAMES; number++) {
		next_frame(number, fixed);
		search_frame(number);
	}
	printf("%llu\n", (unsigned long long)moving_sum);
	return 0;
}
